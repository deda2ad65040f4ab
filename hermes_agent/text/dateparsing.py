"""Let dateparser read dates of other languages and forms, and refuse what it understood only in part.

dateparser drops words and numbers that fit nowhere: it reads "today at 9" as today, "hour 2" as February and
"1,000 days ago" as yesterday. A number that can be changed without changing the date was not understood.
"""

import re
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dateparser.date import DateDataParser

_LONGEST_PHRASE = 100
_NUMBER = re.compile(r"\d+")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
# Written so that no word need name the month: 14.04.26, 4/14/26, 4月14日.
_NUMERIC = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d ?[월月]")
_LETTERS = re.compile(r"[^\W\d_]{2}")
# dateparser takes 1.000 days for one.
_THOUSANDS = re.compile(r"\d[.,]\d{3}(?!\d)")


class Parsed(NamedTuple):
    """A moment, and how much of it was said: `time`, `part_of_day`, `day`, `week`, `month` or `year`."""

    moment: datetime
    period: str


def parse_date(typed: str, now: datetime) -> Parsed | None:
    """Return what a phrase means, seen from `now`; None where dateparser reads nothing, or not all of it."""
    if len(typed) > _LONGEST_PHRASE or _THOUSANDS.search(typed):
        return None
    if not (_LETTERS.search(typed) or _NUMERIC.search(typed)):
        return None  # dateparser would take a lone number or letter for a day of this month
    from dateparser.date import DateDataParser  # here: it costs 70 ms

    base = {"RELATIVE_BASE": now.replace(tzinfo=None), "PREFER_DATES_FROM": "past", "RETURN_TIME_AS_PERIOD": True}
    relative = DateDataParser(settings=base | {"PARSERS": ["relative-time"]})
    counted = _parsed(relative, typed)
    parser = relative if counted else DateDataParser(settings=base)
    found = counted or _parsed(parser, typed)
    if found is None or not (counted or _names_its_parts(parser, typed, found)):
        return None
    return found if _counts_every_number(parser, typed, found) else None


def _parsed(parser: "DateDataParser", phrase: str) -> Parsed | None:
    found = parser.get_date_data(phrase)
    if found is None or found.date_obj is None or found.period is None:
        return None
    return Parsed(found.date_obj, found.period)


def _names_its_parts(parser: "DateDataParser", phrase: str, found: Parsed) -> bool:
    """Tell whether more than bare numbers says which part of a date each number is."""
    if found.period == "time" or _YEAR.search(phrase) or not _NUMBER.search(phrase) or _NUMERIC.search(phrase):
        return True
    return found.period != "month" and _parsed(parser, _NUMBER.sub(" ", phrase)) is not None


def _counts_every_number(parser: "DateDataParser", phrase: str, found: Parsed) -> bool:
    for number in _NUMBER.finditer(phrase):
        other = str(int(number[0]) + 1).zfill(len(number[0]))
        if _parsed(parser, phrase[: number.start()] + other + phrase[number.end() :]) == found:
            return False
    return True
