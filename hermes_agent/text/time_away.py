"""Read how far a phrase is from now: `5 min ago`, `1h30m ago`, `2 hours back`, `in 10 minutes`, `1,000 days ago`.

Seconds, minutes and hours lead to a moment; days, weeks, months and years to a day. A phrase is read whole or not
at all: whoever takes back what changed "5 min ago" must not take back the day.
"""

import re
from typing import NamedTuple

_SPELLINGS = {
    "second": (1, "seconds?|secs?|s"),
    "minute": (60, "minutes?|mins?|m"),
    "hour": (3_600, "hours?|hrs?|h"),
    "day": (86_400, "days?|d"),
    "week": (7 * 86_400, "weeks?|wks?|w"),
    "month": (30 * 86_400, "months?|mos?"),
    "year": (365 * 86_400, "years?|yrs?|y"),
}
_WORDS = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
        start=1,
    )
} | {"a": 1, "an": 1, "half a": 0.5, "half an": 0.5}
_UNIT = "|".join(f"(?P<{name}>{spelling})" for name, (_, spelling) in _SPELLINGS.items())
_COUNT = rf"(?P<count>\d{{1,3}}(?:,\d{{3}})+|\d{{1,6}}(?:\.\d{{1,3}})?|(?:{'|'.join(_WORDS)})(?= ))"
_PART = re.compile(rf"(?:{_COUNT} ?)?(?:{_UNIT})(?![^\W\d_])\.?(?P<half> and a half)?(?:,? and |, ?| )?")
_BACK = re.compile(r"(?:(?:the )?(?:last|past) (?P<last>.+)|(?P<far>.+) (?:ago|back|earlier|before))")
_AHEAD = re.compile(r"(?:in (?P<in>.+)|(?P<far>.+) (?:from now|hence|later))")


class Away(NamedTuple):
    """How many seconds from now, before it negative; `is_day` where whole days were counted."""

    seconds: float
    is_day: bool


def read_away(phrase: str) -> Away | None:
    """Return how far from now a phrase in lower case is; None where it says something else, or more."""
    if phrase in ("now", "just now", "right now"):
        return Away(0, is_day=False)
    if found := _BACK.fullmatch(phrase):
        away = _sum(found["last"] or found["far"])
        is_stretch = found["last"] and away and away.is_day  # "last week" is the one before this
        return None if away is None or is_stretch else Away(-away.seconds, away.is_day)
    found = _AHEAD.fullmatch(phrase)
    return _sum(found["in"] or found["far"]) if found else None


def _sum(amounts: str) -> Away | None:
    """Add up "1 hour 30 min", "2h", "an hour and a half"."""
    seconds, place, is_day = 0.0, 0, True
    while place < len(amounts):
        part = _PART.match(amounts, place)
        if part is None or not (part["count"] or place == 0):
            return None
        name = next(name for name in _SPELLINGS if part[name])
        seconds += _SPELLINGS[name][0] * (_number(part["count"]) + (0.5 if part["half"] else 0))
        is_day = is_day and name in ("day", "week", "month", "year")
        place = part.end()
    return Away(seconds, is_day and seconds % 86_400 == 0)


def _number(count: str | None) -> float:
    return 1 if count is None else _WORDS.get(count) or float(count.replace(",", ""))
