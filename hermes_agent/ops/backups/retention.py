"""Which backups are kept: the last of each of seven days, four weeks and twelve months. Pure."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

_DAYS, _WEEKS, _MONTHS = 7, 4, 12
_PERIODS: Sequence[tuple[int, Callable[[datetime], object]]] = (
    (_DAYS, lambda moment: moment.date()),
    (_WEEKS, lambda moment: moment.isocalendar()[:2]),
    (_MONTHS, lambda moment: (moment.year, moment.month)),
)


def kept(moments: Iterable[datetime]) -> set[datetime]:
    """Return which of the moments stay: of each of the latest days, weeks and months the last, and the newest."""
    newest_first = sorted(moments, reverse=True)
    stay = set(newest_first[:1])
    for most, period in _PERIODS:
        last: dict[object, datetime] = {}
        for moment in newest_first:
            last.setdefault(period(moment), moment)
        stay |= set(list(last.values())[:most])
    return stay
