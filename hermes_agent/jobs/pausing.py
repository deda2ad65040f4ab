"""When a job that failed for good is tried again: after a pause, or it would be added at every poll."""

from hermes_agent import clock
from hermes_agent.store import jobs
from hermes_agent.store.engine import Connection

PAUSE_MINUTES = 30


def due_at(connection: Connection, kind: str) -> int | None:
    """Return when the next job of a kind is due; None for at once."""
    last = jobs.recent(connection, 1, kind=kind)
    has_failed = bool(last) and last[0].state == "failed"
    # Not in the future, where a clock that was wrong may have put it.
    finished_at = min(last[0].finished_at or 0, clock.now()) if has_failed else 0
    return finished_at + PAUSE_MINUTES * 60 * clock.MICROSECONDS if has_failed else None
