"""Forms people paste of themselves: a line is a name and a value ("Occupation: veterinary surgeon")."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from hermes_agent.learn import attributes
from hermes_agent.learn.patterns import Pattern
from hermes_agent.text.words import fold

_KEY = r"[ \t]*(?:[-*•][ \t]*)?(?P<key>[^\W\d_][\w'/() -]{1,40}?)[ \t]*"
_LINE = Pattern(rf"(?m)(?:^|(?<=[;|])){_KEY}(?::|=|[ \t][–—-])[ \t]+(?P<value>[^\n;|]+)")
_SEVERAL = frozenset(
    ("speaks", "allergy", "hobby", "pet", "skill", "uses", "likes", "dislikes", "contact", "health", "diet")
)
_ITEM = Pattern(r"\s*,\s*(?:and\s+)?|\s+and\s+|\s*/\s+")
_NOTHING = Pattern(r"(?:none|no|n/?a|nil|-|unknown|not applicable|tbd|\?+)[.\s]*$")
_BRACKET = Pattern(r"\s*\([^)]*\)")
# Alone these may be of a film, a file or a customer: "Title: The Last Lighthouse".
_OF_ANYTHING = frozenset(("title", "company", "location", "budget", "field", "goal", "objective", "status"))
_OLD_OR_NEW = ("current ", "present ", "known ", "preferred ")


@cache
def _keys() -> Mapping[str, str]:
    text = files("hermes_agent.learn").joinpath("forms.txt").read_text(encoding="utf-8")
    lines = (line.partition(" = ") for line in text.splitlines() if not line.startswith("#"))
    return {key.strip(): attribute for attribute, _, keys in lines for key in keys.split(",")}


def _attribute(key: str) -> str:
    """Return the attribute a form's name stands for; the name itself if it is none that is known."""
    plain = fold(key)
    for word in _OLD_OR_NEW:
        if plain not in _keys():
            plain = plain.removeprefix(word)
    return _keys().get(plain, plain)


@dataclass(frozen=True, slots=True)
class Entry:
    """One value of a form: its attribute, its place, and the place of its line."""

    attribute: str
    begin: int
    end: int
    start: int
    stop: int


def read_form(message: str) -> list[Entry]:
    """Return the entries of a form; a message with fewer than two known lines is none."""
    lines = list(_LINE.finditer(message))
    known = [match for match in lines if _attribute(match["key"]) in _keys().values()]
    known = [match for match in known if fold(match["key"]) not in _OF_ANYTHING or len(known) > 2]
    if len(known) < 2 and not (len(known) == 1 and len(lines) == 1 and message.strip() == lines[0][0].strip()):
        return []
    return [
        entry
        for match in lines
        for entry in _entries(message, match.start("key"), match["key"], match.start("value"), match["value"])
    ]


def _entries(message: str, start: int, key: str, begin: int, value: str) -> Iterator[Entry]:
    attribute = _attribute(key.strip())
    text = value.partition(". ")[0].rstrip(" .,;")
    if not text or _NOTHING.match(text) or "?" in text or text[0] in "[<{(":
        return
    if attribute == "name" and text.islower() and not text.replace(" ", "").isalpha():
        return  # "Name: acme-web-frontend"
    if attribute not in _SEVERAL or attributes.is_single(attribute):
        yield Entry(attribute, begin, begin + len(text), start, begin + len(text))
        return
    at = 0
    for match in (*_ITEM.finditer(text), None):
        piece = text[at : match.start() if match else len(text)]
        bare = _BRACKET.sub("", piece).strip(" .")
        if bare:
            first = begin + at + piece.index(bare[0])
            yield Entry(
                attribute,
                first,
                first + len(bare) if piece.strip() == bare else begin + at + len(piece.rstrip()),
                start,
                begin + len(text),
            )
        at = match.end() if match else len(text)
