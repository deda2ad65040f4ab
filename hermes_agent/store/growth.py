"""How much came when: counts between moments, each read off an index, whatever the store's size.

Nothing here reads a text, and nothing reads a whole table: an overview is looked at often.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from hermes_agent.store.tables import episodes, facts, sessions

# The facts learned last stand at the end; so many are looked at, which takes a few milliseconds.
_MOST_FACTS = 5_000


@dataclass(frozen=True, slots=True)
class Totals:
    """What conversations hold."""

    sessions: int
    messages: int


def totals(connection: Connection) -> Totals:
    """Count sessions, and messages by what sessions know of themselves."""
    query = select(func.count(), func.coalesce(func.sum(sessions.c.message_count * 1.0), 0)).select_from(sessions)
    count, said = connection.execute(query).one()
    return Totals(int(count), int(said))


def first_at(connection: Connection) -> int | None:
    """Return when the first exchange was said; None if there is none."""
    return connection.execute(select(func.min(episodes.c.said_at))).scalar()


def exchanges(connection: Connection, edges: Sequence[int]) -> list[int]:
    """Count the exchanges from each moment until before the next one."""
    query = select(func.count()).select_from(episodes)
    return [
        int(connection.execute(query.where(episodes.c.said_at >= start, episodes.c.said_at < end)).scalar_one())
        for start, end in zip(edges, edges[1:], strict=False)
    ]


def learned(connection: Connection, edges: Sequence[int]) -> list[int]:
    """Count the facts learned from each moment until before the next one, among the last 5,000."""
    latest = select(facts.c.learned_at).order_by(facts.c.id.desc()).limit(_MOST_FACTS)
    counts = [0] * (len(edges) - 1)
    for moment in connection.execute(latest).scalars():
        place = bisect_right(edges, moment) - 1
        if 0 <= place < len(counts):
            counts[place] += 1
    return counts
