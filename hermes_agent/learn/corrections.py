"""What the owner means by writing, editing or deleting a line of USER.md. Pure: a line, its facts, the edit.

A deleted line takes back what stood behind it. An edited one says what is so instead: the facts whose words are
still in it stay, the others become what the owner wrote. One that is new says what is so, if it names a slot.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from hermes_agent.learn import attributes
from hermes_agent.learn.entries import PARTS, part_of, read_entry
from hermes_agent.learn.fact_text import fact_text
from hermes_agent.learn.matching import all_stems, holds_value, listed, same_person, same_value, topic_words
from hermes_agent.learn.traits import Told, line, traits
from hermes_agent.notes import patch
from hermes_agent.records.memory import Fact
from hermes_agent.records.statements import Statement

_ALIKE = 50
_VALUE = "\0"
_NO_SLOTS = (
    *(attributes.NOTE, attributes.INSTRUCTION, attributes.MEANING, attributes.DECISION, attributes.ENDED),
    *("is", attributes.HAS),
)


@dataclass(frozen=True, slots=True)
class Retract:
    """A fact is not so."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Restate:
    """A fact is so in other words."""

    fact: Fact
    sentence: str


@dataclass(frozen=True, slots=True)
class Say:
    """Something is so that was not known."""

    sentence: str


Correction = Retract | Restate | Say


def successors(before: Sequence[str], after: Sequence[str], gone: Collection[str]) -> dict[str, str | None]:
    """Say of each entry that is gone which one the owner made of it; None if it was deleted."""
    # Imported here: only an edited file needs it.
    from rapidfuzz import fuzz

    fresh = set(after) - set(before)
    found: dict[str, str | None] = dict.fromkeys(gone)
    for hunk in patch.hunks(before, after):
        old = [entry for entry in hunk.old if entry in found]
        new = [entry for entry in hunk.new if entry in fresh]
        if len(hunk.old) == len(hunk.new) == len(old) == len(new) == 1 and _speaks_of_same(old[0], new[0]):
            found[old[0]] = new[0]
            continue
        pairs = sorted(((fuzz.ratio(a, b), a, b) for a in old for b in new), key=lambda pair: (-pair[0], pair[1:]))
        for likeness, a, b in pairs:
            if likeness >= _ALIKE and _speaks_of_same(a, b) and found[a] is None and b not in found.values():
                found[a] = b
    return found


def is_joined(entry: str, line: str, before: Iterable[str], after: Collection[str]) -> bool:
    """Tell whether an entry that came holds another line too that went: lines were put together, not edited."""
    stems = all_stems(entry)
    gone = [one for one in before if one not in after and one != line]
    return any(all_stems(one) <= stems for one in gone if all_stems(one))


def slots_in(entry: str) -> list[Statement]:
    """Return what a line by the owner's hand says of something that has a value; a few words alone are no name."""
    if "\n" in entry:
        return []
    return [
        one
        for one in read_entry(entry, "user")
        if attributes.is_personal(one.attribute)
        and one.attribute not in _NO_SLOTS
        and one.polarity in ("is", "is not")
        and (one.attribute != attributes.NAME or ":" in entry)
    ]


def written(known: Sequence[Told], entry: str, at: int) -> Iterator[Correction]:
    """Tell what a new line says at a moment: what has one value is so instead of what was said before."""
    for new in [part for one in slots_in(entry) for part in _parts(one, known)]:
        if (
            new.attribute == attributes.NAME
            and new.who.name
            and any(one.statement.who == new.who for one in known)
        ):
            continue  # a person who is known goes by the name already
        same = [one for one in known if _is_of_slot(one.statement, new)]
        if any(
            one.statement.polarity == new.polarity and holds_value(one.statement.value, new.value) for one in same
        ):
            continue
        rivals = [one for one in same if new.is_single or holds_value(one.statement.value, new.value)]
        if any(one.fact.said_at > at for one in rivals):
            continue
        sentence = fact_text(new)
        yield from (Retract(one.fact) for one in rivals[1:])
        yield Restate(rivals[0].fact, sentence) if rivals else Say(sentence)


def _speaks_of_same(old: str, new: str) -> bool:
    """Tell whether an entry in the place of another is about the same thing, and not merely beside it."""
    slots = [(one.who, one.attribute) for one in read_entry(old, "user") if one.attribute != attributes.NOTE]
    others = [(one.who, one.attribute) for one in read_entry(new, "user") if one.attribute != attributes.NOTE]
    return any(slot in others for slot in slots) if slots and others else bool(topic_words(old) & topic_words(new))


