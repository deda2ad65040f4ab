"""Days and stretches of days, and in which year a date without one lies.

Only whole days: what the clocks do at night changes nothing here. Whatever lies outside the years 2…9998 is
moved to their edge, so that any zone can be applied to a day.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from hermes_agent.text.time_words import UNIT_DAYS

FIRST_DAY, LAST_DAY = date(2, 1, 1), date(9998, 12, 31)
_MARGIN_DAYS = 45
# A leap day needs to look eight years back, across 1900.
_YEARS_BACK = 9
_MEMORY_YEARS = 100


class Days(NamedTuple):
    """From `start` to `end`, both included."""

    start: date
    end: date


@dataclass(frozen=True, slots=True)
class View:
    """From when, and how, a phrase is read.

    A question (`is_past`) looks back and means `known`, the days of the memory; a statement means the nearest
    such day. `is_loose` takes "last week" for any time in the last two, as people who ask do. `slack` is by
    how many days "three weeks ago" may be off.
    """

    today: date
    hour: int
    is_past: bool
    is_loose: bool
    slack: dict[str, int]
    known: Days | None = None


def shifted(day: date, days: float) -> date:
    """Return the day some days later, not beyond the first and last of all."""
    ordinal = day.toordinal() + int(days)
    return date.fromordinal(min(max(ordinal, FIRST_DAY.toordinal()), LAST_DAY.toordinal()))


def single(day: date) -> Days:
    """Return the stretch of one day."""
    return Days(day, day)


def day_of(year: int, month: int, day: int) -> Days | None:
    """Return a day of the calendar, None when there is none such."""
    if not FIRST_DAY.year <= year <= LAST_DAY.year:
        return None
    try:
        return single(date(year, month, day))
    except ValueError:
        return None


def months_from(year: int, month: int, count: int = 1) -> Days | None:
    """Return some whole months; month 13 is January of the next year, month 0 the December before."""
    first, last = year * 12 + month - 1, year * 12 + month - 1 + count
    if not (FIRST_DAY.year <= first // 12 and last // 12 <= LAST_DAY.year):
        return None
    return Days(date(first // 12, first % 12 + 1, 1), shifted(date(last // 12, last % 12 + 1, 1), -1))


def year_of(year: int) -> Days | None:
    """Return a whole year."""
    return Days(date(year, 1, 1), date(year, 12, 31)) if FIRST_DAY.year <= year <= LAST_DAY.year else None


def week_of(day: date) -> Days:
    """Return the week of a day, Monday to Sunday."""
    monday = shifted(day, -day.weekday())
    return Days(monday, shifted(monday, 6))


def unit_of(day: date, unit: str, step: int) -> Days | None:
    """Return the week, month or year that lies `step` such units after the one of a day."""
    if unit == "week":
        return week_of(shifted(day, 7 * step))
    if unit == "month":
        return months_from(day.year, day.month + step)
    return year_of(day.year + step)


def weekday_before(day: date, weekday: int) -> date:
    """Return the last such weekday before a day, never the day itself."""
    return shifted(day, -((day.weekday() - weekday) % 7 or 7))


def weekday_after(day: date, weekday: int) -> date:
    """Return the next such weekday after a day, never the day itself."""
    return shifted(day, (weekday - day.weekday()) % 7 or 7)


def moved(view: View, count: int, unit: str) -> Days:
    """Return the days some units after the day of the view (before it, when negative), with its slack."""
    middle = shifted(view.today, int(abs(count) * UNIT_DAYS[unit]) * (1 if count > 0 else -1))
    slack = view.slack.get(unit, 0)
    return Days(shifted(middle, -slack), shifted(middle, slack))


def years_around(view: View) -> list[int]:
    """Return the years in which a date without one may lie, the latest first."""
    first, last = view.today.year - _YEARS_BACK, view.today.year + 1
    if view.known is not None:
        last = max(last, view.known.end.year + 1)
        first = max(min(first, view.known.start.year - 1), last - _MEMORY_YEARS)
    return list(range(last, first - 1, -1))


def chosen(view: View, candidates: Sequence[Days | None]) -> Days | None:
    """Choose among the same date of several years, the latest first.

    A question means the latest within the memory (45 days more on either side), or else the latest that has
    begun; a statement the nearest.
    """
    possible = [days for days in candidates if days is not None]
    if not possible:
        return None
    if not view.is_past:
        return min(possible, key=lambda days: abs(_middle(days) - view.today.toordinal()))
    known = (days for days in possible if is_known(view, days))
    begun = (days for days in possible if days.start <= view.today)
    return next(known, None) or next(begun, None)


def is_known(view: View, days: Days) -> bool:
    """Tell whether days lie within the memory, or at most 45 days before or after it."""
    if view.known is None:
        return False
    first, last = shifted(view.known.start, -_MARGIN_DAYS), shifted(view.known.end, _MARGIN_DAYS)
    return days.start <= last and days.end >= first


def _middle(days: Days) -> int:
    return (days.start.toordinal() + days.end.toordinal()) // 2
