"""The languages beside English: their lines compiled into patterns when they are first needed.

One line of `grammar_germanic` and `grammar_romance` is one way of saying or asking something; `{name}`,
`{place}` … are the values and their shapes. Accents and umlauts may be missing in what is typed.
"""

from dataclasses import dataclass
from functools import lru_cache

from hermes_agent.learn.grammar_english import Shape
from hermes_agent.learn.grammar_germanic import GERMANIC
from hermes_agent.learn.grammar_romance import ROMANCE
from hermes_agent.learn.patterns import Pattern

_TOLERANT = {
    **{"ä": "(?:ä|ae|a)", "ö": "(?:ö|oe|o)", "ü": "(?:ü|ue|u)", "ß": "(?:ß|ss)", "œ": "(?:œ|oe)"},
    **{
        letter: f"[{letter}{plain}]"
        for letter, plain in zip("áéíóúàèìòùâêîôûãõçñëï", "aeiouaeiouaeiouaocnei", strict=True)
    },
    "'": "['’]?",
}
_SLOTS: dict[str, tuple[str, Shape]] = {
    "name": (r"[^\d,;:]+", "name"),
    "self": (r"[^\d,;:]+", "self"),
    "place": (r".+", "place"),
    "value": (r".+", "any"),
    "role": (r"[^,;:]+", "role"),
    "trait": (r"[\w-]+", "trait"),
    "age": (r"\d{1,3}", "age"),
    "clause": (r".+", "any"),
    "topic": (r".+", "any"),
    "noun": (r"[\w'-]+(?:\s+[\w'-]+){0,3}?", "any"),
    "who": (r"[\w'-]+", "name"),
    "time": (r".+", "any"),
}


_CONTINUED = Pattern(r"\n\s*\|")


@dataclass(frozen=True, slots=True)
class Form:
    """One way of saying or asking something. `is_not` makes a statement negative."""

    attribute: str
    pattern: Pattern
    is_not: bool = False
    is_change: bool = False


LANGUAGES = {one.code: one for one in (*GERMANIC, *ROMANCE)}


@lru_cache
def said_forms(code: str) -> tuple[Form, ...]:
    """Return the ways of stating something in a language, compiled when first needed."""
    return _forms(LANGUAGES[code].says)


@lru_cache
def asked_forms(code: str) -> tuple[Form, ...]:
    """Return the ways of asking for something in a language, compiled when first needed."""
    return _forms(LANGUAGES[code].asks)


@lru_cache
def found_by(code: str) -> dict[str, str]:
    """Return for each attribute the query that finds statements of it in a language."""
    lines = (line.strip().partition(" = ") for line in LANGUAGES[code].finds.strip().splitlines())
    return {attribute: query for attribute, _, query in lines}


@lru_cache
def joints(code: str) -> Pattern:
    """Return where a clause of a language may end and the next begin."""
    language = LANGUAGES[code]
    joint, starts = language.joint, language.starts
    return Pattern(rf"(?:\s*[,;]\s*(?:(?:{joint})\s+)?|\s+(?:{joint})\s+)(?=(?:{starts})(?:\b|(?<=['’])))")


@lru_cache
def hints(code: str) -> Pattern:
    """Return the words one of which a sentence of the language holds."""
    return Pattern(rf"(?<![\w'])(?:{LANGUAGES[code].hint})(?!\w)")


def shape_of(group: str) -> Shape:
    """Return the shape that the value of a slot must have."""
    return _SLOTS[group][1]


def _forms(lines: str) -> tuple[Form, ...]:
    made = []
    # A line that begins with a bar goes on with the one before.
    for line in _CONTINUED.sub("|", lines.strip()).splitlines():
        head, _, pattern = line.strip().partition(" = ")
        attribute, *marks = head.split()
        made.append(Form(attribute, _compiled(pattern), "-" in marks, "+" in marks))
    return tuple(made)


def _compiled(pattern: str) -> Pattern:
    tolerant = "".join(_TOLERANT.get(letter, letter) for letter in pattern)
    for slot, (inside, _) in _SLOTS.items():
        tolerant = tolerant.replace("{" + slot + "}", f"(?P<{slot}>{inside})").replace(
            "{" + slot + "2}", f"(?P<{slot}2>{inside})"
        )
    tolerant = tolerant.replace("{relation}", r"(?P<relation>[\w-]+)").replace(" ", r"\s+")
    return Pattern(tolerant + "$")
