"""Read a sentence as what it says of a slot that is known: in the words of facts, or as people say it."""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn import attributes
from hermes_agent.learn.entries import read_entry
from hermes_agent.learn.fact_text import fact_text
from hermes_agent.learn.hearing import hear
from hermes_agent.learn.matching import same_person
from hermes_agent.learn.statements import read_statements
from hermes_agent.records.statements import USER, Polarity, Statement, Who

_OURS = (
    ("User's team ", "We "),
    ("User's family ", "We "),
    ("User's ", "My "),
    ("User is ", "I am "),
    ("User has ", "I have "),
)
"""How facts speak of somebody, and what the grammar of statements reads instead."""
_TAKES_ANYTHING = ("is", "age")
"""Worded "User is …", which is how many other things begin."""
_USER = ("user ", "the user ", "user's ", "the user's ")
_NO_SLOTS = (attributes.NOTE, attributes.UNNAMED, attributes.ENDED, attributes.MEANING)
_DENIED_FIRST: tuple[Polarity, ...] = ("is not", "is")
_VALUE = "\0"


def restated(sentence: str, slot: Statement) -> Statement | None:
    """Return what a sentence says of a slot; None if it speaks of something else.

    Somebody whose name is said anew is called so from then on.
    """
    if slot.attribute == attributes.NOTE:
        return replace(slot, value=sentence)
    said = _read(sentence, slot)
    if said is None or said.attribute != attributes.NAME or said.who.kind != "person" or said.polarity != "is":
        return said
    return replace(said, who=replace(said.who, name=said.value))


def slot_of(sentence: str) -> Statement | None:
    """Return the one thing that a sentence of the owner's says; None if it says several, or none that is known."""
    said = read_entry(sentence, "user") if sentence.lower().startswith(_USER) else read_statements(sentence)
    if len(said) != 1 or said[0].is_weak or said[0].attribute in _NO_SLOTS:
        return None
    return said[0] if said[0].polarity in _DENIED_FIRST and said[0].who.kind != "someone" else None


def _read(sentence: str, slot: Statement) -> Statement | None:
    for one in _readings(sentence):
        is_fact = one.polarity != "no longer" and bool(one.value.strip())
        if is_fact and one.attribute.casefold() == slot.attribute.casefold() and _same(one.who, slot.who):
            return replace(slot, value=one.value, polarity=one.polarity)
    return None if slot.attribute in _TAKES_ANYTHING else _as_worded(sentence, slot)


def _readings(sentence: str) -> Iterator[Statement]:
    said = sentence, _in_first_person(sentence)
    for text in said:
        yield from read_statements(text)
    for text in said:
        yield from hear(text)


def _in_first_person(sentence: str) -> str:
    for ours, theirs in _OURS:
        if sentence.startswith(ours):
            return theirs + sentence.removeprefix(ours)
    return sentence


def _same(said: Who, known: Who) -> bool:
    return same_person(USER if said.kind == "person" and said.name == "User" else said, known)


def _as_worded(sentence: str, slot: Statement) -> Statement | None:
    """Read a sentence that is worded as the fact of the slot is."""
    said = sentence.rstrip(" .!")
    # Denied first: "is not red" begins as "is red" does. Where both are worded alike nothing is denied.
    wordings: dict[str, Polarity] = {}
    for polarity in _DENIED_FIRST:
        wordings[fact_text(replace(slot, value=_VALUE, polarity=polarity))] = polarity
    for wording, polarity in wordings.items():
        before, _, after = wording.partition(_VALUE)
        value = said[len(before) : len(said) - len(after)].strip()
        if before and value and said.casefold() == f"{before}{value}{after}".casefold():
            return replace(slot, value=value, polarity=polarity)
    return None
