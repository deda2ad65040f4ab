"""How far learning has come: which sessions wait, and up to which message each was learned from."""

from collections.abc import Sequence
from typing import Literal, get_args

from sqlalchemy import Connection, Select, and_, exists, func, or_, select, update

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
    query = _waiting(idle_since, hidden_sources, progress)
    ordered = query.order_by(sessions.c.started_at, sessions.c.id).limit(limit)
    return list(connection.execute(ordered).scalars())


def count_waiting(
    connection: Connection,
    idle_since: int,
    hidden_sources: Sequence[str],
    most: int,
    progress: Progress = "learned_to",
) -> int:
    """Count those sessions up to a number: in no order, so that not all of them are looked at for it."""
    some = _waiting(idle_since, hidden_sources, progress).limit(most).subquery()
    return int(connection.execute(select(func.count()).select_from(some)).scalar_one())


def _waiting(idle_since: int, hidden_sources: Sequence[str], progress: Progress) -> Select[str]:
    columns = sessions.c
    is_over = or_(columns.ended_at.is_not(None), columns.last_active_at <= idle_since)
    is_new = and_(messages.c.id > columns[progress], messages.c.state != "rewound")
    has_more = exists().where(messages.c.session_id == columns.id, is_new)
    return select(columns.id).where(is_over, columns.source.not_in(hidden_sources), has_more)


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
