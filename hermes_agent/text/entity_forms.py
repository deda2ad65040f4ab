"""Find what shows by its form alone: addresses, handles, paths, tickets, versions, quoted terms."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from hermes_agent.text.compiled import compiled
from hermes_agent.text.entity_keys import host_of
from hermes_agent.text.entity_words import FUNCTION_WORDS, NO_TICKETS, NO_VERSIONS, ORDINARY
from hermes_agent.text.time_words import any_of, word_set
from hermes_agent.text.words import fold

Kind = Literal["name", "project", "handle", "domain", "version", "quoted", "email", "path", "ticket"]

_SHORTEST_QUOTE, _LONGEST_QUOTE, _MOST_QUOTED_WORDS = 2, 60, 6
_ENDINGS = any_of(
    word_set(
        """py pyi md rst txt json jsonl yaml yml toml js mjs ts tsx jsx rs go java kt swift c h cc cpp hpp cs rb
        php sh bash sql csv tsv pdf doc docx xls xlsx ppt pptx html htm css scss ini cfg conf env log
        lock ipynb png jpg jpeg gif svg mp3 mp4 wav zip gz tar db sqlite xml proto tf lua"""
    )
)
_DOMAINS = any_of(
    word_set(
        """com org net io dev ai app co de fr es it nl ch at eu uk ca au jp cn br se pl ru info biz gov edu xyz
        tech cloud online site store blog gg tv ly"""
    )
)
_NO_CHANNELS = word_set("include define ifdef ifndef endif else pragma import region endregion")
# In the middle of a word only an address begins: without saying so first, every letter is tried in every way.
_FORMS = (
    r"(?:(?<!\w)|(?=\W)|(?=http))(?:"
    r"(?P<url>https?://[^\s<>\"'`)\]}]{1,2000})"
    r"|(?P<email>(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})"
    r"|(?P<handle>(?<![\w@/.])@[^\W\d][\w-]{1,38}(?:\.\w{1,30})?)"
    r"|(?P<channel>(?<![\w&/#])#[^\W\d_][\w-]{1,40})"
    r"|(?P<path>(?<![\w/.~:-])(?=[^\s/.\\]{0,90}+[/.\\])(?:"
    rf"(?:~|\.{{1,2}})?/?(?:[\w.@-]{{1,80}}/){{1,20}}[\w.-]{{0,80}}"
    rf"|[\w-]{{1,60}}(?:\.[\w-]{{1,30}}){{0,3}}\.{_ENDINGS}(?![\w/])"
    r"|[A-Za-z]:\\[\w\\.-]{1,200}))"
    rf"|(?P<domain>(?<![\w@./-])(?:[a-z0-9][a-z0-9-]{{0,62}}\.){{1,4}}{_DOMAINS}(?![\w-]|\.\w))"
    r"|(?P<ticket>(?<![\w-])(?:[A-Z][A-Z0-9]{1,9}-\d{1,6}|CVE-\d{4}-\d{4,7})(?![\w-]))"
    r"|(?P<version>(?<![\w.])(?:v\d{1,4}(?:\.\d{1,5}){0,3}(?:-[\w.]{1,20})?|\d{1,4}\.\d{1,4}\.\d{1,4})(?!\w|\.\d))"
    r"|(?P<quoted>(?<!\w)\"(?=\S)[^\"\n]{2,60}(?<=\S)\"(?!\w)|“[^“”\n]{2,60}[”“]|„[^„“”\n]{2,60}[“”]|«[^«»\n]{2,64}»"
    r"|»[^«»\n]{2,60}«|(?<!`)`[^`\n]{2,60}`(?!`)|(?<!\w)'(?=\S)[^'\n]{2,60}(?<=\S)'(?!\w)|‘[^‘’\n]{2,60}’(?!\w)"
    r"|「[^「」\n]{2,60}」|『[^『』\n]{2,60}』))"
)
_DATE = r"(?:[0-2]?\d|3[01])\.(?:0?\d|1[0-2])\.(?:\d\d|\d{4})"
_ENDING = rf"\.{_ENDINGS}$"
_HEX = r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
_NAMED_VERSION = (
    r"(?<![\w.])(?P<name>[A-Z][\w+#]{0,40}|[a-z]{1,20}[A-Z]\w{0,40})[ \t]"
    r"(?P<number>v?\d{1,4}(?:\.\d{1,5}){1,3})(?!\w|\.\d)"
)
_CODE = r"[=<>{};%]"
_FENCE = r"^[ \t]*(?:```|~~~)"


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing named between two places of a text."""

    start: int
    end: int
    name: str
    kind: Kind