def is_said_by(entry: str, one: Told) -> bool:
    """Tell whether an entry of USER.md says what a fact does."""
    if line(one.statement) == entry or traits([one])[0].text == entry:
        return True
    said = [each for each in read_entry(entry, "user") if each.attribute == one.statement.attribute]
    return any(
        same_person(each.who, one.statement.who)
        and each.polarity == one.statement.polarity
        and holds_value(each.value, one.statement.value)
        for each in said
    )


def deleted(told: Sequence[Told], entries: Iterable[str]) -> Iterator[Correction]:
    """Take back what stood behind a deleted line, unless another entry of the owner still says it."""
    stems = [all_stems(entry) for entry in entries]
    for one in told:
        said = all_stems(line(one.statement))
        if not any(said <= entry for entry in stems):
            yield Retract(one.fact)


def edited(told: Sequence[Told], now: str) -> Iterator[Correction]:
    """Tell what an edited line says of the facts behind it; without facts it is the owner's own sentence."""
    if not told:
        yield Say(now)
        return
    first = told[0].statement
    value = _value_of(first, now) if first.who.kind == "user" else None
    if value is not None:
        yield from _with_values(told, [value] if len(told) == 1 else listed(value))
        return
    read = read_entry(now, "user") if first.who.kind == "person" else ()
    if any(one.who.kind == "person" for one in read):
        yield from _of_person(told, read, now)
        return
    stems = all_stems(now)
    gone = [one for one in told if not all_stems(one.statement.value) <= stems]
    changed = told if len(told) == 1 else gone
    is_shorter = len(told) > 1 and stems <= {stem for one in told for stem in all_stems(_whole(one))}
    for place, one in enumerate(changed):
        yield Restate(one.fact, now) if place == 0 and not is_shorter else Retract(one.fact)
    if not changed and not is_shorter:
        yield Say(now)


def _with_values(told: Sequence[Told], values: Sequence[str]) -> Iterator[Correction]:
    """Pair the facts whose values went with the values that came."""
    gone = [one for one in told if not any(same_value(one.statement.value, value) for value in values)]
    new = [value for value in values if not any(same_value(one.statement.value, value) for one in told)]
    for one, value in zip_longest(gone, new):
        if value is None:
            yield Retract(one.fact)
            continue
        sentence = fact_text(replace(told[0].statement, value=value))
        yield Say(sentence) if one is None else Restate(one.fact, sentence)


def _of_person(told: Sequence[Told], read: Iterable[Statement], now: str) -> Iterator[Correction]:
    """Compare what is known of a person with what a line says: `Sister: Mia; lives in Oslo`."""
    said = {one.attribute: one for one in read if one.attribute != attributes.NAME}
    for one in told:
        if part_of(one.statement) in now.split(PARTS):
            said = {name: new for name, new in said.items() if part_of(new) != part_of(one.statement)}
            continue
        new = said.pop(one.statement.attribute, None)
        if new is not None and not same_value(new.value, one.statement.value):
            yield Restate(one.fact, fact_text(replace(one.statement, value=new.value, polarity=new.polarity)))
        elif new is None and one.statement.attribute != attributes.NAME:
            yield Retract(one.fact)
    yield from (Say(fact_text(replace(one, who=told[0].statement.who))) for one in said.values())


def _parts(new: Statement, known: Sequence[Told]) -> list[Statement]:
    """Take an enumeration apart if some of it is known by itself: `Uses Git and Nix`."""
    values = [new.value] if new.is_single else listed(new.value)
    same = [one.statement.value for one in known if _is_of_slot(one.statement, new)]
    is_known = any(same_value(value, other) for value in values for other in same)
    return [replace(new, value=value) for value in values] if is_known else [new]


def _is_of_slot(known: Statement, new: Statement) -> bool:
    return known.attribute == new.attribute and same_person(known.who, new.who)


def _value_of(statement: Statement, now: str) -> str | None:
    """Read the value out of a line that is worded as the line of a slot is."""
    if statement.attribute in (attributes.NOTE, attributes.INSTRUCTION, attributes.MEANING):
        return None
    before, _, after = line(replace(statement, value=_VALUE)).partition(_VALUE)
    said = now.rstrip(" .")
    value = said[len(before) : len(said) - len(after)].strip()
    return value if value and said.casefold() == f"{before}{value}{after}".casefold() else None


def _whole(one: Told) -> str:
    return f"{one.fact.text} {line(one.statement)}"
