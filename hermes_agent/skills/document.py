"""A skill document: YAML front matter with a name and a description, then the procedure in Markdown.

Reading is lenient, so that skills of other programs work as they are: names with dots, nested metadata
and unknown keys pass, and so does a description with an unquoted colon, which YAML refuses. What cannot
be used is a `Broken` with the reason; it hides no other skill.

The index of a home with a hundred skills is made at the start of a conversation, and YAML takes some
milliseconds a document: a name and a description that are plainly plain text are read without it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hermes_agent.config import yamltext
from hermes_agent.config.broken import BrokenText

LONGEST_NAME = 64
_LONGEST_FRONT_MATTER = 20_000
"""Twenty times the longest description; YAML takes a second for it, and much longer for a megabyte."""
_FENCE = "---"
_KEYS = ("name", "description")
_LINE = re.compile(r"(name|description):[ \t]+(\S.*)")
# What every reader of YAML takes for this very text: it begins with a letter, and no mark of YAML is in it.
_PLAIN = re.compile(r"[^\W\d_](?:(?!: | #)[^\n])*(?<!:)")
_QUOTED = re.compile(r""""([^"\\]*)"|'([^']*)'""")
_OTHER_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}


@dataclass(frozen=True, slots=True)
class Document:
    """What a SKILL.md says."""

    name: str
    description: str
    body: str


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a SKILL.md cannot be used."""

    problem: str


def parse(text: str) -> Document | Broken:
    """Read a SKILL.md."""
    parts = split(text)
    if isinstance(parts, Broken):
        return parts
    front, body = parts
    said = _plain(front) or _said(front)
    if isinstance(said, Broken):
        return said
    values = {key: _one_line(said.get(key)) for key in _KEYS}
    for key, value in values.items():
        if not value:
            return Broken(f"Its front matter has no {key}.")
    if len(values["name"]) > LONGEST_NAME:
        return Broken(f"Its name is longer than {LONGEST_NAME} characters.")
    if not body.strip():
        return Broken("It holds no procedure below its front matter.")
    return Document(values["name"], values["description"], body.strip())


def split(text: str) -> tuple[Sequence[str], str] | Broken:
    """Return the lines of the front matter, and what stands below it."""
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if lines[0].rstrip() != _FENCE:
        return Broken(f"It does not begin with a line {_FENCE}.")
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        return Broken("Its front matter is not closed.")
    return lines[1:end], "\n".join(lines[end + 1 :])


def front_matter(lines: Sequence[str]) -> Mapping[str, object] | Broken:
    """Read the whole front matter as YAML."""
    text = "\n".join(lines)
    if len(text) > _LONGEST_FRONT_MATTER:
        return Broken(f"Its front matter is longer than {_LONGEST_FRONT_MATTER:,} characters.")
    try:
        loaded = yamltext.parse(text)
    except BrokenText as error:
        place = "" if error.line is None else f" (line {error.line + 1})"
        return Broken(f"Its front matter is not YAML: {error.message}{place}.")
    if not isinstance(loaded, dict):
        return Broken("Its front matter is not a mapping.")
    return {key: value for key, value in loaded.items() if isinstance(key, str)}


def _plain(lines: Sequence[str]) -> Mapping[str, str] | None:
    """Return name and description if both are written so that only one reading is possible."""
    found: dict[str, str] = {}
    for number, line in enumerate(lines):
        match = _LINE.fullmatch(line.rstrip())
        if match is None:
            continue
        key, value = match.groups()
        quoted = _QUOTED.fullmatch(value)
        goes_on = lines[number + 1][:1] in (" ", "\t") if number + 1 < len(lines) else False
        is_certain = quoted or (_PLAIN.fullmatch(value) and value.lower() not in _OTHER_WORDS)
        if goes_on or not is_certain or key in found:
            return None
        found[key] = (quoted[1] or quoted[2] or "") if quoted else value
    return found if len(found) == len(_KEYS) else None


def _said(lines: Sequence[str]) -> Mapping[str, object] | Broken:
    """Read the front matter as YAML, or where that fails the two lines that matter, as they stand."""
    said = front_matter(lines)
    if isinstance(said, Broken):
        matches = (_LINE.fullmatch(line.rstrip()) for line in lines)
        loose: dict[str, str] = {match[1]: match[2] for match in matches if match is not None}
        if loose.keys() == set(_KEYS):
            return {key: value.strip("\"'") for key, value in loose.items()}
    return said


def _one_line(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
