"""How far learning has come: which sessions wait, and up to which message each was learned from."""

from collections.abc import Sequence
from typing import Literal, get_args

from sqlalchemy import Connection, and_, exists, or_, select, update

from hermes_agent.store.tables import messages, sessions

Progress = Literal["learned_to", "reflected_to"]
"""What is counted: how far the facts of a session were learned, or its tasks reflected on."""
PROGRESS: tuple[Progress, ...] = get_args(Progress)


def waiting(
    connection: Connection,
    idle_since: int,
    hidden_sources: Sequence[str],
    limit: int,
    progress: Progress = "learned_to",
) -> list[str]:
    """Return sessions that are over, or idle since a moment, and hold messages nothing was learned from yet."""
    columns = sessions.c
    is_over = or_(columns.ended_at.is_not(None), columns.last_active_at <= idle_since)
    is_new = and_(messages.c.id > columns[progress], messages.c.state != "rewound")
    has_more = exists().where(messages.c.session_id == columns.id, is_new)
    query = select(columns.id).where(is_over, columns.source.not_in(hidden_sources), has_more)
    return list(connection.execute(query.order_by(columns.started_at, columns.id).limit(limit)).scalars())


def reached(connection: Connection, session_id: str, progress: Progress = "learned_to") -> int:
    """Return the last message a session was learned from; 0 if none was."""
    query = select(sessions.c[progress]).where(sessions.c.id == session_id)
    return int(connection.execute(query).scalar() or 0)


def set_reached(
    connection: Connection, session_id: str, message_id: int, progress: Progress = "learned_to"
) -> None:
    """Keep up to which message a session was learned from."""
    connection.execute(update(sessions).where(sessions.c.id == session_id).values({progress: message_id}))


def after(connection: Connection, session_id: str, message_id: int) -> list[int]:
    """Return the messages of a session after one, in order."""
    query = select(messages.c.id).where(messages.c.session_id == session_id, messages.c.id > message_id)
    return list(connection.execute(query.order_by(messages.c.id)).scalars())
