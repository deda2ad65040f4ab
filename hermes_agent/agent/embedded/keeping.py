"""Decide what a message changes in the notes: what is added, what replaces what, what is known already.

Pure: statements and entries in, operations for the tool `memory` out. A new value of a single-valued slot replaces
the entry that holds the old one; what one person is said to be or do stands in one entry. An entry by another
hand that says more than one thing is never rewritten.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from hermes_agent.agent.embedded.notes import Notes
from hermes_agent.learn import attributes
from hermes_agent.learn.changing import takes_the_place
from hermes_agent.learn.entries import is_ours, line_of, person_line, read_entry, says_only, target_of
from hermes_agent.learn.matching import (
    all_stems,
    enumerated,
    holds,
    holds_value,
    is_ended_by,
    is_one_study,
    listed,
    same_person,
    same_value,
    topic_words,
)
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.renamed import is_renamed, is_renaming
from hermes_agent.records.archive import Json
from hermes_agent.records.statements import Statement, Who

Kind = Literal["added", "changed", "removed", "known", "absent", "unsure"]
_ANSWER_IN = Pattern(
    r"\b(?:answer|reply|respond|speak|talk|write|antworte|réponds|responde|rispondi|antwoord)\b.*\bin\b"
    r"|\bauf\b|\ben\b"
)
_IN_OWN_WORDS = (attributes.INSTRUCTION, attributes.MEANING, attributes.NOTE, attributes.DECISION)


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of one statement. `former` is the value it replaces, `beside` an entry that says otherwise."""

    kind: Kind
    target: str
    statement: Statement
    former: str = ""
    beside: str = ""


@dataclass(slots=True)
class _Entry:
    """An entry while the plan is made: as the note has it, and as it shall be; None is not there (any more)."""

    original: str | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes of one message, and what `memory` must be asked for them, per note."""

    changes: Sequence[Change]
    operations: Mapping[str, Sequence[Mapping[str, Json]]] = field(default_factory=dict)


def plan(statements: Iterable[Statement], notes: Notes) -> Plan:
    """Plan the changes of all statements of a message, in order."""
    entries = {target: [_Entry(text, text) for text in notes.of(target)] for target in ("user", "memory")}
    changes = []
    for statement in statements:
        if attributes.is_secret(statement.attribute):
            continue  # it stays in the conversation, where it was said
        target = _home_of(statement, entries)
        changes.append(_settle(statement, target, entries[target]))
    operations = {target: made for target, of in entries.items() if (made := _operations(of))}
    return Plan(_merged(changes), operations)


def _merged(changes: Sequence[Change]) -> list[Change]:
    """Say a thing once: a name that only came along with another fact needs no word of its own."""
    return list(dict.fromkeys(changes))


def _home_of(statement: Statement, entries: Mapping[str, list[_Entry]]) -> str:
    """Say which note a statement goes to: where the person's entry is, else where the subject belongs."""
    if statement.who.kind == "person":
        for target, of in entries.items():
            if any(_about(entry, target, _sought(statement, of, target)) for entry in of):
                return target
    return target_of(statement)


def _sought(statement: Statement, entries: Sequence[_Entry], target: str) -> Who:
    """Say whose entry a statement changes: "my boss is called Sharon, not Karen" changes Karen's."""
    if not is_renaming(statement):
        return statement.who
    named = [
        one
        for entry in entries
        for one in read_entry(entry.text or "", target)
        if one.attribute == attributes.NAME and one.who.relation == statement.who.relation
    ]
    meant = [one for one in named if not statement.former or is_renamed(statement, one)]
    return meant[0].who if len(meant) == 1 else statement.who


def _about(entry: _Entry, target: str, who: Who) -> bool:
    said = read_entry(entry.text, target) if entry.text else []
    return any(one.who.kind == "person" and _is_same(who, one.who) for one in said)


def _is_same(who: Who, other: Who) -> bool:
    """ "My sister" is the sister that is noted; a cat called Tom is not the son of that name."""
    if who.relation and other.relation and who.relation.split()[-1] != other.relation.split()[-1]:
        return False
    return same_person(who, other)


def _settle(statement: Statement, target: str, entries: list[_Entry]) -> Change:
    if statement.attribute == attributes.ENDED:
        return _over(statement, target, entries)
    if statement.who.kind == "person":
        return _settle_person(statement, target, entries)
    if statement.attribute == attributes.HAS and statement.polarity == "no longer":
        return _lose(statement, target, entries)
    rivals = [
        (entry, said)
        for entry in entries
        if entry.text
        for said in read_entry(entry.text, target)
        if _same_slot(said, statement)
    ]
    if statement.polarity == "no longer":
        return _end(statement, target, rivals)
    for _, said in rivals:
        if said.polarity == statement.polarity and holds(said, statement):
            return Change("known", target, statement)
    for entry, said in rivals:
        if _must_go(said, statement):
            if statement.is_weak:
                return Change("unsure", target, statement, former=said.value)
            return _replace(statement, target, entries, entry, said)
    entries.append(_Entry(None, line_of(statement)))
    return Change("added", target, statement)


def _same_slot(said: Statement, new: Statement) -> bool:
    if said.who.kind != new.who.kind:
        return False
    if said.attribute in attributes.TABLE or new.attribute in attributes.TABLE:
        return said.attribute == new.attribute
    return said.attribute.casefold() == new.attribute.casefold()


