"""The latest moments that anything is dated with; not the last rows: after a clock went back those are earlier."""

from sqlalchemy import Connection, func, select

from hermes_agent.store.tables import journal, messages


def written_at(connection: Connection) -> int | None:
    """Return when the journal was written latest; None if it is empty."""
    return connection.execute(select(func.max(journal.c.at))).scalar()


def said_at(connection: Connection) -> int | None:
    """Return when something was said latest; None if nothing was."""
    return connection.execute(select(func.max(messages.c.said_at))).scalar()
