"""Read a date as people write it: `2026-04-14`, `yesterday`, `last tuesday`, `3 hours ago`.

A day, week, month or year is a range, so that "until yesterday" takes yesterday in.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from hermes_agent import clock
from hermes_agent.errors import UsageError
from hermes_agent.text.dateparsing import parse_date
from hermes_agent.text.time_away import read_away
from hermes_agent.text.time_phrases import whole_span
from hermes_agent.text.time_words import UNITS

_YEAR = re.compile(r"\d{4}")
_WEEK = re.compile(r"\d{4}-w\d{2}")
_LONGEST_PHRASE = 100
# Any zone can be applied to these without leaving what dates can hold.
_FIRST_YEAR, _LAST_YEAR = 2, 9998
_SHORTER_THAN_DAYS = frozenset(word for word, unit in UNITS.items() if unit in ("minute", "hour"))
_MONTH = re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})")


@dataclass(frozen=True, slots=True)
class Span:
    """From `start` up to, not including, `end`."""

    start: datetime
    end: datetime


def read_span(typed: str, now: datetime) -> Span:
    """Return the stretch of time a phrase means, seen from `now`, in its zone; without one in the machine's."""
    phrase = " ".join(typed.lower().split())
    try:
        found = _iso(phrase, now) or _away(phrase, now) or _named(phrase, now) or _parsed(typed, now)
    except OverflowError:
        raise _beyond(typed) from None
    except ValueError:
        found = None
    if found is None:
        raise UsageError(
            f"{typed[:_LONGEST_PHRASE]!r} is not a date.",
            hint='Write 2026-04-14, 2026-04-14T09:30, yesterday, "last tuesday", "5 min ago" or "3 days ago".',
        )
    if found.start.year < _FIRST_YEAR or found.end.year > _LAST_YEAR:
        raise _beyond(typed)
    return found


def _beyond(typed: str) -> UsageError:
    return UsageError(
        f"{typed[:_LONGEST_PHRASE]!r} is too far away.",
        hint=f"Write a date of the years {_FIRST_YEAR} to {_LAST_YEAR - 1}.",
    )


def moment_of(typed: str | None, zone: tzinfo | None, *, is_end: bool) -> int | None:
    """Read a date as typed into a moment: its beginning, or with `is_end` its end."""
    if typed is None:
        return None
    now = clock.to_datetime(clock.now(), zone)
    # The machine's zone as times without one: an offset would be today's, also for a day in summer.
    span = read_span(typed, now.replace(tzinfo=None) if zone is None else now)
    return clock.from_datetime(span.end if is_end else span.start)


def last_moment_of(typed: str | None, zone: tzinfo | None) -> int | None:
    """Read a date as typed into its last moment: what ends with a day is still so on it."""
    start, end = (moment_of(typed, zone, is_end=is_end) for is_end in (False, True))
    return None if start is None or end is None else max(start, end - 1)


def expiry_of(typed: str | None, zone: tzinfo | None) -> int | None:
    """Read the last day of something that is to end; who mistypes one is shown days to come."""
    try:
        return last_moment_of(typed, zone)
    except UsageError as error:
        raise UsageError(error.message, hint='Write 2027-01-01, tomorrow or "in 30 days".') from error


def _iso(phrase: str, now: datetime) -> Span | None:
    if match := _MONTH.fullmatch(phrase):
        if not 1 <= int(match["month"]) <= 12:
            return None
        return _month(_day(now).replace(year=max(1, int(match["year"])), month=int(match["month"]), day=1))
    if _YEAR.fullmatch(phrase) and phrase != "0000":
        start = _day(now).replace(year=int(phrase), month=1, day=1)
        return Span(start, _next_year(start))
    try:
        moment = datetime.fromisoformat(phrase.upper())
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)
    if _WEEK.fullmatch(phrase):
        return Span(aware, aware + timedelta(days=7))
    if len(phrase) <= len("2026-04-14"):
        return Span(aware, aware + timedelta(days=1))
    return Span(aware, aware)


def _named(phrase: str, now: datetime) -> Span | None:
    if not _SHORTER_THAN_DAYS.isdisjoint(phrase.split()):
        return None  # whole days would be more than was said
    days = whole_span(phrase, now.date())
    if days is None:
        return None
    today = _day(now)
    start, end = (today.replace(year=day.year, month=day.month, day=day.day) for day in days)
    return Span(start, end + timedelta(days=1))


def _away(phrase: str, now: datetime) -> Span | None:
    away = read_away(phrase)
    if away is None:
        return None
    if away.is_day:
        start = _day(now) + timedelta(seconds=away.seconds)
        return Span(start, start + timedelta(days=1))
    # In UTC: an hour ago is an hour ago, also in the night the clocks change.
    moment = (now.astimezone(UTC) + timedelta(seconds=away.seconds)).astimezone(now.tzinfo)
    moment = moment.replace(tzinfo=now.tzinfo)
    return Span(moment, moment)


def _parsed(typed: str, now: datetime) -> Span | None:
    found = parse_date(typed, now)
    if found is None:
        return None
    moment = found.moment if found.moment.tzinfo is None else found.moment.astimezone(now.tzinfo)
    moment = moment.replace(tzinfo=now.tzinfo)
    if found.period == "time":
        return Span(moment, moment)
    start = _unit_start(_day(moment), found.period)
    return Span(start, _unit_end(start, found.period))


def _day(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _month(start: datetime) -> Span:
    return Span(start, _unit_end(start, "month"))


def _unit_start(day: datetime, unit: str) -> datetime:
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "month":
        return day.replace(day=1)
    return day.replace(month=1, day=1) if unit == "year" else day


def _unit_end(start: datetime, unit: str) -> datetime:
    if unit == "week":
        return start + timedelta(days=7)
    if unit == "year":
        return _next_year(start)
    return (start + timedelta(days=32)).replace(day=1) if unit == "month" else start + timedelta(days=1)


def _next_year(start: datetime) -> datetime:
    return start.replace(year=min(start.year + 1, 9999))
