"""Sums of money that somebody has or needs: "need 9k by next summer", "we've got 2k for the kitchen"."""

from collections.abc import Iterator

from hermes_agent.learn import glue
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import Statement

_SUM = Pattern(r"[$€£]\d[\d.,]*[km]?|\d[\d.,]*k|\d{1,3}(?:[.,]\d{3})+")
_NUMBER = Pattern(r"\d[\d.,]*")
_MONEY = word_set("quid pounds pound euros euro dollars bucks grand francs kroner crowns yen rupees pesos")

_GREAT = 500
_PEOPLE = word_set("you him her them me")


def sum_at(words: Words, place: int) -> Span | None:
    """Return the sum of money at a place: 9k, £300, 40 quid."""
    word = words.at(place)
    is_number = _NUMBER.fullmatch(word) is not None or word in glue.NUMBERS
    if is_number and words.at(place + 1) in _MONEY:
        return place, place + 2
    return (place, place + 1) if _SUM.fullmatch(word) else None


def _round_sum(words: Words, place: int) -> Span | None:
    """Return a number too great to count anything but money, where nothing is counted: "1500 for the bathroom"."""
    word = words.at(place)
    is_great = word.isdigit() and len(word) > 2 and int(word) >= _GREAT and words.at(place + 2) in glue.DETERMINERS
    return (place, place + 1) if is_great and words.at(place + 1) == "for" else None


def read_needed(told: Told) -> Iterator[Statement]:
    """Read what is needed for what somebody saves up for: "saving up for a van, need 9k by next summer"."""
    words = told.words
    for place in range(told.verb.end, len(words.words) - 1):
        if words.words[place] == "need" and (found := sum_at(words, place + 1)):
            yield told.made("budget", found, "is")
            return


def budget_had(told: Told) -> Span | None:
    """Return the 2k of "we've got 2k for the kitchen"."""
    begin = told.verb.end + (told.words.at(told.verb.end) in ("about", "around", "roughly"))
    found = sum_at(told.words, begin) or _round_sum(told.words, begin)
    is_had = told.verb.verb == "have" and told.verb.tense == "present" and not told.verb.is_denied
    is_for = found is not None and told.words.at(found[1]) in ("for", "to")
    return found if found and is_had and is_for and told.words.at(found[1] + 1) not in _PEOPLE else None
