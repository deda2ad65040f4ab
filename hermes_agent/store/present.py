"""The present of a store: what the clock says, but never before what was said or changed last.

Clocks are set back, by a minute or by days; still, what is said later in one store is later, and a correction
must not lose against what it corrects. Times of other stores, which an import brings, are compared as they came.
A clock that was more than a month ahead was wrong: nothing waits for it.
"""

from sqlalchemy import Connection, bindparam, func, select

from hermes_agent import clock
from hermes_agent.store.tables import facts, journal, sessions

_FURTHEST = 30 * 24 * 3_600 * clock.MICROSECONDS
# Built once, and each found by an index: every message asks.
_SAID = select(func.max(sessions.c.last_active_at)).where(sessions.c.last_active_at <= bindparam("most"))
_LEARNED = select(facts.c.learned_at).order_by(facts.c.id.desc()).limit(1)
_CHANGED = select(journal.c.at).order_by(journal.c.id.desc()).limit(1)
_LAST = select(_SAID.scalar_subquery(), _LEARNED.scalar_subquery(), _CHANGED.scalar_subquery())


def now(connection: Connection) -> int:
    """Return the moment at which something is said that is said now."""
    at = clock.now()
    found = connection.execute(_LAST, {"most": at + _FURTHEST}).one()
    last = max((one for one in found if one is not None and one <= at + _FURTHEST), default=0)
    return at if last < at else last + 1
