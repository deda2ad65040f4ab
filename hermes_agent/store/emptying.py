"""Empty the journal, but for what other parts of memory stand on: it must change neither the notes nor recall.

Two kinds of entries stay. Those that made a version of a note say who wrote it, by which the owner's corrections
are told from what the curator wrote: they stay without their words. Marks of what was taken back, an undone fact
or a hand-over that was revoked, stay as they are: without them recall would hold for true what is not.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, delete, false, func, not_, or_, select, update

from hermes_agent.records.handover import REVOKED
from hermes_agent.store import meta, undone_facts
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import journal, note_versions

WORDLESS = "What this told was reset."
_RECEIVED = "fact.received"
"""The kind of entries that tell by which hand-over a fact came."""

_columns = journal.c


@dataclass(frozen=True, slots=True)
class Kept:
    """What an emptied journal still tells: who wrote the notes, and what was taken back."""

    authors: bool
    marks: bool


def count(connection: Connection, kept: Kept) -> int:
    """Count the entries that would go."""
    going = select(func.count()).select_from(journal).where(not_(or_(_writes(kept), _marks(kept))))
    return int(connection.execute(going, _undone(connection, kept)).scalar_one())


def empty(connection: Connection, kept: Kept) -> None:
    """Delete the entries but those that are kept; the latest uid stays known, to tell this from an old copy."""
    latest = connection.execute(select(_columns.uid).order_by(_columns.uid.desc()).limit(1)).scalar()
    if latest is not None:
        meta.put(connection, meta.JOURNAL_EMPTIED, latest)
    undone = _undone(connection, kept)
    connection.execute(delete(journal).where(not_(or_(_writes(kept), _marks(kept)))), undone)
    wordless = update(journal).where(not_(_marks(kept)))
    connection.execute(wordless.values(text=WORDLESS, before=None, after={"forgotten": True}), undone)


def _writes(kept: Kept) -> ColumnElement[bool]:
    """Return the condition that an entry tells who changed a note, or by which hand-over a fact came."""
    made = select(note_versions.c.entry).where(note_versions.c.entry.is_not(None))
    return or_(
        _columns.uid.in_(made) if kept.authors else false(),
        _columns.kind == _RECEIVED if kept.marks else false(),
    )


def _marks(kept: Kept) -> ColumnElement[bool]:
    """Return the condition that an entry says what was taken back."""
    return or_(is_in(_columns.uid), _columns.kind == REVOKED if kept.marks else false())


def _undone(connection: Connection, kept: Kept) -> dict[str, list[str]]:
    return {"ids": undone_facts.entries(connection) if kept.marks else []}
