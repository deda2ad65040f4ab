"""Delete sessions for good: their messages, their episodes, the work they delegated, and what finds them.

What was made of them and is told in words elsewhere is for `memory/forgetting.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, exists, func, select, update

from hermes_agent.store import arrivals, episodes, imported, journal, spending, summaries
from hermes_agent.store.engine import Engine
from hermes_agent.store.tables import episodes as made
from hermes_agent.store.tables import facts, messages, reflections, sessions, system_prompts


@dataclass(frozen=True, slots=True)
class Weight:
    """What deleting a session would take along, and the facts learned from it, which stay."""

    delegated: int
    episodes: int
    reflections: int
    facts: int


def weigh(connection: Connection, session_id: str) -> Weight:
    """Count what hangs on a session."""
    of_session = (
        select(func.count()).where(
            sessions.c.parent_session_id == session_id, sessions.c.parent_kind == "delegation"
        ),
        select(func.count()).where(made.c.session_id == session_id),
        select(func.count()).where(reflections.c.session_id == session_id, reflections.c.state != "deleted"),
        select(func.count())
        .select_from(facts.join(messages, facts.c.source_message == messages.c.uid))
        .where(messages.c.session_id == session_id, facts.c.state == "current"),
    )
    return Weight(*(int(connection.execute(query).scalar_one()) for query in of_session))


def going(connection: Connection, session_id: str) -> list[str]:
    """Return what goes with a session: the work it delegated, unless that is pinned, and last itself."""
    # Locked first: what another process appends meanwhile waits, and is refused then.
    connection.execute(select(sessions.c.id).where(sessions.c.id == session_id).with_for_update())
    delegated = select(sessions.c.id).where(
        sessions.c.parent_session_id == session_id,
        sessions.c.parent_kind == "delegation",
        sessions.c.is_pinned.is_(False),
    )
    children = connection.execute(delegated).scalars().all()
    return [*(one for child in children for one in going(connection, child)), session_id]


def remove(connection: Connection, engine: Engine, session_ids: Sequence[str]) -> int:
    """Delete sessions, those that were delegated before the others; return how many went.

    Continuations and branches stay and lose their parent.
    """
    return sum(_remove(connection, engine, session_id) for session_id in session_ids)


def _remove(connection: Connection, engine: Engine, session_id: str) -> int:
    ids = connection.execute(select(messages.c.id).where(messages.c.session_id == session_id)).scalars().all()
    engine.text.remove(connection, ids)
    telling = summaries.telling_of(connection, session_id)
    episodes.remove_session(connection, session_id)
    summaries.forget_session(connection, engine, session_id, telling)
    journal.forget_session(connection, session_id)
    spending.forget_item(connection, session_id)
    imported.forget(connection, session_id)
    arrivals.forget_session(connection, session_id)
    orphaned = update(sessions).where(sessions.c.parent_session_id == session_id)
    connection.execute(orphaned.values(parent_session_id=None, parent_kind=None))
    prompt = connection.execute(select(sessions.c.system_prompt_hash).where(sessions.c.id == session_id)).scalar()
    connection.execute(delete(messages).where(messages.c.session_id == session_id))
    removed = connection.execute(delete(sessions).where(sessions.c.id == session_id)).rowcount
    if prompt is not None:
        is_used = exists().where(sessions.c.system_prompt_hash == prompt)
        connection.execute(delete(system_prompts).where(system_prompts.c.hash == prompt, ~is_used))
    return removed
