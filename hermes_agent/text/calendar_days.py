"""Tell dates that no calendar has: 31 February, 30.02.1990, 29 February 2023, 12 May 0000."""

import re
from datetime import date

from hermes_agent.text.time_words import MONTH, MONTHS
from hermes_agent.text.words import fold

_ANY_LEAP_YEAR = 2000
_LEAD = r"(?:(?:on )?the |on |am |der |den |le |el |il )?"
_YEAR = r"(?:,? (?:in |of |de |del )?(?P<year>\d{4}))?"
_WRITTEN = (
    re.compile(rf"{_LEAD}(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of |de |di )?(?P<month>{MONTH})\b\.?{_YEAR}"),
    re.compile(rf"{_LEAD}(?P<month>{MONTH})\b\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?{_YEAR}"),
    re.compile(r"(?P<year>\d{4})[./-](?P<month>\d{1,2})[./-](?P<day>\d{1,2})"),
)
_EITHER_WAY = re.compile(r"(?P<first>\d{1,2})[./-](?P<second>\d{1,2})[./-](?P<year>\d{4})")


def names_no_day(text: str) -> bool:
    """Tell whether a text is a date, and one that does not exist; without a year some year must have it."""
    phrase = fold(text).strip(" .!")
    for pattern in _WRITTEN:
        if match := pattern.fullmatch(phrase):
            month = MONTHS[match["month"]] if match["month"] in MONTHS else int(match["month"])
            return not _exists(match["year"], month, int(match["day"]))
    if match := _EITHER_WAY.fullmatch(phrase):
        first, second = int(match["first"]), int(match["second"])
        return not (_exists(match["year"], first, second) or _exists(match["year"], second, first))
    return False


def _exists(year: str | None, month: int, day: int) -> bool:
    try:
        date(_ANY_LEAP_YEAR if year is None else int(year), month, day)
    except ValueError:
        return False
    return True
