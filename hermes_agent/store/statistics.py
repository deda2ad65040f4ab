"""How much the archive holds, and how much room it takes."""

from dataclasses import dataclass

from sqlalchemy import func, select

from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.tables import messages, passages, sessions, vectors


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of the archive."""

    sessions: int
    messages: int
    by_source: dict[str, int]
    by_role: dict[str, int]
    input_tokens: int
    output_tokens: int
    first_at: int | None
    last_at: int | None
    size_bytes: int


def count(connection: Connection, engine: Engine) -> Statistics:
    """Count the sessions and messages."""
    by_source = connection.execute(select(sessions.c.source, func.count()).group_by(sessions.c.source)).all()
    by_role = connection.execute(select(messages.c.role, func.count()).group_by(messages.c.role)).all()
    # As floats: SQLite refuses a sum beyond 64 bits, and counts come from files too.
    totals = connection.execute(
        select(
            func.coalesce(func.sum(sessions.c.input_tokens * 1.0), 0),
            func.coalesce(func.sum(sessions.c.output_tokens * 1.0), 0),
            func.min(sessions.c.started_at),
            func.max(sessions.c.last_active_at),
        )
    ).one()
    return Statistics(
        sessions=sum(row[1] for row in by_source),
        messages=sum(row[1] for row in by_role),
        by_source={row[0]: row[1] for row in sorted(by_source)},
        by_role={row[0]: row[1] for row in sorted(by_role)},
        input_tokens=int(totals[0]),
        output_tokens=int(totals[1]),
        first_at=totals[2],
        last_at=totals[3],
        size_bytes=engine.inspect(connection, is_thorough=False).size_bytes,
    )


def vector_count(connection: Connection) -> int:
    """Count the vectors: those that are searched, and the messages that have some of their own."""
    tables = (vectors, passages)
    return sum(int(connection.execute(select(func.count()).select_from(table)).scalar_one()) for table in tables)
