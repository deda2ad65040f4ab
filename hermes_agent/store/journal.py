"""The journal: each change of memory with before and after, written in the change's own transaction."""

from sqlalchemy import ColumnElement, Connection, insert, select

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import journal


def write(connection: Connection, entry: NewEntry) -> str:
    """Add an entry; return its uid."""
    at = clock.now()
    uid = new_uid(at)
    values = {name: getattr(entry, name) for name in NewEntry.__dataclass_fields__}
    connection.execute(insert(journal).values(uid=uid, at=at, **values))
    return uid


def get(connection: Connection, uid: str) -> Entry | None:
    """Return the entry with a uid."""
    row = connection.execute(select(journal).where(journal.c.uid == uid)).mappings().one_or_none()
    return None if row is None else to_record(Entry, row)


def recent(
    connection: Connection,
    limit: int,
    *,
    kind: str | None = None,
    without: str | None = None,
    subject: str | None = None,
    since: int | None = None,
    until: int | None = None,
) -> list[Entry]:
    """Return the newest entries first, of a kind or without one: `session` is also `session.renamed`."""
    query = select(journal).order_by(journal.c.id.desc()).limit(limit)
    if kind is not None:
        query = query.where(_is_kind(kind))
    if without is not None:
        query = query.where(~_is_kind(without))
    if subject is not None:
        query = query.where(journal.c.subject == subject)
    if since is not None:
        query = query.where(journal.c.at >= since)
    if until is not None:
        query = query.where(journal.c.at < until)
    return [to_record(Entry, row) for row in connection.execute(query).mappings()]


def _is_kind(kind: str) -> ColumnElement[bool]:
    return (journal.c.kind == kind) | journal.c.kind.startswith(kind + ".", autoescape=True)
