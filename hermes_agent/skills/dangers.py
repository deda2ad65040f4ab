"""Commands that no skill may hold: they carry secrets away, let strangers in or destroy what is not theirs.

A skill is followed, so what it says is looked at as commands, not only as words. The ids are the public product's
where it has the thing. A key in a header of a request to an API is how an API is used, and `rm -rf build` how one
builds: a line is an alarm only for what it does with what. "Never run rm -rf /" is none. A new pattern needs a
line in the tests that it catches, and must catch none of the innocent ones there.
"""

import re
import unicodedata
from functools import cache

from hermes_agent.notes.threats import COMMANDS

_AS_IN_NOTES = (
    "ssh_backdoor",
    "c2_network_connect",
    "anti_forensic_oneliner",
    "anti_forensic_disk",
    "env_var_unset_agent",
    "translate_execute",
)
_KEYS = (
    r"(?:\.ssh(?:/(?!config\b|known_hosts|[\w.-]{0,60}\.pub\b)|(?=[\s\"'`)]|$))|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)"
    r"|\.aws/credentials|\.netrc\b|\.pgpass\b|/etc/shadow\b|\.gnupg\b|\.hermes/(?:\S{0,60}/)?\.env\b|\.kube/config\b"
    r"|\.docker/config\.json)"
)
"""Files that are nobody's business."""
_ENV = r"(?:(?<![\w$])\.env\b(?!\.(?:example|sample|template|dist|test)))"
_SECRETS = rf"(?:{_KEYS}|{_ENV})"
_READ = r"(?:cat|less|more|head|tail|xxd|od|base64|base32|strings|bat|type|grep|awk|sed)"
_SENDERS = r"(?:curl|wget|nc|ncat|netcat|socat|telnet|httpie|http|xh)"
_SENT = r"(?:-d|--data\S*|--json|-f|--form\S*|-t|--upload-file|--post-file|--post-data|--body-file|--body-data)"
_KEY_NAMES = r"(?:key|token|secret|passw\w*|credential\w*)"
_EVERYTHING = r"(?:\benv\b|\bprintenv\b|\bexport -p\b|\bdeclare -x\b)"
_INSTALLERS = (
    r"(?:astral\.sh|sh\.rustup\.rs|get\.docker\.com|deb\.nodesource\.com|install\.python-poetry\.org|bun\.sh"
    r"|deno\.land|ollama\.com|get\.k3s\.io|get\.helm\.sh|tailscale\.com|fly\.io|raw\.githubusercontent\.com"
    r"|starship\.rs|pyenv\.run|get\.pnpm\.io|get\.sdkman\.io|mise\.run)"
)
"""Whence everybody installs by a pipe into a shell."""
_SHELL = r"(?:sudo )?(?:env )?(?:(?:ba|z|da|k)?sh|(?:python3?|perl|ruby|node)(?! -[cemn])(?! \w))\b"
_WHOLE = (
    r"(?:/|~|\$\{?home\}?|/(?:bin|boot|dev|etc|home|lib|opt|root|sbin|srv|sys|usr|var|users))/?\*?"
    r"(?=[\s\"'`;|&)]|$)"
)
"""A whole machine, or everything somebody has."""

