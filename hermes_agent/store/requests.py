"""What the owner asked for in sessions, found without reading them: three queries for very many sessions."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, exists, func, select

from hermes_agent.store import imported
from hermes_agent.store.tables import messages, quarantine


@dataclass(frozen=True, slots=True)
class Request:
    """What the owner said, without what came of it."""

    id: int
    session_id: str
    text: str
    said_at: int


def of_sessions(connection: Connection, session_ids: Sequence[str]) -> list[Request]:
    """Return what the owner said in sessions, in order: their own words here, and what they accepted."""
    is_accepted = exists().where(quarantine.c.message_id == messages.c.id, quarantine.c.state == "accepted")
    columns = (messages.c.id, messages.c.session_id, messages.c.content, messages.c.said_at)
    query = select(*columns, is_accepted).where(
        messages.c.session_id.in_(session_ids),
        messages.c.role == "user",
        messages.c.speaker.is_(None),
        messages.c.is_summary.is_(False),
        messages.c.state != "rewound",
        (messages.c.source_class == "user") | is_accepted,
    )
    rows = connection.execute(query.order_by(messages.c.id))
    brought = imported.last_ids(connection, session_ids)
    return [
        Request(number, session_id, content or "", said_at)
        for number, session_id, content, said_at, is_taken in rows
        if is_taken or number > brought.get(session_id, 0)
    ]


def last_ids(connection: Connection, session_ids: Sequence[str]) -> dict[str, int]:
    """Return the last message of sessions, where there is one."""
    query = select(messages.c.session_id, func.max(messages.c.id)).where(messages.c.session_id.in_(session_ids))
    return dict(map(tuple, connection.execute(query.group_by(messages.c.session_id))))


def calling(connection: Connection, session_ids: Sequence[str], tool: str) -> set[str]:
    """Return those of the sessions in which a tool answered."""
    query = select(messages.c.session_id).where(
        messages.c.session_id.in_(session_ids), messages.c.role == "tool", messages.c.tool_name == tool
    )
    return set(connection.execute(query.distinct()).scalars())
