"""What of a session can be part of its exchanges, in order, also what was taken back."""

from typing import NamedTuple

from sqlalchemy import Connection, not_, select

from hermes_agent.records.archive import ANSWERING
from hermes_agent.store.tables import messages


class Part(NamedTuple):
    """A message by its number: whether it begins an exchange, and whether it was not taken back."""

    number: int
    is_opening: bool
    is_standing: bool


def of_session(connection: Connection, session_id: str) -> list[Part]:
    """Return the messages of a session that are, or would be, parts of its exchanges."""
    can_be = (messages.c.role != "system") & not_(messages.c.is_summary)
    query = select(messages.c.id, messages.c.role, messages.c.state).where(
        messages.c.session_id == session_id, can_be
    )
    rows = connection.execute(query.order_by(messages.c.id))
    return [Part(number, role not in ANSWERING, state != "rewound") for number, role, state in rows]
