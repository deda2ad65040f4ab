"""Episodes as a list shows them: a page at a time, the latest first."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from hermes_agent.records.memory import Episode
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import episodes


def page(
    connection: Connection,
    limit: int,
    offset: int = 0,
    *,
    since: int | None = None,
    until: int | None = None,
    session_id: str | None = None,
    hidden_sources: Sequence[str] = (),
) -> list[Episode]:
    """Return episodes from one moment until before another, of all sessions or of one."""
    query = select(episodes).order_by(episodes.c.said_at.desc(), episodes.c.id.desc())
    if since is not None:
        query = query.where(episodes.c.said_at >= since)
    if until is not None:
        query = query.where(episodes.c.said_at < until)
    if session_id is not None:
        query = query.where(episodes.c.session_id == session_id)
    if hidden_sources:
        query = query.where(episodes.c.source.not_in(hidden_sources))
    rows = connection.execute(query.limit(limit).offset(offset)).mappings()
    return [to_record(Episode, row) for row in rows]
