"""Delete sessions for good: their messages, their episodes, the work they delegated, and what finds them.

What was made of them and is told in words elsewhere is for `memory/forgetting.py`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, exists, func, select, update

from hermes_agent.store import arrivals, episodes, imported, journal, spending, summaries
from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import batched
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


def going(connection: Connection, session_ids: Collection[str]) -> list[str]:
    """Return what goes with sessions: the work that each delegated, unless that is pinned, and after it itself.

    They are locked: what another process appends meanwhile waits, and is refused then.
    """
    delegated: dict[str, list[str]] = {}
    known, wanted = set(session_ids), list(dict.fromkeys(session_ids))
    while wanted:
        for block in batched(sorted(wanted)):
            # Always in one order: two that delete the same ones do not wait for each other.
            locked = select(sessions.c.id).where(sessions.c.id.in_(block)).order_by(sessions.c.id)
            connection.execute(locked.with_for_update())
        below = [pair for block in batched(wanted) for pair in _delegated(connection, block)]
        for parent, child in below:
            delegated.setdefault(parent, []).append(child)
        wanted = [child for _, child in below if child not in known]
        known.update(wanted)
    return list(dict.fromkeys(one for name in session_ids for one in _with_delegated(name, delegated)))


def _delegated(connection: Connection, session_ids: Sequence[str]) -> list[tuple[str, str]]:
    """Return which sessions the sessions delegated to: each with the one that did."""
    found = select(sessions.c.parent_session_id, sessions.c.id).where(
        sessions.c.parent_session_id.in_(session_ids),
        sessions.c.parent_kind == "delegation",
        sessions.c.is_pinned.is_(False),
    )
    return [(parent, child) for parent, child in connection.execute(found)]


def _with_delegated(name: str, delegated: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for child in delegated.get(name, ()):
        yield from _with_delegated(child, delegated)
    yield name


def remove(connection: Connection, engine: Engine, session_ids: Sequence[str]) -> int:
    """Delete sessions, many in one statement; return how many went.

    Continuations and branches stay and lose their parent.
    """
    telling = summaries.telling_of(connection, session_ids)
    removed = sum(_remove(connection, engine, block) for block in batched(session_ids))
    summaries.forget_sessions(connection, engine, session_ids, telling)
    return removed


def _remove(connection: Connection, engine: Engine, session_ids: Sequence[str]) -> int:
    is_said = messages.c.session_id.in_(session_ids)
    engine.text.remove(connection, connection.execute(select(messages.c.id).where(is_said)).scalars().all())
    episodes.remove_sessions(connection, session_ids)
    journal.forget_sessions(connection, session_ids)
    spending.forget_items(connection, session_ids)
    imported.forget(connection, session_ids)
    arrivals.forget_sessions(connection, session_ids)
    orphaned = update(sessions).where(sessions.c.parent_session_id.in_(session_ids))
    connection.execute(orphaned.values(parent_session_id=None, parent_kind=None))
    is_one = sessions.c.id.in_(session_ids)
    used = select(sessions.c.system_prompt_hash).where(is_one, sessions.c.system_prompt_hash.is_not(None))
    prompts = connection.execute(used.distinct()).scalars().all()
    connection.execute(delete(messages).where(is_said))
    removed = connection.execute(delete(sessions).where(is_one)).rowcount
    if prompts:
        is_used = exists().where(sessions.c.system_prompt_hash == system_prompts.c.hash)
        connection.execute(delete(system_prompts).where(system_prompts.c.hash.in_(prompts), ~is_used))
    return removed
