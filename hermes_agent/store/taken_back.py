"""What was taken back: answers that stand although their request does not."""

from sqlalchemy import Connection, select

from hermes_agent.store.tables import messages

_ANSWERING = ("assistant", "tool")


def answers(connection: Connection, session_id: str) -> list[int]:
    """Return the answers of a session that stand although their request was taken back, in order."""
    columns = (messages.c.id, messages.c.role, messages.c.state)
    is_said = (messages.c.session_id == session_id) & messages.c.is_summary.is_(False)
    found: list[int] = []
    is_taken_back = False
    said = select(*columns).where(is_said).order_by(messages.c.said_at, messages.c.id)
    for number, role, state in connection.execute(said):
        if role == "user":
            is_taken_back = state == "rewound"
        elif is_taken_back and state != "rewound" and role in _ANSWERING:
            found.append(number)
    return found
