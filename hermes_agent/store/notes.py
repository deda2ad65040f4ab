"""Versions of the notes: each is the whole text after one change, with the journal's entry that made it.

A version is *intended* when it is written, before the file is; *confirmed* once the file holds it; and
*abandoned* when the owner's own edit came in between. The latest that is not abandoned is the current one.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, RowMapping, Select, func, insert, select, update

from hermes_agent.ids import new_uid
from hermes_agent.records.notes import Grounds, Note, NoteVersion, VersionState
from hermes_agent.store import meta, present
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import journal, note_versions

_LOCK = "notes"
_BLOCK = 200

_versions = note_versions.c


@dataclass(frozen=True, slots=True)
class Head:
    """The current version of a note, without its text."""

    id: int
    uid: str
    state: VersionState
    hash: str


def lock(connection: Connection) -> None:
    """Keep others from adding versions until the transaction ends; on SQLite it does so already."""
    meta.lock(connection, _LOCK)


def heads(connection: Connection) -> dict[Note, Head]:
    """Return the current version of every note that has one."""
    latest = select(func.max(_versions.id)).where(_versions.state != "abandoned").group_by(_versions.note)
    query = select(_versions.note, _versions.id, _versions.uid, _versions.state, _versions.hash)
    rows = connection.execute(query.where(_versions.id.in_(latest)))
    return {row.note: Head(row.id, row.uid, row.state, row.hash) for row in rows}


def current(connection: Connection, note: Note) -> NoteVersion | None:
    """Return the current version of a note."""
    query = _whole().where(_versions.note == note, _versions.state != "abandoned")
    return _one(connection, query.order_by(_versions.id.desc()).limit(1))


def get(connection: Connection, uid: str) -> NoteVersion | None:
    """Return a version by its uid."""
    return _one(connection, _whole().where(_versions.uid == uid))


def made_by(connection: Connection, entry_uids: Sequence[str]) -> list[NoteVersion]:
    """Return the versions that entries of the journal made, in the order they came."""
    query = _whole().where(is_in(_versions.entry), _versions.state != "abandoned").order_by(_versions.id)
    return [_record(row) for row in connection.execute(query, {"ids": entry_uids}).mappings()]


def as_of(connection: Connection, note: Note, number: int) -> NoteVersion | None:
    """Return the version of a note that was the current one when an entry of the journal was the last."""
    query = _whole().where(_versions.note == note, _versions.state != "abandoned", journal.c.id <= number)
    return _one(connection, query.order_by(_versions.id.desc()).limit(1))


def previous(connection: Connection, version: NoteVersion) -> NoteVersion | None:
    """Return the version before this one; abandoned ones never were."""
    query = _whole().where(_versions.note == version.note, _versions.state != "abandoned")
    return _one(connection, query.where(_versions.id < version.id).order_by(_versions.id.desc()).limit(1))


def add(
    connection: Connection,
    note: Note,
    text: str,
    digest: str,
    state: VersionState,
    entry_uid: str | None,
    grounds: Mapping[str, Grounds] | None = None,
) -> str:
    """Add a version and return its uid."""
    at = present.now(connection)
    uid = new_uid(at)
    values = {"uid": uid, "note": note, "at": at, "state": state, "hash": digest, "text": text}
    standing = {entry: asdict(one) for entry, one in (grounds or {}).items()} or None
    connection.execute(insert(note_versions).values(**values, entry=entry_uid, grounds=standing))
    return uid


def set_state(connection: Connection, uid: str, state: VersionState) -> None:
    """Confirm or abandon a version."""
    connection.execute(update(note_versions).where(_versions.uid == uid).values(state=state))


def lines_heard_in(connection: Connection, messages: Collection[str]) -> set[str]:
    """Return the entries that the agent wrote of messages, by their uids; not those that are made of facts."""
    every = connection.execute(select(_versions.grounds).where(_versions.grounds.is_not(None))).scalars()
    return {
        entry
        for grounds in every
        for entry, one in (grounds or {}).items()
        if one["evidence"] in messages and not one.get("facts")
    }


def grounds_of(connection: Connection, lines: Collection[str]) -> tuple[set[str], set[str]]:
    """Return what entries were made of, by uids: the messages, and the facts."""
    every = connection.execute(select(_versions.grounds).where(_versions.grounds.is_not(None))).scalars()
    found = [one for grounds in every for entry, one in (grounds or {}).items() if entry in lines]
    heard = {one["evidence"] for one in found if one["evidence"]}
    return heard, {uid for one in found for uid in one.get("facts") or ()}


def lines_by_hand(connection: Connection) -> list[str]:
    """Return what stands in the notes and nobody but their owner wrote: entries, or lines of free text."""
    of_others: set[str] = set()
    latest: dict[str, str] = {}
    for version in newest(connection):
        latest.setdefault(version.note, version.text)
        grounds = version.grounds.items()
        of_others |= {entry for entry, one in grounds if one.evidence or one.facts or one.basis != "told"}
    parts = [one.strip() for text in latest.values() for one in text.replace("\n§\n", "\n").splitlines()]
    return [one for one in parts if one and one not in of_others]


def newest(connection: Connection, note: Note | None = None) -> Iterator[NoteVersion]:
    """Yield the versions that counted, of one note or of all, the newest first."""
    query = _whole().where(_versions.state != "abandoned").order_by(_versions.id.desc()).limit(_BLOCK)
    if note is not None:
        query = query.where(_versions.note == note)
    last: int | None = None
    while True:
        block = query if last is None else query.where(_versions.id < last)
        found = [_record(row) for row in connection.execute(block).mappings()]
        yield from found
        if len(found) < _BLOCK:
            return
        last = found[-1].id


# Any shape of row: SQLAlchemy types a select by its columns, which mypy cannot see through the join.
def _whole() -> "Select[tuple[object, ...]]":
    return select(
        note_versions,
        journal.c.kind,
        journal.c.text.label("summary"),
        journal.c.actor,
        journal.c.cause,
        journal.c.session_id,
    ).select_from(note_versions.outerjoin(journal, journal.c.uid == _versions.entry))


def _one(connection: Connection, query: "Select[tuple[object, ...]]") -> NoteVersion | None:
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else _record(row)


def _record(row: RowMapping) -> NoteVersion:
    return NoteVersion(
        id=row["id"],
        uid=row["uid"],
        note=row["note"],
        at=row["at"],
        state=row["state"],
        hash=row["hash"],
        text=row["text"],
        entry_uid=row["entry"],
        # A version may outlive the journal's entry about it.
        kind=row["kind"] or "note.changed",
        summary=row["summary"] or "",
        actor=row["actor"] or "",
        cause=row["cause"],
        session_id=row["session_id"],
        grounds={entry: Grounds(**one) for entry, one in (row["grounds"] or {}).items()},
    )
