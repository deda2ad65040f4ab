"""What is left of an entry of USER.md when part of what it says is not so any more. Pure: an entry and facts in.

One entry may say several things: `Prefers short answers and metric units`, `Sister: Mia; lives in Oslo`. Each
of them stands or goes by itself; what no fact speaks of stays. The words that stay are not touched.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from hermes_agent.learn import attributes
from hermes_agent.learn.corrections import is_said_by
from hermes_agent.learn.entries import PARTS, is_ours, person_line, read_entry
from hermes_agent.learn.matching import listed, same_person, same_value
from hermes_agent.learn.traits import Told
from hermes_agent.records.statements import Statement


@dataclass(frozen=True, slots=True)
class Held:
    """What is held to be true, and what was, of the time that an entry is of."""

    known: Sequence[Told]
    over: Sequence[Told]

    def is_over(self, statement: Statement) -> bool:
        """Tell whether a fact that is over says this, and none that stands does."""
        return any(_says(one, statement) for one in self.over) and not any(
            _says(one, statement) for one in self.known
        )


def remaining(entry: str, held: Held) -> str | None:
    """Return what is still so of an entry: all of it, a part, or None if nothing of it is."""
    read = read_entry(entry, "user")
    if any(one.who.kind == "person" for one in read):
        return _of_person(entry, read, held)
    parts = [_of_user(part, held) for part in entry.split(PARTS)]
    left = PARTS.join(part for part in parts if part is not None)
    if left != entry:
        return left or None
    was_said = any(is_said_by(entry, one) for one in held.over)
    return None if was_said and not any(is_said_by(entry, one) for one in held.known) else entry


def lessened(statement: Statement, is_gone: Callable[[Statement], bool]) -> Statement | None:
    """Take the values out of a statement's list that are gone; None if none is left."""
    if is_gone(statement):
        return None
    values = listed(statement.value)
    left = [value for value in values if not is_gone(replace(statement, value=value))]
    if len(left) == len(values):
        return statement
    return replace(statement, value=_enumerated(left, statement.value)) if left else None


def _of_user(part: str, held: Held) -> str | None:
    """Return what is left of one part of an entry: `Likes coffee and jazz`."""
    if "\n" in part:
        return part
    read = read_entry(part, "user")
    for statement in read:
        left = lessened(statement, held.is_over)
        if left is None and len(read) == 1:
            return None
        if left is not None and part.count(statement.value) == 1:
            part = part.replace(statement.value, left.value)
    return part


def _of_person(entry: str, read: Sequence[Statement], held: Held) -> str | None:
    """Return what is left of somebody's entry; who they are stays, unless that was all and is over, too."""
    if not is_ours(entry, "user"):
        return entry
    left = [one for one in read if not held.is_over(one)]
    if len(left) == len(read):
        return entry
    told = [one for one in left if one.attribute != attributes.NAME]
    is_named = any(one.attribute == attributes.NAME for one in left)
    return person_line(read[0].who, told) if told or is_named else None


def _says(told: Told, statement: Statement) -> bool:
    """Tell whether a fact says just this."""
    one = told.statement
    return (
        one.attribute == statement.attribute
        and one.polarity == statement.polarity
        and same_person(one.who, statement.who)
        and same_value(one.value, statement.value)
    )


def _enumerated(values: Sequence[str], before: str) -> str:
    """List what is left as it was listed before: `fish, eggs or nuts`."""
    *rest, last = values
    joined = " or " if " or " in before else " and "
    return f"{', '.join(rest)}{joined}{last}" if rest else last
