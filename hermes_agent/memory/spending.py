"""What memory costs: by day and by item, the cap on a day's background work, and what waits because of it.

A day begins at midnight in the owner's zone. Whoever is about to ask a model in the background asks the cap first,
before each piece of work that is kept by itself: what was begun is finished, so nothing is lost and nothing is
done twice, and a day may cost one piece more than the cap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from hermes_agent import clock
from hermes_agent.errors import CapReached
from hermes_agent.records.jobs import CAPPED, Job
from hermes_agent.records.spending import Cost, ItemCost
from hermes_agent.store import jobs, spending, statistics
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.tokens import CHARACTERS_PER_TOKEN, tokens

SETTING = "memory.cost.dailyTokenCap"
KEPT_DAYS = 366
"""So long the rows are kept; the daily job `episodes` drops older ones."""
_DAY = 86_400 * clock.MICROSECONDS


@dataclass(frozen=True, slots=True)
class Cap:
    """Most tokens that background work may cost in a day; 0 is no cap."""

    tokens: int = 0
    zone: tzinfo | None = None

    def require(self, store: Store) -> None:
        """Raise CapReached if no more may be spent today."""
        if self.tokens and (today := self.today(store)).is_reached:
            raise CapReached(
                f"{CAPPED}: {today.used:,} of {today.cap:,} ({SETTING}).",
                until=today.until,
                hint="It goes on tomorrow; with a higher cap at once: hermes jobs run",
            )

    def today(self, store: Store) -> "Today":
        """Tell how much of the cap is used."""
        day = _day_of(clock.now(), self.zone)
        until = _begin(day + timedelta(days=1), self.zone)
        with store.read() as connection:
            used = spending.background_tokens(connection, _begin(day, self.zone), until)
        return Today(used, self.tokens, until)


NO_CAP = Cap()


@dataclass(frozen=True, slots=True)
class Today:
    """What background work has cost today; `until` is when the day is over."""

    used: int
    cap: int
    until: int

    @property
    def is_reached(self) -> bool:
        return 0 < self.cap <= self.used


@dataclass(frozen=True, slots=True)
class DayCost:
    """What each kind of work has cost on a day."""

    day: date
    by_work: dict[str, Cost]


def days(store: Store, count: int, zone: tzinfo | None) -> list[DayCost]:
    """Tell what the last days cost, today the last; those on which nothing was done are left out."""
    today = _day_of(clock.now(), zone)
    found = []
    with store.read() as connection:
        for ago in reversed(range(count)):
            day = today - timedelta(days=ago)
            by_work = spending.by_work(connection, _begin(day, zone), _begin(day + timedelta(days=1), zone))
            found.append(DayCost(day, by_work))
    return [one for one in found if one.by_work]


def items(store: Store, count: int, zone: tzinfo | None, limit: int) -> list[ItemCost]:
    """Tell for what the last days were spent, the dearest first."""
    first = _day_of(clock.now(), zone) - timedelta(days=count - 1)
    with store.read() as connection:
        return spending.by_item(connection, _begin(first, zone), limit)


def waiting(store: Store) -> list[Job]:
    """Return the jobs that wait for the end of the day because the cap was reached."""
    now = clock.now()
    with store.read() as connection:
        return [job for job in jobs.waiting(connection) if job.is_capped and job.due_at > now]


def release(store: Store, cap: Cap) -> None:
    """Let the jobs go on that wait because of a cap, if it is not reached any more: it was raised."""
    capped = waiting(store)
    if capped and not cap.today(store).is_reached:
        with store.write() as connection:
            for job in capped:
                jobs.retry(connection, job)


def drop_old(connection: Connection) -> None:
    """Let go of what was spent more than a year ago."""
    spending.drop_before(connection, clock.now() - KEPT_DAYS * _DAY)


def history_tokens(store: Store, session_id: str, most: int) -> int:
    """Guess how many tokens the words of all other conversations are, at most `most`: a model takes no more."""
    with store.read() as connection:
        return tokens(statistics.talk_characters(connection, session_id, most * CHARACTERS_PER_TOKEN))


def total(costs: Sequence[Cost]) -> Cost:
    """Add up."""
    return sum(costs, Cost())


def _day_of(moment: int, zone: tzinfo | None) -> date:
    return clock.to_datetime(moment, zone).date()


def _begin(day: date, zone: tzinfo | None) -> int:
    # Without a zone it is read in the machine's.
    return clock.from_datetime(datetime.combine(day, time.min, tzinfo=zone))
