"""Which messages were brought in from elsewhere rather than said here: up to which one of their session."""

from collections.abc import Sequence

from sqlalchemy import Connection, func, select

from hermes_agent.store import meta
from hermes_agent.store.tables import messages

_TO = "sessions.imported_to."
"""Under it, with the id of a session: its last message that was imported."""


def mark(connection: Connection, session_id: str) -> None:
    """Keep that all messages a session has now were imported."""
    last = connection.execute(select(func.max(messages.c.id)).where(messages.c.session_id == session_id)).scalar()
    meta.put(connection, f"{_TO}{session_id}", str(last or 0))


def last_ids(connection: Connection, session_ids: Sequence[str]) -> dict[str, int]:
    """Return the last imported message of sessions, where anything was."""
    kept = meta.get_many(connection, [f"{_TO}{session_id}" for session_id in session_ids])
    return {key.removeprefix(_TO): int(value) for key, value in kept.items()}


def forget(connection: Connection, session_ids: Sequence[str]) -> None:
    """Keep nothing of sessions that are deleted."""
    meta.remove(connection, [f"{_TO}{session_id}" for session_id in session_ids])