_PATTERNS = {
    "exfil_curl": (
        rf"\b{_SENDERS}\b[^\n]{{0,300}}?(?:^|\s){_SENT}[= ]?[\"']?\S{{0,80}}?@?\S{{0,80}}?{_SECRETS}"
        rf"|\b{_SENDERS}\b[^\n]{{0,300}}?(?:\$\(|`)[^()`\n]{{0,120}}?(?:{_SECRETS}|{_EVERYTHING})"
        rf"|(?:{_SECRETS}|{_EVERYTHING})[^;|\n]{{0,120}}(?:\|[^;|\n]{{0,80}}){{0,3}}"
        rf"\| ?(?:\w+ ){{0,2}}{_SENDERS}\b"
        rf"|\b{_SENDERS}\b[^;|\n]{{0,200}}?< ?\S{{0,80}}?{_SECRETS}"
        # The name of a parameter tells: `?key=$API_KEY` is how many an API is called.
        rf"|\bcurl\b[^\n]{{0,200}}?[?&](?!\w{{0,30}}(?:key|token|secret|appid|auth))\w{{1,30}}="
        rf"\$\{{?\w{{0,40}}{_KEY_NAMES}\b"
    ),
    "exfil_code": (
        rf"\b(?:requests|httpx|aiohttp|urllib\S{{0,20}}|axios|fetch)\b[^\n]{{0,200}}?"
        rf"(?:os\.environ\b(?!\[|\.get)|process\.env\b(?!\.|\[)|open\([^)\n]{{0,80}}?{_SECRETS})"
    ),
    "exfil_copy": (
        r"\b(?:scp|rsync|rclone|ftp|sftp) (?:-i \S{1,80} |(?!-i )[^\s;|]{1,80} ){0,6}?(?!-i )[\"']?[^\s;|]{0,80}?"
        rf"{_KEYS}"
    ),
    "read_secrets": rf"\b{_READ} (?:[^\s|;]{{1,60}} ){{0,4}}?[\"']?[^\s|;]{{0,80}}?{_SECRETS}",
    "ssh_access": rf"\b(?:cp|mv|tar|zip|7z) (?:[^\s|;]{{1,60}} ){{0,6}}?[\"']?[^\s|;]{{0,80}}?{_KEYS}",
    "run_from_web": (
        rf"\b(?:curl|wget)\b(?![^|;\n]{{0,200}}https://{_INSTALLERS})[^|;\n]{{0,300}}"
        rf"(?:\| ?tee \S{{1,80}} ?)?\| ?{_SHELL}"
        rf"|\b(?:ba|z|da)?sh (?:-c )?[\"']?(?:<\(|\$\(|`) ?(?:curl|wget)\b"
        rf"(?![^)`\n]{{0,200}}https://{_INSTALLERS})|\beval [\"']?(?:\$\(|`) ?(?:curl|wget)\b"
    ),
    "destructive": (
        rf"\brm (?:-\S+ ){{0,4}}-(?:\w*r\w*|-recursive)(?: -\S+){{0,4}} [\"']?{_WHOLE}"
        r"|\brm\b[^;|\n]{0,60}--no-preserve-root"
        rf"|\b(?:chmod|chown) (?:-\S+ )?-r\w* \S{{1,40}} [\"']?{_WHOLE}"
        rf"|\bfind [\"']?{_WHOLE}[\"']? [^;|\n]{{0,80}}-delete\b"
        r"|\bmkfs(?:\.\w+)? (?:-\S+ ){0,4}/dev/|> ?/dev/(?:sd|nvme|hd|vd|disk)\w|:\(\) ?\{ ?:\|:& ?\} ?;:"
        r"|\brmtree\((?:path\()?[\"'](?:/|~)[\"']|\brmtree\((?:path\.home\(\)|os\.path\.expanduser\([\"']~[\"']\))\)"
        r"|\bwipefs -a\b|\bdd\b[^;|\n]{0,60}of=/dev/(?:sd|nvme|hd|vd|disk)"
    ),
}
_FORBIDDEN = re.compile(
    r"\b(?:never|do not|don't|must not|mustn't|avoid|refuse to|instead of)(?: \w+){0,2}[ :]+[`\"'(*]{0,3}$"
)
_LOOK_BACK = 60
_SPACE = re.compile(r"[^\S\n]+")
_GOES_ON = re.compile(r"\\\r?\n|(?<=\|)[^\S\n]*\r?\n")


def find(text: str) -> tuple[str, ...]:
    """Return the ids of the dangerous commands in a file of a skill, each once."""
    plain = _SPACE.sub(" ", _GOES_ON.sub(" ", unicodedata.normalize("NFKC", text)).casefold())
    return tuple(name for name, pattern in _patterns() if _is_in(pattern, plain))


def _is_in(pattern: re.Pattern[str], text: str) -> bool:
    return any(
        _FORBIDDEN.search(text[max(0, found.start() - _LOOK_BACK) : found.start()]) is None
        for found in pattern.finditer(text)
    )


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    every = {**{name: COMMANDS[name] for name in _AS_IN_NOTES}, **_PATTERNS}
    return [(name, re.compile(pattern, re.MULTILINE)) for name, pattern in every.items()]