def _must_go(said: Statement, new: Statement) -> bool:
    """Tell whether a noted statement cannot stand beside the new one."""
    if new.attribute == attributes.INSTRUCTION:
        return _ANSWER_IN.search(said.value) is not None and _ANSWER_IN.search(new.value) is not None
    if new.attribute in _IN_OWN_WORDS:
        return False
    if (new.former and holds_value(said.value, new.former)) or takes_the_place(new, said):
        return True
    if said.polarity != new.polarity:
        return same_value(said.value, new.value)
    return new.is_single or is_one_study(new, said)


def _replace(statement: Statement, target: str, entries: list[_Entry], entry: _Entry, said: Statement) -> Change:
    if entry.text is not None and not is_ours(entry.text, target) and not says_only(entry.text, said):
        entries.append(_Entry(None, line_of(statement)))
        return Change("added", target, statement, beside=entry.text)
    left = [part for part in listed(said.value) if not same_value(part, statement.former)]
    if statement.former and not statement.is_single and len(left) < len(listed(said.value)) and left:
        # One of several is replaced, the others stay.
        entry.text = line_of(replace(statement, value=enumerated([*left, statement.value])))
        return Change("changed", target, statement, former=statement.former)
    entry.text = line_of(statement)
    return Change("changed", target, statement, former=said.value)


def lifts(new: Statement, said: Statement) -> bool:
    """Tell whether "you can use bullet points again" is about an instruction."""
    about = topic_words(new.value)
    return new.polarity == "no longer" and bool(about) and about <= all_stems(said.value)


def _end(statement: Statement, target: str, rivals: Sequence[tuple[_Entry, Statement]]) -> Change:
    for entry, said in rivals:
        if said.polarity != "is":
            continue
        if statement.attribute == attributes.INSTRUCTION and lifts(statement, said):
            entry.text = None
            return Change("removed", target, statement, former=said.value)
        if not holds(said, statement):
            continue
        left = [part for part in listed(said.value) if not holds(replace(said, value=part), statement)]
        if same_value(said.value, statement.value) or not left:
            entry.text = None
        else:
            entry.text = line_of(replace(said, value=enumerated(left)))
        return Change("removed", target, statement)
    return Change("absent", target, statement)


def _over(statement: Statement, target: str, entries: list[_Entry]) -> Change:
    """Take out the one entry that has come to an end; one that says more than that is left."""
    meant = [
        entry
        for entry in entries
        if entry.text
        and is_ours(entry.text, target)
        and any(is_ended_by(said, statement) and said.polarity == "is" for said in read_entry(entry.text, target))
    ]
    if len(meant) != 1:
        return Change("absent", target, statement)
    former, meant[0].text = meant[0].text or "", None
    return Change("removed", target, statement, former=former)


def _lose(statement: Statement, target: str, entries: list[_Entry]) -> Change:
    """Take out the one whom somebody no longer has; which of several is not ours to say."""
    relation = statement.value.removeprefix("a ").removeprefix("an ")
    meant = [entry for entry in entries if _about(entry, target, Who("person", relation))]
    if len(meant) != 1:
        return Change("absent", target, statement)
    meant[0].text = None
    return Change("removed", target, statement)


def _settle_person(statement: Statement, target: str, entries: list[_Entry]) -> Change:
    sought = _sought(statement, entries, target)
    for entry in entries:
        if entry.text is None or not _about(entry, target, sought) or _is_other(statement, entry.text, target):
            continue
        said = [one for one in read_entry(entry.text, target) if one.who.kind == "person"]
        same = [one for one in said if one.attribute == statement.attribute]
        if statement.polarity == "no longer":
            kept = [one for one in said if one.attribute != statement.attribute or not holds(one, statement)]
            if len(kept) == len(said):
                return Change("absent", target, statement)
            entry.text = person_line(said[0].who, kept) if kept else None
            return Change("removed", target, statement)
        if any(holds(one, statement) and one.polarity == statement.polarity for one in same):
            return Change("known", target, statement)
        if not is_ours(entry.text, target):
            break
        former = same[0].value if same and statement.is_single else ""
        kept = [one for one in said if one not in same] if former else said
        who = _joined(said[0].who, statement)
        entry.text = person_line(who, [*kept, statement])
        return Change("changed" if former else "added", target, replace(statement, who=who), former=former)
    if statement.polarity == "no longer":
        return Change("absent", target, statement)
    entries.append(_Entry(None, line_of(statement)))
    return Change("added", target, statement)


def _is_other(statement: Statement, entry: str, target: str) -> bool:
    """Tell whether an entry is about another one of the same relation: a second sister, a second cat."""
    named = [one.who.name for one in read_entry(entry, target) if one.who.name]
    name = statement.value if statement.attribute == attributes.NAME else statement.who.name
    if not named or not name or same_value(named[0], name):
        return False
    return not (statement.is_correction and statement.attribute == attributes.NAME)


def _joined(who: Who, statement: Statement) -> Who:
    name = statement.value if statement.attribute == attributes.NAME else who.name or statement.who.name
    return Who("person", who.relation or statement.who.relation, name)


def _operations(entries: Sequence[_Entry]) -> list[Mapping[str, Json]]:
    made: list[Mapping[str, Json]] = []
    for entry in entries:
        if entry.original is None and entry.text is not None:
            made.append({"action": "add", "content": entry.text})
        elif entry.original is not None and entry.text is None:
            made.append({"action": "remove", "old_text": entry.original})
        elif entry.original != entry.text:
            made.append({"action": "replace", "old_text": entry.original, "content": entry.text})
    return made
