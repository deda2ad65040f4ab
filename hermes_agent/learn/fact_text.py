"""Write a statement as the sentence of a fact, about a third person: "User lives in Lyon"."""

from hermes_agent.learn import attributes
from hermes_agent.learn.deeds import predicate
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.statements import Statement, Who
from hermes_agent.text.words import capital, words

_AT_PLACE = Pattern(
    r"(?-i:above|against|along|around|at|behind|below|beneath|beside|between|by|in|inside|near|next to|off|on"
    r"|opposite|outside|over|under|underneath|up)(?=\s)"
)
_OF = Pattern(r"\s(?:of|for|at|in|on|to|with)\s")
_CLOCK = Pattern(r"\d{1,2}[:.]\d\d\b")
_AT_HOME = word_set(
    """adoption baby cat child children dog flat garden holiday honeymoon house kid kids kitchen kitten marriage
    mortgage nursery puppy wedding"""
)
"""What "we" decide about at home, not at work."""
_NAMED_VERSION = Pattern(r"(?!v\d|version\b|release\b)[a-z][^\d]*\s\S*\d")
"""Postgres 15, not 3.2: it is no version of what uses it."""
_ONE = word_set("alias atlas bias canvas christmas gas pancreas")
_IN_OWN_WORDS = (attributes.INSTRUCTION, attributes.MEANING, attributes.NOTE, attributes.ENDED)


def fact_text(statement: Statement) -> str:
    """Return the sentence; without a full stop, as people keep lists."""
    who, value = spoken_of(statement.who), statement.value
    is_not = statement.polarity == "is not"
    if statement.attribute in _IN_OWN_WORDS:
        return f"{who}: {value}" if statement.who.kind in ("person", "thing") else capital(value)
    if statement.attribute == attributes.DECISION:
        is_family = statement.who.kind == "we" and not _AT_HOME.isdisjoint(words(value))
        decider = "User's family" if is_family else who
        return f"{decider} {attributes.settled(value)}"
    if statement.attribute == attributes.NAME and statement.who.kind == "thing":
        return f"{who} is called {value}"
    if statement.attribute == attributes.NAME and statement.who.kind == "person":
        return f"User's {statement.who.relation or statement.who.name} is called {value}"
    if deed := predicate(statement.attribute, value, is_not=is_not):
        if deed.startswith("is ") and statement.who.kind == "thing" and _is_many(statement.who.name):
            deed = f"are {deed.removeprefix('is ')}"
        return f"{who} {deed} (formerly)" if statement.polarity == "was" else f"{who} {deed}"
    if statement.attribute == "version" and statement.who.kind == "thing" and _NAMED_VERSION.match(value):
        used = f"{who} {_used(value, is_many=_is_many(statement.who.name), is_not=is_not)}"
        return f"{used} (formerly)" if statement.polarity == "was" else used
    if (learned := attributes.LEARNED.get(statement.attribute)) is not None:
        sentence = learned[is_not].format(who=who, whose=_possessive(who), v=value)
        if statement.attribute == "location" and _AT_PLACE.match(value):
            sentence = f"{who} is {'not ' if is_not else ''}{value}"
        return f"{sentence} (formerly)" if statement.polarity == "was" else sentence
    known = attributes.TABLE.get(statement.attribute)
    if known is None:
        whose = "The" if statement.who.kind == "we" else _possessive(who)
        at = "at " if _CLOCK.match(value) else ""
        verb = "are" if _is_many(statement.attribute) else "is"
        return f"{whose} {statement.attribute} {verb} {'not ' if is_not else ''}{at}{value}"
    value = attributes.shown(statement.attribute, value)
    sentence = (known.they_not if is_not else known.they).format(who=who, v=value)
    if statement.attribute == "age" and value.isdigit():
        sentence += " years old"
    return f"{sentence} (formerly)" if statement.polarity == "was" else sentence


def spoken_of(who: Who) -> str:
    """Name somebody in the third person."""
    if who.kind == "person":
        return f"User's {who.relation} {who.name}".strip() if who.relation else who.name
    if who.kind == "thing":
        return who.name if who.name[:1].isupper() else f"The {who.name}"
    return "User's team" if who.kind == "we" else "User"


def _used(value: str, *, is_many: bool, is_not: bool) -> str:
    """Say what a thing uses."""
    if is_not:
        return f"{'do' if is_many else 'does'} not use {value}"
    return f"{'use' if is_many else 'uses'} {value}"


def _is_many(noun: str) -> bool:
    """Tell whether a noun names several things: rehearsals, office hours of the clinic; no bus, and no name."""
    head = _OF.split(noun)[0].split()[-1]
    is_one = head in _ONE or head.endswith(("ss", "us", "is", "ics", "news", "'s"))
    return head.islower() and head.endswith("s") and not is_one


def _possessive(who: str) -> str:
    return f"{who}'" if who.endswith("s") else f"{who}'s"
