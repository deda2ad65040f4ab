"""Where somebody lives, by the street: "my new flat is on Rua das Flores", "I live at 12 Elm Street".

A town is no address, and a house that is "on fire" or "on Airbnb" stands in no street: what follows is a number,
or a name of several words.
"""

from collections.abc import Iterator

from hermes_agent.learn import glue
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value
from hermes_agent.records.statements import USER, Statement, Who

ADDRESS = "address"
_DWELLINGS = word_set("flat apartment house home place condo bungalow cottage studio")
_STREETS = ("on", "at")


def read_address(told: Told) -> Iterator[Statement]:
    """Yield the street somebody lives in."""
    who, words, place = _resident(told), told.words, told.verb.end
    if who is None or told.verb.is_denied or told.verb.tense not in ("present", "future"):
        return
    if place + 1 >= told.clause.end or words.at(place) not in _STREETS or not _is_street(told, place + 1):
        return
    span = one_value(words, place + 1, told.clause.end)
    if span is not None and span[1] - span[0] > 1:
        yield told.made(ADDRESS, span, "is", who=who)


def _resident(told: Told) -> Who | None:
    """Return who lives there: whose flat it is, or who is said to live."""
    noun, who = told.subject.noun, told.subject.who
    if told.verb.verb in ("live", "reside") and noun is None:
        return USER if who.kind == "we" else who if who.kind in ("user", "person") else None
    if told.verb.verb != "be" or noun is None or told.words.words[noun[1] - 1] not in _DWELLINGS:
        return None
    owner = told.words.at(noun[0] - 1) if noun[0] else ""
    is_ours = owner in glue.MINE or "new" in told.words.words[noun[0] : noun[1]]
    return USER if is_ours and who.kind != "person" else who if who.kind == "person" else None


def _is_street(told: Told, place: int) -> bool:
    words = told.words
    return words.words[place][0].isdigit() or (words.is_capital(place) and words.time_letters[place] == ".")
