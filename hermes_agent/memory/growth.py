"""How memory grows: what was said and learned on each of the last days, and how much there was over all its time.

A day begins at midnight in the owner's zone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import accumulate

from hermes_agent import clock
from hermes_agent.store import growth
from hermes_agent.store.growth import Totals
from hermes_agent.store.store import Store

_MOST_STEPS = 24


@dataclass(frozen=True, slots=True)
class Daily:
    """What each of the last days brought, today the last."""

    days: Sequence[date]
    exchanges: Sequence[int]
    facts: Sequence[int]


@dataclass(frozen=True, slots=True)
class Grown:
    """How many exchanges there were at the end of some days, the last of them today."""

    days: Sequence[date]
    exchanges: Sequence[int]


def totals(store: Store) -> Totals:
    """Count the conversations and their messages."""
    with store.read() as connection:
        return growth.totals(connection)


def daily(store: Store, count: int, zone: tzinfo | None) -> Daily:
    """Tell what the last days brought."""
    today = today_in(zone)
    days = [today - timedelta(days=ago) for ago in reversed(range(count))]
    edges = [begin_of(day, zone) for day in (*days, today + timedelta(days=1))]
    with store.read() as connection:
        return Daily(days, growth.exchanges(connection, edges), growth.learned(connection, edges))


def grown(store: Store, zone: tzinfo | None) -> Grown | None:
    """Tell how much there was over the whole time, in at most 24 steps; None if nothing was said yet."""
    today = today_in(zone)
    with store.read() as connection:
        first = growth.first_at(connection)
        if first is None:
            return None
        since = min(clock.to_datetime(first, zone).date(), today)
        steps = min(_MOST_STEPS, (today - since).days + 1)
        days = [today - timedelta(days=(today - since).days * ago // steps) for ago in reversed(range(steps))]
        edges = [0, *(begin_of(day + timedelta(days=1), zone) for day in days)]
        return Grown(days, list(accumulate(growth.exchanges(connection, edges))))


def first_day(store: Store, zone: tzinfo | None) -> date | None:
    """Return the day of the first exchange; None if nothing was said yet."""
    with store.read() as connection:
        first = growth.first_at(connection)
    return None if first is None else clock.to_datetime(first, zone).date()


def today_in(zone: tzinfo | None) -> date:
    """Return which day it is for the owner."""
    return clock.to_datetime(clock.now(), zone).date()


def begin_of(day: date, zone: tzinfo | None) -> int:
    """Return the first moment of a day; without a zone, of this machine's."""
    return clock.from_datetime(datetime.combine(day, time.min, tzinfo=zone))
