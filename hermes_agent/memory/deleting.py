"""Delete sessions with their messages and all that was made of them."""

from collections.abc import Sequence

from hermes_agent.memory import forgetting
from hermes_agent.memory.seen import require_same
from hermes_agent.records.archive import Session
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import jobs, journal, sessions, skills
from hermes_agent.store.store import Store

_TOGETHER = 20
"""So many sessions are deleted in one transaction: others wait for it, but the journal is read once for all."""


def delete(
    store: Store, session_ids: Sequence[str], cause: str, quiet_since: int | None, seen: Session | None
) -> int:
    """Delete sessions, some at a time; return how many went."""
    removed = 0
    try:
        for start in range(0, len(session_ids), _TOGETHER):
            removed += _delete(store, session_ids[start : start + _TOGETHER], cause, quiet_since, seen)
    finally:
        if removed:
            # Copies of their vectors lie in the cache folder, and texts can be guessed from vectors.
            with store.bare() as connection:
                store.engine.settle_vectors(connection, is_erasure=True)
    return removed


def _delete(
    store: Store, session_ids: Sequence[str], cause: str, quiet_since: int | None, seen: Session | None
) -> int:
    with store.write() as connection:
        chosen = sessions.get_many(connection, session_ids)
        if seen is not None:
            require_same(sessions.hold(connection, seen), seen)
        if quiet_since is not None:
            quiet = set(sessions.prunable(connection, quiet_since))
            chosen = {session_id: one for session_id, one in chosen.items() if session_id in quiet}
        if not chosen:
            return 0
        removed = forgetting.forget_sessions(connection, store.engine, list(chosen))
        for session in chosen.values():
            # What was deleted must not live on in the journal: only how long it was, and when.
            figures = {"message_count": session.message_count, "started_at": session.started_at}
            text = f"Session {session.id} was deleted with {session.message_count} messages."
            journal.write(connection, NewEntry("session.deleted", session.id, text, cause=cause, before=figures))
        if skills.has_learned(connection):
            jobs.add(connection, skills.JOB, skills.JOB)
        return removed
