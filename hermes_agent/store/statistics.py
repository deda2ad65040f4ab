"""How much the archive holds, and how much room it takes."""

from dataclasses import dataclass

from sqlalchemy import case, func, select, type_coerce

from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.tables import messages, passages, sessions, vectors

_SAMPLE = 200


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


def vectors_behind(connection: Connection) -> tuple[int, int]:
    """Count the vectors of summaries, and the messages that have some of their own."""
    of_summaries = select(func.count()).select_from(vectors).where(vectors.c.kind == "summary")
    of_messages = select(func.count()).select_from(passages)
    return int(connection.execute(of_summaries).scalar_one()), int(connection.execute(of_messages).scalar_one())


def talk_characters(connection: Connection, without_session: str, most: int) -> int:
    """Guess how many characters users and assistants wrote in all other sessions, at most `most`.

    Up to 200 messages it is exact. Of more, the mean of the latest counts for all, and no more of them are counted
    than it takes to reach `most`: that takes a moment in an archive of any size.
    """
    is_talk = messages.c.role.in_(("user", "assistant")) & (messages.c.state != "rewound")
    # Read, not measured by the database: packed they are shorter than they were said.
    words = type_coerce(case((is_talk, messages.c.content)), messages.c.content.type)
    elsewhere = messages.c.session_id != without_session
    latest = select(words).where(elsewhere).order_by(messages.c.id.desc()).limit(_SAMPLE)
    found = connection.execute(latest).scalars().all()
    said = sum(len(text or "") for text in found)
    if len(found) < _SAMPLE or said == 0:
        return min(said, most)
    own = (
        connection.execute(select(sessions.c.message_count).where(sessions.c.id == without_session)).scalar() or 0
    )
    enough = own + -(-most * _SAMPLE // said)
    counted = connection.execute(
        select(func.count()).select_from(select(messages.c.id).limit(enough).subquery())
    ).scalar_one()
    return min(most, said * (int(counted) - int(own)) // _SAMPLE)
