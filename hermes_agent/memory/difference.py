"""What differs in memory between two moments: facts that came, ended and changed, and the notes' texts.

Facts as they were are found by going back through the journal from how they are now; notes have their versions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from difflib import unified_diff

from hermes_agent import clock
from hermes_agent.errors import NotFound
from hermes_agent.memory.undoable import find
from hermes_agent.records.archive import Json
from hermes_agent.records.changes import Change, Records, Values, between, change_in, take_back
from hermes_agent.records.journal import Entry
from hermes_agent.records.notes import SUBJECTS, Note, Refused
from hermes_agent.store import facts, journal, touched
from hermes_agent.store import notes as versions
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.store.touched import number_of
from hermes_agent.text.dates import moment_of

_Told = tuple[int, Change]
"""What a change did, with the number of its entry."""


@dataclass(frozen=True, slots=True)
class Point:
    """A moment in the journal: everything up to the entry with this number was written down."""

    number: int
    at: int


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact that is there at both moments: whole as it is at the second, and what of it is different."""

    values: Values
    before: Values
    after: Values

    @property
    def has_ended(self) -> bool:
        return self.before.get("state") == "current"


@dataclass(frozen=True, slots=True)
class Differences:
    """What is different at the second moment. `ended` are facts that are not held any more, or not there."""

    added: Sequence[Values]
    ended: Sequence[Values]
    changed: Sequence[ChangedFact]
    notes: Sequence["NoteDifference"]
    counts: Mapping[str, int]
    """How many facts were added, ended and changed, also those that are not told."""


@dataclass(frozen=True, slots=True)
class NoteDifference:
    """A note with two texts."""

    note: Note
    before: str
    after: str

    def lines(self) -> list[str]:
        """Compare the texts line by line, in the form that `diff -u` has."""
        name = SUBJECTS[self.note]
        sides = self.before.splitlines(), self.after.splitlines()
        return list(unified_diff(*sides, name, name, lineterm=""))


def point(store: Store, typed: str | None, zone: tzinfo | None, *, is_end: bool) -> Point:
    """Read a moment: `entry:12` or a uid is the moment after that change, None is now, all else a date.

    Of a day its beginning counts, with `is_end` its end.
    """
    name = "" if typed is None else typed.strip()
    with store.read() as connection:
        # A bare number is a year.
        found = None if name.isdecimal() else find(connection, name)
        if isinstance(found, Entry):
            return Point(found.id, found.at)
        if isinstance(found, Refused) and name.lower().startswith("entry:"):
            raise NotFound(found.error)
        moment = moment_of(typed, zone, is_end=is_end)
        if moment is None:
            return Point(journal.last_id(connection), clock.now())
        return Point(journal.last_before(connection, moment), moment)


def differences(store: Store, one: Point, other: Point, most: int | None = None) -> Differences:
    """Compare memory at two moments, in whichever order they come; `most` is how many facts of each kind are told.

    Those that came and were left alone since, which are most where many differ, are only read if they are told.
    """
    early, late = sorted((one.number, other.number))
    with store.read() as connection:
        came: set[str] = set()
        if most is not None and one.number == early:
            told, came = _apart(connection, early, late)
        else:
            told = list(_changes(journal.sides_after(connection, early)))
        before, after = _facts_at(connection, told, late)
        if one.number != early:
            before, after = after, before
        notes = [NoteDifference(note, *(_text(connection, note, at) for at in (one, other))) for note in SUBJECTS]
        change = between(before, after)
        added = sorted(change.after.keys() - change.before.keys() | came, key=number_of)
        read = touched.present(connection, came.intersection(added[:most]))
    changed = [
        _changed(name, change, after) for name in sorted(change.before.keys() & change.after.keys(), key=number_of)
    ]
    ended = [one.values for one in changed if one.has_ended]
    gone = [change.before[name] for name in sorted(change.before.keys() - change.after.keys(), key=number_of)]
    left = [one for one in changed if not one.has_ended]
    return Differences(
        added=[read[name] if name in came else change.after[name] for name in added[:most]],
        ended=[*ended, *gone][:most],
        changed=left[:most],
        notes=[note for note in notes if note.before != note.after],
        counts={"added": len(added), "ended": len(ended) + len(gone), "changed": len(left)},
    )


def _apart(connection: Connection, early: int, late: int) -> tuple[list[_Told], set[str]]:
    """Return what was done to facts after an entry, and apart from it the facts that only came.

    Those came up to the later entry, nothing else was done to them, and they are there.
    """
    told = list(_changes(journal.sides_after(connection, early, without_added=True)))
    touched = {name for _, change in told for name in change.names}
    added = {name: at for name, at in journal.added_after(connection, early).items() if at <= late}
    numbers = {name: number_of(name) for name in added.keys() - touched}
    there = facts.existing(connection, list(numbers.values()))
    came = {name for name, number in numbers.items() if number in there}
    others = _changes(journal.sides_of(connection, [at for name, at in added.items() if name not in came]))
    return sorted([*told, *others], key=lambda one: -one[0]), came


def _changes(sides: Iterable[tuple[int, Json, Json]]) -> Iterator[_Told]:
    for number, before, after in sides:
        change = change_in(before, after)
        if change is not None:
            yield number, change


def _facts_at(connection: Connection, told: Sequence[_Told], late: int) -> tuple[Records, Records]:
    """Return the facts that were touched up to an entry as they were before and then."""
    between_them = [change for number, change in told if number <= late]
    names = {name for change in between_them for name in change.names if name.startswith("fact:")}
    records = dict(touched.present(connection, names))
    for number, change in told:
        if number > late:
            take_back(_only(change, names), records)
    at_late = dict(records)
    for change in between_them:
        take_back(_only(change, names), records)
    return records, at_late


def _only(change: Change, names: set[str]) -> Change:
    before, after = (
        {name: values for name, values in side.items() if name in names} for side in (change.before, change.after)
    )
    return Change(before, after)


def _changed(name: str, change: Change, after: Records) -> ChangedFact:
    return ChangedFact(after[name], change.before[name], change.after[name])


def _text(connection: Connection, note: Note, at: Point) -> str:
    version = versions.as_of(connection, note, at.number)
    return "" if version is None else version.text
