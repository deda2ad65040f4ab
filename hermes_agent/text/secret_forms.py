"""The forms and places by which a secret is known.

A rule is its hints and a look: without one of the hints in the lower-cased text the look, which runs a
pattern, would find nothing. Rules stand in groups behind a character that every hint of theirs holds, so
that plain prose costs a few microseconds. Places (addresses, headers, assignments) come last: the first
rule that finds a span names it, and a place knows least about what stands there.

No pattern may take more than linear time, so repetitions are possessive or bounded, and whatever needs a
second look at a whole run is a check on the match.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hermes_agent.text.randomness import is_password, is_random, is_stand_in, is_uuid


@dataclass(frozen=True, slots=True)
class Secret:
    """A span of a text that must not be kept."""

    kind: str
    start: int
    end: int


Look = Callable[[str, str], Iterator[Secret]]
"""Looks at a text; the second argument is the same text in lower case, character for character."""

Rule = tuple[Sequence[str], Look]


def _form(kind: str, prefixes: str, rest: str, check: Callable[[str], bool] | None = None) -> Rule:
    """Make the rule of one form: a prefix, then the rest; the group `secret`, where there is one, is what goes."""
    starts = [_start(prefix) for prefix in prefixes.split()]
    return [prefix.lower() for prefix in prefixes.split()], _look(kind, f"(?:{'|'.join(starts)}){rest}", check)


def _start(prefix: str) -> str:
    """Match a prefix at the start of a word: base64 text holds every short prefix somewhere.

    Looking behind comes last, so that the engine can skip to where the prefix stands. A tool's arguments are
    kept as the JSON they came in: there the letter of `\\n` may stand right before a word.
    """
    literal = re.escape(prefix)
    return rf"{literal}(?:(?<![A-Za-z0-9]{literal})|(?<=\\[nrt]{literal}))"


def _look(kind: str, pattern: str, check: Callable[[str], bool] | None = None) -> Look:
    compiled = re.compile(pattern, re.ASCII)
    group: str | int = "secret" if "secret" in compiled.groupindex else 0

    def look(text: str, lowered: str) -> Iterator[Secret]:
        for match in compiled.finditer(text):
            if check is None or check(match[group]):
                yield Secret(kind, *match.span(group))

    return look


_LONG_RUN = re.compile(r"[A-Za-z0-9]{20}")
_RUN = re.compile(r"[A-Za-z0-9]{12}")
_OPENAI_KINDS = ("sk-proj-", "sk-svcacct-", "sk-admin-")


def _is_openai_key(value: str) -> bool:
    """Tell a key from a hyphenated name such as `sk-learn-contrib-examples`."""
    pattern = _RUN if value.startswith(_OPENAI_KINDS) else _LONG_RUN
    return pattern.search(value) is not None


def _is_key(value: str) -> bool:
    return _LONG_RUN.search(value) is not None or is_random(value)


def _has_digit(value: str) -> bool:
    return any(character.isdigit() for character in value)


def _is_web_token(value: str) -> bool:
    """Tell whether the first part is the header of a JSON web token."""
    header = value.partition(".")[0]
    try:
        said = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and "alg" in said


_PRIVATE_KEY_MARK = re.compile(
    r"-{4,5} ?(?P<word>BEGIN|END) [A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)? ?-{4,5}|Private-Lines: [0-9]{1,5}"
)
_KEY_RUN = re.compile(r"[A-Za-z0-9+/=]{16,}+")
_SPACE = re.compile(r"\s+")
_BETWEEN = r"""(?:\s|\\[nr]|[>|#*"'+]){1,16}+"""
_KEY_BODY = re.compile(
    rf"(?:{_BETWEEN}[A-Z][A-Za-z-]{{2,20}}+: [^\n\\]{{0,200}}+){{0,8}}+"
    rf"(?:{_BETWEEN}[A-Za-z0-9+/=]{{16,}}+)++"
    rf"(?:{_BETWEEN}[A-Za-z0-9+/=]{{1,15}}+(?=\s*+\Z))?+"
)


def _private_keys(text: str, lowered: str) -> Iterator[Secret]:
    """Find blocks of private keys, also one whose end is missing; a mark without a key is only a mark."""
    marks = list(_PRIVATE_KEY_MARK.finditer(text))
    for number, mark in enumerate(marks):
        if mark["word"] == "END":
            continue
        after = marks[number + 1] if number + 1 < len(marks) else None
        if after is not None and after["word"] == "END" and _is_mostly_key(text[mark.end() : after.start()]):
            yield Secret("private key", mark.start(), after.end())
            continue
        body = _KEY_BODY.match(text, mark.end())
        if body is not None:
            yield Secret("private key", mark.start(), body.end())


def _is_mostly_key(body: str) -> bool:
    length = len(_SPACE.sub("", body))
    return length > 0 and sum(len(run) for run in _KEY_RUN.findall(body)) * 2 >= length


# The name may be missing (redis), the password may hold `@` and `:`; both end where the host does.
_ADDRESS = re.compile(
    r"""(?<=[A-Za-z0-9])://[^\s:/?#@"'<>\[\]\\]{0,128}+:(?P<secret>[^\s/?#"'<>\[\]\\]{1,256})@(?=[\w\[.%$-])"""
)


def _in_addresses(text: str, lowered: str) -> Iterator[Secret]:
    """Find the passwords of addresses; the rest of an address stays."""
    for match in _ADDRESS.finditer(text):
        if not is_stand_in(match["secret"]):
            yield Secret("password", *match.span("secret"))


# A quote, also as it stands in JSON, or in JSON inside of JSON.
_QUOTE = r"""(?:\\{0,3}["'`])"""
_HEADER = re.compile(
    rf"""authorization{_QUOTE}?\s{{0,4}}[:=]\s{{0,4}}{_QUOTE}?(?:(?:bearer|token|apikey|key)\s{{1,4}})?"""
    r"""(?P<given>[\w.~+/=-]{16,}+)"""
    r"""|\bbearer\s{1,4}(?P<bearer>[\w.~+/=-]{16,}+)"""
    r"""|\bbasic\s{1,4}(?P<basic>[A-Za-z0-9+/]{6,}+={0,2})""",
    re.ASCII,
)


def _in_headers(text: str, lowered: str) -> Iterator[Secret]:
    """Find what is sent to prove who one is: bearer tokens, and names with passwords in base64."""
    for match in _HEADER.finditer(lowered):
        group = match.lastgroup or ""
        start, end = match.span(group)
        value = text[start:end]
        if _is_name_and_password(value) if group == "basic" else _is_key(value):
            yield Secret("authorization", start, end)


def _is_name_and_password(value: str) -> bool:
    try:
        decoded = base64.b64decode(value, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in decoded and decoded.isprintable()


_PASSWORD_NAMES = (
    *("password", "passwd", "passphrase", "passcode", "pwd", "passwort", "kennwort", "wachtwoord"),
    *("contraseña", "senha", "mot de passe", "пароль", "密码", "密碼", "パスワード", "비밀번호"),
)
_KEY_NAMES = ("secret", "token", "credential", "key")
# What may stand between a name and its value: the quote that ends the name, and the sign.
_JOINT = rf"""(?:{_QUOTE}|\*){{0,2}}[ \t]{{0,8}}(?::=|=>|={{1,2}}|[:：])[ \t]{{0,8}}"""
# In an address `&` begins the next name; elsewhere it may belong to a password.
_VALUE = r"""(?:[^\s"'`<>\\,;&|(){}\[\]]|&(?!\w{1,32}=))"""
# As people say it: "my password is …", "mein Passwort lautet …".
_IS = r"""[ \t]{1,8}(?:is|was|ist|lautet|est|es|è|é|это)[ \t]{1,8}"""
_PASSWORD = re.compile(
    rf"""(?:(?:{"|".join(_PASSWORD_NAMES)}|(?<=[_-])pass)(?:_?\d{{1,2}})?(?:{_JOINT}|{_IS})"""
    r"""|--pass(?:word|phrase)? )"""
    r"""(?:"(?P<double>[^"\n\\]{8,128})"|'(?P<single>[^'"\n\\]{8,128})'|\\"(?P<escaped>[^"\n\\]{8,128})\\\""""
    rf"""|{_QUOTE}?(?P<bare>{_VALUE}{{8,}}+))"""
)
_KEY = re.compile(
    r"""(?:(?P<name>secret[ _-]?access[ _-]?key|secret|token|credential"""
    r"""|(?:api|access|auth|account|private|signing|encryption|master|storage)[ _-]?key)"""
    rf"""(?:s|(?:_?(?:key|base|value|\d{{1,2}})){{0,2}})(?:{_JOINT}|[ \t]{{1,8}}is:?[ \t]{{1,8}})"""
    r"""|--(?:[a-z0-9]{1,16}-){0,3}(?P<option>token|secret|key) )"""
    rf"""{_QUOTE}?(?P<value>{_VALUE}{{12,}}+)"""
)
_AWS_SECRET = re.compile(r"[A-Za-z0-9/+]{40}")


def _assigned_passwords(text: str, lowered: str) -> Iterator[Secret]:
    """Find values that stand where a password stands and are fit to be one."""
    for match in _PASSWORD.finditer(lowered):
        group = match.lastgroup or ""
        start, end = match.span(group)
        value = text[start:end].rstrip(".:") if group == "bare" else text[start:end]
        end = start + len(value)
        if is_password(value) and text[end : end + 1] != "(":  # `password = new_password2()`
            yield Secret("password", start, end)


def _assigned_keys(text: str, lowered: str) -> Iterator[Secret]:
    """Find values behind the name of a key, also behind "is", when they look generated."""
    for match in _KEY.finditer(lowered):
        name = match["name"] or match["option"]
        start, end = match.span("value")
        value = text[start:end].rstrip(".:!?")
        end = start + len(value)
        if "access" in name and _AWS_SECRET.fullmatch(value):
            yield Secret("AWS secret", start, end)
        elif is_random(value) and text[end : end + 1] != "(" and not (name == "token" and is_uuid(value)):
            yield Secret("token" if name == "token" else "secret key", start, end)


# Base64 of a number of 17 to 20 digits: only these characters can stand in each of the four places.
_DISCORD = (
    r"[MNO](?:(?<![\w-].)|(?<=\\[nrt].))[DTjz][AEIMQUYcgk][w-z0-5](?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){4,5}"
    r"(?:[MNO][AQgw]|[MNO][DTjz][AEIMQUYcgk])?\.[\w-]{6}\.[\w-]{27,}+"
)
_TELEGRAM = r"(?<![0-9])[0-9]{6,12}:AA[\w-]{33}(?![\w-])"
_AGE = r"[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}(?![A-Za-z0-9])"
_GITLAB = r"[\w-]{20,}+(?:\.[0-9a-z]{2}\.[0-9a-z]{7,9}(?![A-Za-z0-9]))?"
_GITLAB_PREFIXES = "glpat- gldt- glrt- glcbt- glptt- glft- glagent- gloas-"
_SLACK_PREFIXES = "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xapp-"
_SLACK_ADDRESSES = "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/"
_DISCORD_ADDRESSES = "discord.com/api/webhooks/ discordapp.com/api/webhooks/"
_WEB_TOKEN = r"[\w-]{8,4096}+\.[\w-]{4,}+\.[\w-]*+(?:\.[\w-]++){0,2}"
_HEX = r"[0-9a-f]{32}(?![A-Za-z0-9])"

GROUPS: Sequence[tuple[str, Sequence[Rule]]] = (
    (
        "-",
        [
            (["---", "private-lines"], _private_keys),
            _form("Anthropic key", "sk-ant-", r"[\w-]{20,}+"),
            _form("OpenAI key", "sk-", r"[\w-]{20,}+", _is_openai_key),
            _form("GitLab token", _GITLAB_PREFIXES, _GITLAB, _is_key),
            _form("Slack token", _SLACK_PREFIXES, r"[\w-]{20,}+", _has_digit),
            _form("Google key", "GOCSPX-", r"[\w-]{20,}+"),
            _form("PyPI token", "pypi-AgE", r"[\w-]{40,}+"),
            _form("age key", "AGE-SECRET-KEY-1", _AGE),
            _form("API key", "xai- pplx- tvly- nvapi-", r"[\w-]{24,}+", is_random),
            _form("API key", "key- fc-", _HEX, is_random),
        ],
    ),
    (
        "_",
        [
            _form("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9]{36,}+"),
            _form("GitHub token", "github_pat_", r"[A-Za-z0-9_]{30,}+"),
            _form("Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_", r"[A-Za-z0-9]{16,}+"),
            _form("Stripe key", "whsec_", r"[A-Za-z0-9+/]{24,}+={0,2}"),
            _form("Hugging Face token", "hf_", r"[A-Za-z0-9]{30,}+"),
            _form("npm token", "npm_", r"[A-Za-z0-9]{36}(?![A-Za-z0-9])"),
            _form("API key", "gsk_ r8_ dop_v1_ doo_v1_ dor_v1_ lin_api_ dckr_pat_", r"[\w-]{24,}+", is_random),
            _form("API key", "shpat_ shpca_ shppa_ shpss_ sbp_ glsa_", r"[\w-]{24,}+", is_random),
        ],
    ),
    (
        ".",
        [
            _form("JWT", "eyJ", _WEB_TOKEN, _is_web_token),
            _form("SendGrid key", "SG.", r"[\w-]{16,32}\.[\w-]{16,64}(?![\w-])"),
            _form("Google key", "ya29.", r"[\w-]{20,}+"),
            _form("API key", "hvs.", r"[\w-]{24,}+", is_random),
            _form("Slack address", _SLACK_ADDRESSES, r"(?P<secret>[\w/+-]{20,}+)"),
            _form("Discord address", _DISCORD_ADDRESSES, r"[0-9]{10,22}/(?P<secret>[\w-]{40,}+)"),
            (["."], _look("Discord token", _DISCORD)),
        ],
    ),
    (
        "",
        [
            _form("AWS key", "AKIA ASIA", r"[A-Z0-9]{16}(?![A-Za-z0-9])"),
            _form("Google key", "AIza", r"[\w-]{35}(?![\w-])"),
            _form("Twilio key", "AC SK", _HEX),
            _form("API key", "dapi", _HEX),
            ([":aa"], _look("Telegram token", _TELEGRAM)),
            (["://"], _in_addresses),
            (["authorization", "bearer", "basic"], _in_headers),
            ([*_PASSWORD_NAMES, "_pass", "-pass"], _assigned_passwords),
            (_KEY_NAMES, _assigned_keys),
        ],
    ),
)
