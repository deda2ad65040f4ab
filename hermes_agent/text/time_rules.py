"""How one phrase is read: a pattern, the words without which it cannot match, and what its words mean in days."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from hermes_agent.text.compiled import compiled
from hermes_agent.text.time_days import Days, View
from hermes_agent.text.time_text import Plain
from hermes_agent.text.time_words import WORDS_TOO

DIGIT = "0"
"""Stands among the cues of a text for any figure in it."""

_CUE = re.compile(r"[a-z]+|\d")
_CLAUSE_ENDS = r" ?(?:$|[?!.,;:)\]\"-])"
_LEADS_TO_DATE = (
    r"(?:\b(?:on|since|until|till|by|before|after|from|between|and|to|the|of|through|am|vom|bis|seit|le|du|au|el|del"
    r"|il|dal|al|em|de) )$"
)
_LEAD_LENGTH = 12


class Rule(NamedTuple):
    """One way to name days. `read` gives none when the words turn out to mean no day."""

    source: str
    cues: frozenset[str]
    read: Callable[[re.Match[str], Plain, View], list[Days]]

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when it is first needed."""
        return compiled(self.source)


def cues(*words: Iterable[str]) -> frozenset[str]:
    """Return the words one of which must be in a text for a rule to match."""
    return frozenset(piece for group in words for word in group for piece in _CUE.findall(word)[:1])


def cues_in(text: str) -> set[str]:
    """Return the words of a plain text; any figure counts as `DIGIT`."""
    return {DIGIT if piece.isdigit() else piece for piece in _CUE.findall(text)}


def is_month(found: re.Match[str], text: Plain) -> bool:
    """Tell whether a month's name beside a day means the month: "3 may enter" and "march 20 miles" do not."""
    word = found["month"]
    if word not in WORDS_TOO or found["year"] or found["nth"]:
        return word != "marco" or is_cedilla(found, text)
    if word == "marco":
        return is_cedilla(found, text)
    if text.is_capital(found.start("month")) and word != "mars":
        return True
    before = text.text[max(0, found.start() - _LEAD_LENGTH) : found.start()]
    return (
        compiled(_CLAUSE_ENDS).match(text.text, found.end()) is not None
        or compiled(_LEADS_TO_DATE).search(before) is not None
    )


def is_cedilla(found: re.Match[str], text: Plain) -> bool:
    """Tell the month março from the name Marco, which folding makes alike."""
    return "ç" in text.as_written(*found.span("month")).lower()