def forms(text: str) -> Iterator[Mention]:
    """Yield what shows by its form, in order, none inside another."""
    for found in compiled(_FORMS).finditer(text):
        if mention := _read(found, text):
            yield mention


def named_versions(text: str) -> Iterator[Mention]:
    """Yield versions of something that is named: "Python 3.12"."""
    for found in compiled(_NAMED_VERSION).finditer(text):
        word = fold(found["name"])
        if word not in ORDINARY and word not in NO_VERSIONS:
            yield Mention(found.start(), found.end(), " ".join(found[0].split()), "version")


def without_code(text: str) -> str:
    """Blank out fenced code, so that places stay what they are."""
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.splitlines(keepends=True)
    is_code = False
    for place, line in enumerate(lines):
        is_fence = compiled(_FENCE).match(line) is not None
        if is_code or is_fence:
            lines[place] = "".join(letter if letter in "\r\n" else " " for letter in line)
        is_code = is_code != is_fence
    return "".join(lines)


def _read(found: re.Match[str], text: str) -> Mention | None:
    said, form = found[0], found.lastgroup
    start, end = found.span()
    match form:
        case "url":
            host = host_of(said)
            return Mention(start, end, host, "domain") if host else None
        case "email" | "domain":
            return Mention(start, end, said, form)
        case "handle":
            return Mention(start, end, said, "handle")
        case "channel":
            is_code = said[1:].lower() in _NO_CHANNELS or compiled(_HEX).fullmatch(said) is not None
            return None if is_code else Mention(start, end, said, "handle")
        case "path":
            return _path(start, said)
        case "ticket":
            return None if said.split("-")[0] in NO_TICKETS else Mention(start, end, said, "ticket")
        case "version":
            return None if compiled(_DATE).fullmatch(said) else Mention(start, end, said, "version")
        case _:
            return _quoted(start, end, said)


def _path(start: int, said: str) -> Mention | None:
    """Tell a path from "and/or", "24/7" and "CI/CD": it begins like one, or ends like a file."""
    path = said.rstrip(".")
    if path.endswith(".js") and path[0].isupper() and "/" not in path:
        return None  # Node.js, Vue.js
    begins = path.startswith(("~/", "./", "../")) or (path.startswith("/") and path.count("/") > 1)
    has_letters = any(letter.isalpha() for letter in path)
    if has_letters and (begins or compiled(_ENDING).search(path) or path[1:3] == ":\\"):
        return Mention(start, start + len(path), path, "path")
    return None


def _quoted(start: int, end: int, said: str) -> Mention | None:
    inner = said[1:-1].strip().rstrip(",.;:")
    parts = inner.split()
    is_sentence = said[-2] in ".!?" and len(parts) > 2
    is_short = _SHORTEST_QUOTE <= len(inner) <= _LONGEST_QUOTE and len(parts) <= _MOST_QUOTED_WORDS
    is_ordinary = compiled(_CODE).search(inner) is not None or all(fold(part) in FUNCTION_WORDS for part in parts)
    if is_sentence or is_ordinary or not is_short:
        return None
    if not any(letter.isalpha() for letter in inner):
        return None
    form = compiled(_FORMS).fullmatch(inner)
    if form is not None and form.lastgroup != "quoted" and (exact := _read(form, inner)):
        return Mention(start, end, exact.name, exact.kind)
    return Mention(start, end, inner, "quoted")
