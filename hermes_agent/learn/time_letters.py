"""The letter of each word that can be part of a time: a month is M, a weekday D, any other word a dot."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from hermes_agent.learn.glue import NUMBERS
from hermes_agent.learn.lexicon import word_set

_CLASSES = {
    "a": "a an per",
    "D": "monday tuesday wednesday thursday friday saturday sunday easter christmas xmas",
    "E": "end beginning start middle early late mid",
    "L": "daily weekly monthly nightly yearly annually fortnightly",
    "M": "january february march april may june july august september october november december",
    "P": """mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays mornings evenings
        nights afternoons earlies lates""",
    "Q": "q1 q2 q3 q4 h1 h2",
    "S": "spring summer autumn winter",
    "U": "day week hour minute weekend fortnight month year decade quarter term season sprint",
    "V": "days weeks months years hours minutes decades yrs",
    "d": "morning evening night afternoon noon midnight lunch lunchtime",
    "e": "every each most",
    "f": "of",
    "g": "ago",
    "h": "this",
    "l": "last past previous",
    "n": "next coming following",
    "o": "other second third",
    "p": "on in at by before after from around during to through",
    "q": "for",
    "r": "today tonight tomorrow rn",
    "s": "since",
    "t": "the",
    "w": "until till",
    "x": "times once twice thrice",
    "y": "yesterday",
    "F": "and",
}
_LETTERS = {word: letter for letter, words in _CLASSES.items() for word in words.split()}
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)$")
_YEAR = re.compile(r"(?:19|20)\d\d$|'\d\d$")
_CLOCK = re.compile(r"\d{1,2}(?:[:.]\d\d)?(?:am|pm|h|ish)$|\d{1,2}:\d\d$")
Kind = Literal["recurring", "lasting", "date", "past", "fleeting"]
PHRASES: dict[str, Kind] = {
    "right now": "fleeting",
    "at the moment": "fleeting",
    "for now": "fleeting",
    "ages ago": "past",
    "years ago": "past",
    "a while ago": "past",
    "a while back": "past",
    "just now": "fleeting",
    "later on": "fleeting",
    "this quarter": "date",
    "this week": "fleeting",
    "this weekend": "fleeting",
    "all day": "fleeting",
    "all morning": "fleeting",
    "all afternoon": "fleeting",
    "all week": "fleeting",
    "these days": "lasting",
    "all my life": "lasting",
    "for good": "lasting",
    "for ever": "lasting",
    "for life": "lasting",
    "for years": "lasting",
    "full time": "lasting",
    "part time": "lasting",
    "at weekends": "recurring",
    "in my spare time": "recurring",
    "in my free time": "recurring",
}
PLAIN = frozenset(".tfaFpowEqN")
"""Letters that alone are no time: "in the", "of a", "twenty"."""
_UNSURE = word_set("jan dec mar may")
_BEFORE_MAY = word_set("in of by until till since from next last this early late mid")
SEASONS = word_set("spring summer autumn winter")
ORDINALS = word_set(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth"
)


def may_hold_times(words: Sequence[str], letters: str) -> bool:
    """Tell whether there may be a time among words with these letters: in most sentences there is none."""
    if "w" in letters or not PLAIN.issuperset(letters):
        return True
    said = " ".join(words)
    return any(phrase in said for phrase in PHRASES)


def letters_of(words: Sequence[str]) -> str:
    """Return the letter of each word of a sentence."""
    letters = [_LETTERS.get(word) or _numbered(word) for word in words]
    for place, word in enumerate(words):
        if word in _UNSURE:
            letters[place] = _month(word, words[place - 1] if place else "")
        elif word == "of" and place and words[place - 1] == "as":
            letters[place] = _LETTERS["from"]  # "as of the first of May"
    return "".join(letters)


def _month(word: str, before: str) -> str:
    """Return the letter of a word that is a month only where a date can stand: "in may", "3 dec"."""
    is_month = before in _BEFORE_MAY or before[:1].isdigit()
    return "M" if is_month else "." if word == "may" else _LETTERS.get(word) or _numbered(word)


@lru_cache(maxsize=8_192)
def _numbered(word: str) -> str:
    """Return the letter of a number in figures or words; a point for all other words."""
    if word[0] in "'0123456789":
        if _YEAR.match(word):
            return "Y"
        if _ORDINAL.match(word):
            return "O"
        if _CLOCK.match(word):
            return "C"
        return "N" if word.isdigit() else "."
    if word in ORDINALS:
        return "O"
    return "N" if word in NUMBERS or word.partition("-")[0] in NUMBERS else "."
