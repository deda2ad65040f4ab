"""What a change did to records, told in one way for every kind of change: so it can be shown, compared and undone.

A change names each record it touched (`fact:042`, `dispute:7`) with the fields it changed, as they were and as
they are since. A record that came is only in `after`, one that went only in `before`, either with all its fields.
The journal's entry keeps both under `records`; what else stands beside them is for readers.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hermes_agent.records.archive import Json
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.records.memory import Dispute, Episode, Fact, Joined, fact_name
from hermes_agent.records.reflections import Reflection
from hermes_agent.records.skills import KeptSkill
from hermes_agent.records.summaries import Summary, summary_name

Values = Mapping[str, Json]
Records = Mapping[str, Values]
"""Records by their names."""
Trace = tuple[str, Json]
"""A field of a record, or a record that something refers to or that came or went."""
Record = Fact | Dispute | Reflection | KeptSkill | Summary | Episode | Joined

_RIVALS = ("fact_id", "rival_id")
UNDONE = ("note.undone", "fact.undone", "memory.undone")
"""The kinds of entries that tell an undo."""
_EPISODE, _SUMMARY = "episode:", "summary:"
_COMPRESSED = (_EPISODE, _SUMMARY)
SEVERAL = "memory"
"""The subject of an undo that took several changes back."""
_REFERS, _MOVED = "refers to", "moved"
_FACT, _A_DISPUTE = "fact:", '"dispute:'
_UNDONE, _AGAIN = "Undone: ", "Made again: "


@dataclass(frozen=True, slots=True)
class Change:
    """What was changed: the records before and after, whole where they came or went."""

    before: Records
    after: Records

    @property
    def names(self) -> set[str]:
        return self.before.keys() | self.after.keys()


@dataclass(frozen=True, slots=True)
class Undone:
    """Changes that were taken back, the newest first; undoing `entry_uid` makes them again."""

    entries: Sequence[Entry]
    entry_uid: str
    turn: Entry | None = None
    """The turn they are of."""
    also: Sequence[Entry] = ()
    """What else that turn changed, and still is so."""
    skipped: Sequence[Entry] = ()
    """Of which nothing could be taken back: what they changed is gone for good."""

    @property
    def message(self) -> str:
        """Name each change that is not there any more, without those that were undone before."""
        return "\n".join(taken_back(entry) for entry in lasting(self.entries))


def record_name(record: Record) -> str:
    """Return the name a record goes by in changes."""
    return f"dispute:{record.id}" if isinstance(record, Dispute) else record.name


def whole(records: Sequence[Record]) -> Records:
    """Return records with all their fields, by their names."""
    # Their fields are plain values: copying each deeply, as `asdict` does, takes ten times as long.
    return {
        record_name(record): {name: getattr(record, name) for name in record.__dataclass_fields__}
        for record in records
    }


def between(before: Records, after: Records) -> Change:
    """Compare whole records: only what differs is told."""
    names = [name for name in (*before, *(after.keys() - before.keys())) if before.get(name) != after.get(name)]
    return Change(
        {name: _differing(before[name], after.get(name)) for name in names if name in before},
        {name: _differing(after[name], before.get(name)) for name in names if name in after},
    )


def misfit(change: Change, records: Records) -> str | None:
    """Name a record that is not as the change left it; None if all are."""
    for name in sorted(change.names):
        left, now = change.after.get(name), records.get(name)
        if left is None or now is None:
            is_as_left = left is None and now is None
        else:
            is_as_left = all(now.get(field) == value for field, value in left.items())
        if not is_as_left:
            return name
    return None


def forgotten(change: Change, records: Records) -> set[str]:
    """Name what of a compression needs not be taken back, or cannot be.

    Its conversation was deleted, or the summary that should stand for it again; the exchange went on since and is
    told by its messages again; or the messages behind its summary were discarded.
    """
    gone = {name for name in change.names if name.startswith(_COMPRESSED) and name not in records}
    gone |= set(discarded_in(change, records))
    for name in [one for one in change.names - gone if one.startswith(_EPISODE)]:
        former, left = change.before.get(name, {}), change.after.get(name, {})
        summary = former.get("summary_id") or left.get("summary_id")
        is_back = left.get("state") == "compressed" and records[name]["state"] == "raw"
        if is_back or (isinstance(summary, int) and summary_name(summary) in gone):
            gone.add(name)
    return gone


def discarded_in(change: Change, records: Records) -> list[str]:
    """Name the summaries whose episodes a change touched and whose messages were discarded."""
    if not any(name.startswith(_EPISODE) for name in change.names):
        return []  # how a summary is worded can be taken back all the same
    return [
        name
        for name in sorted(change.names)
        if name.startswith(_SUMMARY) and records.get(name, {}).get("is_discarded")
    ]


def without(change: Change, names: Collection[str]) -> Change:
    """Return a change without what it did to some records."""
    if not names:
        return change
    return Change(
        {name: values for name, values in change.before.items() if name not in names},
        {name: values for name, values in change.after.items() if name not in names},
    )


def take_back(change: Change, records: dict[str, Values]) -> None:
    """Bring whole records to how they were before a change.

    In place: of thousands of changes each would copy thousands of records.
    """
    for name in change.names:
        former = change.before.get(name)
        if former is None:
            records.pop(name, None)
        else:
            records[name] = {**records.get(name, {}), **former}


def left_by(change: Change) -> set[Trace]:
    """Return what a change leaves: the fields it wrote, what it refers to, and what came or went by it."""
    refers, moved = _refers(change), _moved(change)
    return _fields(change) | {(_REFERS, one) for one in refers} | {(_MOVED, one) for one in moved}


def met_by(change: Change) -> set[Trace]:
    """Return what a later change must not have left if this one is to go alone.

    Both changed one field, or one of them refers to a record that came or went by the other.
    """
    refers, moved = _refers(change), _moved(change)
    return _fields(change) | {(_REFERS, one) for one in moved} | {(_MOVED, one) for one in refers}


def meeting(change: Change) -> set[str]:
    """Return what is written in every change that `left` something this one must not have `met`, as JSON has it.

    A dispute names its facts by numbers: where those came or went, any dispute may be meant.
    """
    moved = _moved(change)
    names = {json.dumps(one) for one in (*change.names, *moved, *_refers(change)) if isinstance(one, str)}
    return names | {_A_DISPUTE} if any(str(one).startswith(_FACT) for one in moved) else names


def described(entry: NewEntry, change: Change) -> NewEntry:
    """Return an entry that tells what its change did to records."""
    return replace(entry, before=_beside(entry.before, change.before), after=_beside(entry.after, change.after))


def change_of(entry: Entry) -> Change | None:
    """Return what an entry tells of records; None if it is not about any."""
    return change_in(entry.before, entry.after)


def change_in(before: Json, after: Json) -> Change | None:
    """Return what the two sides of an entry tell of records; None if that is nothing."""
    records, others = _records_in(before), _records_in(after)
    return Change(records, others) if records or others else None


def undone_by(entry: Entry) -> list[str]:
    """Return the uids of the entries that an entry took back."""
    listed = told_in(entry, "undoes")
    if isinstance(listed, list):
        return [uid for uid in listed if isinstance(uid, str)]
    return [entry.cause] if entry.kind == "note.undone" and entry.cause else []


def standing(newest_first: Iterable[Entry]) -> Iterator[tuple[Entry, bool]]:
    """Yield entries, each with whether it stands: no undo took it back that stands itself."""
    undone: set[str] = set()
    abandoned: set[str | None] = set()
    for entry in newest_first:
        # What never reached a note's file was no change, unless it changed other records too.
        stands = entry.uid not in undone and (entry.uid not in abandoned or change_of(entry) is not None)
        if stands:
            undone.update(undone_by(entry))
        if entry.kind == "note.abandoned":
            abandoned.add(entry.cause)
        yield entry, stands


def lasting(newest_first: Sequence[Entry]) -> list[Entry]:
    """Return the changes that made a difference: without those undone among them, and those undos."""
    uids = {entry.uid for entry in newest_first}
    return [one for one, stands in standing(newest_first) if stands and not _is_within(undone_by(one), uids)]


def taken_back(entry: Entry) -> str:
    """Say that a change was undone; an undo that is undone makes its changes again."""
    if entry.text.startswith(_UNDONE):
        return f"{_AGAIN}{entry.text.removeprefix(_UNDONE)}"
    return f"{_UNDONE}{entry.text.removeprefix(_AGAIN)}"


def main_of(entry: Entry) -> str | None:
    """Return the uid of the entry that tells a change whole, where this one tells a part of it."""
    main = told_in(entry, "part_of")
    return main if isinstance(main, str) else None


def message_of(entry: Entry) -> str | None:
    """Return the uid of the message that an entry follows from."""
    message = told_in(entry, "message")
    return message if isinstance(message, str) else None


def _is_within(uids: Sequence[str], others: Collection[str]) -> bool:
    return bool(uids) and all(uid in others for uid in uids)


def _differing(values: Values, other: Values | None) -> dict[str, Json]:
    return {field: value for field, value in values.items() if other is None or other.get(field) != value}


def _sides(change: Change) -> Iterator[tuple[str, Values]]:
    yield from change.before.items()
    yield from change.after.items()


def _fields(change: Change) -> set[Trace]:
    return {(name, field) for name, values in _sides(change) for field in values}


def _moved(change: Change) -> set[Json]:
    """Return what others may call the records that came or went."""
    moved = change.before.keys() ^ change.after.keys()
    return moved | {values.get("uid") for name, values in _sides(change) if name in moved} - {None}


def _refers(change: Change) -> set[Json]:
    found: set[Json] = {values.get("superseded_by") for _, values in _sides(change)} - {None}
    numbers = [values[field] for _, values in _sides(change) for field in _RIVALS if field in values]
    return found | {fact_name(number) for number in numbers if isinstance(number, int)}


def _beside(side: Json, records: Records) -> Json:
    told = dict(side) if isinstance(side, dict) else {}
    return {**told, "records": records} if records else told or None


def _records_in(side: Json) -> Records:
    records = side.get("records") if isinstance(side, dict) else None
    return records if isinstance(records, dict) else {}


def told_in(entry: Entry, name: str) -> Json:
    """Return what an entry tells beside the records under a name."""
    return entry.after.get(name) if isinstance(entry.after, dict) else None
