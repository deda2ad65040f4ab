"""What a journal tells of records: which came or went, and when each was last changed. Pure.

Two homes that went on apart are joined by it: of what both changed, the later change stands. A change is known by
when it was written down and, of two at the same moment, by its uid: both homes decide alike.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from hermes_agent.records.archive import Json
from hermes_agent.records.changes import change_of, message_of
from hermes_agent.records.journal import Entry
from hermes_agent.store.canonical import Row

Moment = tuple[int, str]
"""When an entry was written down, and its uid."""
Name = tuple[str, int]
"""A record by its kind and its number."""
NEVER: Moment = (0, "")

GROUPS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "fact": {
        "end": ("state", "ended_at", "valid_to", "superseded_by"),
        "pin": ("is_pinned",),
        "sure": ("confidence", "confidence_reason"),
    },
    "reflection": {
        "state": ("state",),
        "words": ("outcome", "worked", "differently", "source_class", "ended_at", "written_by"),
        "count": ("occurrences",),
    },
    "summary": {"state": ("state",), "words": ("topic", "lines", "written_by")},
    "episode": {"told": ("state", "summary_id")},
}
"""The fields of records that change together, by the kind of the record."""
_GROUP_OF = {
    kind: {name: group for group, names in groups.items() for name in names} for kind, groups in GROUPS.items()
}
TWIN: tuple[str, ...] = ("source_message", "span_start", "span_end", "subject", "attribute", "value", "polarity")
"""What two facts have in common that two homes learned of the same words."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A record that came or went, the last time it did."""

    name: Name
    at: Moment
    is_there: bool
    twin: tuple[object, ...] | None
    """What it shares with a fact that another home learned of the same words."""


@dataclass(frozen=True, slots=True)
class Counted:
    """That a fact was said once more, or once less, and in which message."""

    by: int
    message: str | None


@dataclass(slots=True)
class Past:
    """What a journal tells, by the names of its own store."""

    changed: dict[tuple[Name, str], Moment] = field(default_factory=dict)
    """When a group of fields of a record was last changed."""
    touched: dict[Name, Moment] = field(default_factory=dict)
    """When a record last came, went or changed."""
    moved: dict[str, Moved] = field(default_factory=dict)
    """What came or went, by its uid."""
    counted: dict[Name, dict[str, Counted]] = field(default_factory=dict)
    """How often facts were said again, by the entries that tell so."""
    renamed: dict[str, Moment] = field(default_factory=dict)
    """When sessions were last given a title by hand."""
    deleted: dict[tuple[str, int], int] = field(default_factory=dict)
    """When sessions were deleted, by their names and when they began."""
    joined: dict[str, tuple[Moment, bool]] = field(default_factory=dict)
    """When spellings were last joined or taken apart, and whether they are joined since."""

    def gone(self) -> dict[str, Moved]:
        """Return what went and did not come again, by its uid."""
        return {uid: one for uid, one in self.moved.items() if not one.is_there}

    def gone_twins(self) -> dict[tuple[object, ...], Moved]:
        """Return facts that went, the last of those that were learned of the same words, by what these share."""
        last = sorted(self.gone().values(), key=lambda one: one.at)
        return {one.twin: one for one in last if one.twin is not None}


def read(entries: Iterable[Entry]) -> Past:
    """Read a journal, in any order."""
    past = Past()
    for entry in entries:
        at: Moment = (entry.at, entry.uid)
        if entry.kind == "session.renamed":
            past.renamed[entry.subject] = max(at, past.renamed.get(entry.subject, NEVER))
        elif entry.kind == "session.deleted" and isinstance(entry.before, dict):
            began = entry.before.get("started_at")
            if isinstance(began, int):
                past.deleted[entry.subject, began] = max(entry.at, past.deleted.get((entry.subject, began), 0))
        else:
            _read_records(past, entry, at)
    return past


def entry_of(row: Row) -> Entry:
    """Return a row of a journal as an entry."""
    return Entry(**row)  # type: ignore[arg-type]  # the file was checked


def name_of(text: str) -> Name | None:
    """Return the kind and the number in a name such as `fact:042`; None if it is no such name."""
    kind, _, number = text.partition(":")
    return (kind, int(number)) if number.isascii() and number.isdigit() else None


def twin_of(row: Mapping[str, object]) -> tuple[object, ...] | None:
    """Return what a fact shares with one that was learned elsewhere of the same words; None if of no message."""
    return None if row.get("source_message") is None else tuple(row.get(column) for column in TWIN)


def _read_records(past: Past, entry: Entry, at: Moment) -> None:
    change = change_of(entry)
    if change is None:
        return
    for text in change.names:
        before, after = change.before.get(text), change.after.get(text)
        name = name_of(text)
        if name is None:
            if (before is None) != (after is None):
                past.joined[text] = max((at, after is not None), past.joined.get(text, (NEVER, False)))
            continue
        past.touched[name] = max(at, past.touched.get(name, NEVER))
        if before is not None and after is not None:
            for column in before.keys() | after.keys():
                group = _GROUP_OF.get(name[0], {}).get(column)
                if group is not None:
                    past.changed[name, group] = max(at, past.changed.get((name, group), NEVER))
            _count(past, name, entry, before.get("corroborations"), after.get("corroborations"))
            continue
        whole = after or before or {}
        uid = whole.get("uid")
        if isinstance(uid, str) and (uid not in past.moved or past.moved[uid].at < at):
            twin = twin_of(whole) if name[0] == "fact" else None
            past.moved[uid] = Moved(name, at, after is not None, twin)


def _count(past: Past, name: Name, entry: Entry, before: object, after: object) -> None:
    if isinstance(before, int) and isinstance(after, int) and before != after:
        past.counted.setdefault(name, {})[entry.uid] = Counted(after - before, message_of(entry))


def said_again(ours: Mapping[str, Counted], theirs: Mapping[str, Counted]) -> int:
    """Count how often a fact was said again in both homes: what both count of one message counts once."""
    heard = {one.message for one in ours.values() if one.message is not None and one.by > 0}
    also = [one.by for uid, one in theirs.items() if uid not in ours and not (one.by > 0 and one.message in heard)]
    return sum(one.by for one in ours.values()) + sum(also)


def called(entry: Entry, uids: Mapping[str, str]) -> Entry:
    """Return an entry in which things are called by other uids."""
    return replace(entry, before=_deep(entry.before, uids), after=_deep(entry.after, uids))


def _deep(value: Json, uids: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return uids.get(value, value)
    if isinstance(value, list):
        return [_deep(one, uids) for one in value]
    if isinstance(value, dict):
        return {key: _deep(one, uids) for key, one in value.items()}
    return value
