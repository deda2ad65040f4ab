"""Between statements and the entries of the notes: the line that is written, and what a line says.

What we write reads back as the same statement, so that a later correction finds it. Entries by other hands
("User prefers tea", "Lives in Graz since 2020") are read as far as they can be.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from hermes_agent.learn import attributes
from hermes_agent.learn.clauses import read_predicate
from hermes_agent.learn.deeds import predicate
from hermes_agent.learn.grammar_english import DOES
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.statements import read_statements
from hermes_agent.learn.subjects import relation_at
from hermes_agent.learn.values import name_in
from hermes_agent.records.statements import USER, WE, Polarity, Statement, Who
from hermes_agent.text.words import capital, fold, uncapital, words

_KEYED = Pattern(r"(?s)(?P<key>[^:\n]{1,60}?)\s*:\s+(?P<value>.+)")
_OF_USER = Pattern(r"(?:the\s+)?user(?:'s|’s)\s+")
_BY_USER = Pattern(r"(?:the\s+)?user\s+")
_FIRST_PERSON = Pattern(r"(?:i|i'm|im|my|me|we|our|to)\b")
_SAID = Pattern(r"(?s)Said: “(?P<value>.*)”")
PARTS = "; "
_FEW_WORDS = 3
_NOUN_IS = Pattern(r"(?s)(?P<noun>(?!is\b)[\w'-]+(?: [\w'-]+){0,3}?) is (?P<value>.+)")
_ROUTINE = "Routine"
_DOING = Pattern(rf"(?:{DOES})\s")
_REMEMBER = "Remember "
_CALLED = Pattern(r"wants\s+to\s+be\s+called\s+(?P<value>.+)")
_BORN = Pattern(r"born\s+in\s+(?P<value>\D+)")


def target_of(statement: Statement) -> str:
    """Say which note a statement belongs to: the subject decides."""
    who = statement.who
    return "user" if who.kind == "user" or who.relation else "memory"


def line_of(statement: Statement) -> str:
    """Write a statement as an entry."""
    who, value = statement.who, statement.value
    if who.kind == "person":
        return person_line(who, [statement])
    if statement.attribute == attributes.NOTE:
        return _remembered(value)
    known = attributes.TABLE.get(statement.attribute)
    if known is None:
        if statement.attribute.startswith("to "):
            return f"{_ROUTINE}: {statement.attribute[3:]} {value}"
        if who.kind == "we" and _DOING.match(value):
            return f"The {statement.attribute} {value}"
        no = "not " if statement.polarity == "is not" else ""
        return f"{capital(statement.attribute)}: {no}{value}"
    if who.kind == "we" and statement.attribute == attributes.USES:
        return f"We do not use {value}" if statement.polarity == "is not" else f"We use {value}"
    if statement.attribute == attributes.DECISION:
        return capital(attributes.settled(value))
    form = known.note_not if statement.polarity == "is not" else known.note
    line = capital(form.format(v=attributes.shown(statement.attribute, value)))
    if statement.attribute == "age":
        return f"Age: {value}"
    return line.replace("Does not like", "Dislikes", 1)


def person_line(who: Who, said: Sequence[Statement]) -> str:
    """Write what is known of a person as one entry: `Sister: Mia; lives in Oslo`."""
    head = (
        f"{capital(who.relation)}: {who.name}"
        if who.relation and who.name
        else f"{capital(who.relation or who.name)}:"
    )
    parts = [part for one in said if one.attribute != attributes.NAME and (part := part_of(one))]
    if who.relation and who.name:
        return PARTS.join([head, *parts])
    return f"{head} {PARTS.join(parts)}".strip()


def part_of(statement: Statement) -> str:
    """Write what is known of a person as a part of their entry: `lives in Oslo`."""
    is_not = statement.polarity == "is not"
    if deed := predicate(statement.attribute, statement.value, is_not=is_not):
        return deed
    learned = attributes.LEARNED.get(statement.attribute, ("", ""))[is_not]
    if learned.startswith("{who}"):
        return learned.format(who="", v=statement.value).strip()
    known = attributes.TABLE.get(statement.attribute)
    if known is None or statement.attribute == "birthday":
        return (
            f"{statement.attribute} {statement.value}"
            if statement.attribute.startswith("to ")
            else (f"{statement.attribute} is {statement.value}")
        )
    form = known.they_not if statement.polarity == "is not" else known.they
    text = form.format(who="", v=attributes.shown(statement.attribute, statement.value)).strip()
    return f"{text} years old" if statement.attribute == "age" and statement.value.isdigit() else text


def _remembered(clause: str) -> str:
    if clause.lower().startswith("to "):
        return _REMEMBER + clause
    return f"Said: “{clause}”" if _FIRST_PERSON.match(clause) else capital(clause)


@lru_cache(maxsize=2_048)
def read_entry(entry: str, target: str) -> tuple[Statement, ...]:
    """Return what an entry says; one we cannot read says its own words."""
    return tuple(_read(entry, target))


def _read(entry: str, target: str) -> list[Statement]:
    owner = USER if target == "user" else WE
    text = entry.strip()
    if said := _SAID.fullmatch(text):
        return [_note(said["value"], owner)]
    if text.startswith(_REMEMBER):
        return [_note(text.removeprefix(_REMEMBER), USER)]
    if of := _OF_USER.match(text):
        return list(read_statements("my " + text[of.end() :]))
    if by := _BY_USER.match(text):
        return read_predicate(text[by.end() :].rstrip("."), USER)
    if (
        "\n" not in text
        and (keyed := _KEYED.fullmatch(text))
        and (found := _keyed(keyed["key"], keyed["value"], owner))
    ):
        return found
    line = text.rstrip(".") or text
    if called := _CALLED.fullmatch(line):
        return [Statement(owner, attributes.CALLED, called["value"], 0, len(text), is_single=True)]
    if born := _BORN.fullmatch(line):
        return [Statement(owner, "birthplace", born["value"], 0, len(text), is_single=True)]
    stated = list(read_statements(text))
    for part in line.split(PARTS) if not stated else ():
        stated += read_predicate(uncapital(part), owner)
    return stated or [_note(line, owner)]


def _note(value: str, who: Who) -> Statement:
    return Statement(who, attributes.NOTE, value, 0, len(value))


def _keyed(key: str, value: str, owner: Who) -> list[Statement]:
    if key == _ROUTINE:
        routine = re.match(r"(?P<verb>.+?)\s+(?P<when>(?:every|each|on|in)\s+.+)", value)
        if routine:
            return [Statement(owner, f"to {routine['verb']}", routine["when"], 0, len(value), is_single=True)]
    found = relation_at(key, 0)
    if found is not None and found[1] == len(key):
        return _of_person(found[0], value)
    if owner == WE and " " not in key and key[:1].isupper():
        said = _parts(Who("person", name=key), value.split(PARTS))
        if said and all(one.attribute != attributes.NAME for one in said):
            return said
    folded = fold(key)
    name = attributes.ALIASES.get(folded) or (folded if folded in attributes.TABLE else uncapital(key))
    polarity: Polarity = "is not" if value.startswith("not ") else "is"
    shown = value.removeprefix("not ").rstrip(".") or value
    return [Statement(owner, name, shown, 0, len(value), polarity, attributes.is_single(name))]


def _of_person(who: Who, value: str) -> list[Statement]:
    first, *rest = value.split(PARTS)
    if not name_in(first, is_sure=False) and (_NOUN_IS.match(first) or read_predicate(first, who)):
        return _parts(who, [first, *rest])
    named = Who("person", who.relation, first.strip())
    name = Statement(named, attributes.NAME, named.name, 0, len(value), is_single=True)
    return [name, *_parts(named, rest)]


def _parts(who: Who, parts: Sequence[str]) -> list[Statement]:
    said: list[Statement] = []
    for part in parts:
        if noun := _NOUN_IS.fullmatch(part):
            said.append(Statement(who, noun["noun"], noun["value"], 0, len(part), is_single=True))
        else:
            said += [replace(one, who=who) for one in read_predicate(part, who)]
    return said


def says_only(entry: str, statement: Statement) -> bool:
    """Tell whether an entry says this statement and next to nothing else, so that it can be replaced whole."""
    beyond = set(words(entry)) - set(words(statement.value))
    return len(beyond) <= _FEW_WORDS and not set(";\n") & set(entry)


def is_ours(entry: str, target: str) -> bool:
    """Tell whether an entry is exactly what we would write for what it says, so that it can be rewritten."""
    said = read_entry(entry, target)
    if not said:
        return False
    if said[0].who.kind == "person":
        return person_line(said[0].who, said) == entry
    return len(said) == 1 and line_of(said[0]) == entry
