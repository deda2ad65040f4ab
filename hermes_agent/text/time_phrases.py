"""Find the days that a question asks for, or that a statement speaks of, without a model.

"last Tuesday", "in March", "three weeks ago", "between 3 May and 10 May" become stretches of days, seen from the
day they were said. Ordinary words are left alone: "may I", "march on", "sat down" name no day. English has the
most rules, German, French, Spanish, Italian and Portuguese have the common ones.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import NamedTuple

from hermes_agent.text import time_dates, time_relative
from hermes_agent.text.compiled import compiled
from hermes_agent.text.time_days import FIRST_DAY, Days, View, shifted, single, weekday_after, weekday_before
from hermes_agent.text.time_rules import DIGIT, Rule, cues_in
from hermes_agent.text.time_text import Plain, plain
from hermes_agent.text.time_words import (
    COUNT,
    MONTH,
    MONTHS,
    PLAIN_WEEKDAYS,
    UNIT,
    UNIT_DAYS,
    UNITS,
    WEEKDAYS,
    any_of,
    count_of,
    word_set,
)

_MOST_SPANS = 50
_NOON = 12
_QUESTION_SLACK = {"week": 3, "fortnight": 3, "month": 10, "year": 60}
_STATEMENT_SLACK = {"week": 2, "fortnight": 2, "month": 8, "year": 60}
_LONGEST_STRETCH_DAYS = 366

_SIMPLE = (
    time_relative.TWO_DAYS_AWAY,
    *time_dates.EXACT_DATES,
    *time_dates.WIDER_DATES,
    *time_relative.RELATIVE,
    time_dates.FEAST_RULE,
)
_ANY_CUES = frozenset().union(*(rule.cues for rule in _SIMPLE))
_POINTS = (
    time_relative.TWO_DAYS_AWAY,
    *time_dates.EXACT_DATES,
    time_dates.FEAST_RULE,
    time_dates.MONTH_ALONE,
    time_dates.YEAR_ALONE,
    time_relative.LAST_WEEKDAY,
    time_relative.LAST_UNIT,
    time_relative.WEEKDAY_ALONE,
    time_relative.NAMED_DAY,
)
_BEFORE_POINT = r"(?:(?:on|in|the|early|mid|late|le|el|il|den|dem) ){0,2}"
_OPENS = (
    r"\b(?:between|from|zwischen|vom?|entre|de|du|desde|tra|fra|dal?|del) "
    # Without such a word only where a date is followed by a joint: "5 May - 9 May", "March-May 2024".
    rf"|\b(?=(?:\d{{4}}-\d\d-\d\d|(?:\d{{1,2}}(?:st|nd|rd|th|\.)? )?{MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?"
    r"(?:,? \d{4}\b)?)(?:-| - | (?:to|until|till|through|bis) )[\da-z])"
)
_JOINS = r"(?: ?- ?| (?:and|to|until|till|through|bis|und|et|au|a|y|e|al|hasta|ate|ao) )"
_EDGES = (
    r"\b(?:(?P<since>since|seit|depuis|desde|dal)"
    r"|(?P<before>before|prior to|vor|avant|antes d[eo]l?|prima d[ie]l?)"
    r"|(?P<after>after|nach|apres|despues del?|dopo|depois d[eo])) "
)
_OFFSET_CUES = word_set("before prior vor avant antes prima after following nach apres despues dopo depois")
_EDGE_CUES = _OFFSET_CUES | {"since", "seit", "depuis", "desde", "dal"}
_JOIN_CUES = (
    word_set("between from zwischen von vom entre de du desde tra fra da dal del") | MONTHS.keys() | {DIGIT}
)
OFFSET = (
    rf"\b(?:(?P<count>{COUNT}) (?P<unit>{UNIT})"
    rf"|(?:the |der |le |la |el |il |o )?(?P<next>{UNIT}|weekend|night|evening|morning)"
    rf"|(?:the )?(?P<weekday>{any_of(PLAIN_WEEKDAYS)})|(?:shortly|just|right|soon|kurz|juste))"
    r"(?: (?P<before>before|prior to|vor|avant|antes d[eo]l?|prima d[ie]l?)"
    r"| (?P<after>after|following|nach|apres|despues del?|dopo|depois d[eo])) "
)
"""Some days before or after what follows: "two weeks before …", "the day after …"."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The days a question asks for, both included.

    `phrase` are its words as they stand in the text; it is empty for a feast, whose name says more than a day.
    """

    start: date
    end: date
    phrase: str


class _Found(NamedTuple):
    start: int
    end: int
    days: list[Days]
    is_topic: bool = False


def asked_span(text: str, now: datetime, known: tuple[date, date] | None = None) -> Asked | None:
    """Return the stretch of time a question or a task speaks of, asked at `now` in the user's zone.

    `known` are the first and the last day of the memory: a date without a year is placed within them.
    """
    memory = Days(*known) if known else None
    view = View(now.date(), now.hour, is_past=True, is_loose=True, slack=_QUESTION_SLACK, known=memory)
    said = plain(text)
    found = next(_found(said, view), None)
    if found is None:
        return None
    start, end = found.days[0]
    return Asked(start, end, "" if found.is_topic else said.as_written(found.start, found.end))


def told_spans(text: str, said: date) -> list[tuple[date, date]]:
    """Return the days a statement made on a day speaks of, past and future, in the order of how exact they are."""
    view = View(said, _NOON, is_past=False, is_loose=False, slack=_STATEMENT_SLACK)
    read = plain(text)
    spans: dict[tuple[date, date], None] = {}
    taken = bytearray(len(read.text))
    for found in _found(read, view):
        # "last March" is read once, not as a month and as a day of it.
        if taken.find(1, found.start, found.end) >= 0:
            continue
        taken[found.start : found.end] = b"\x01" * (found.end - found.start)
        spans.update(((days.start, days.end), None) for days in found.days)
        if len(spans) >= _MOST_SPANS:
            break
    return list(spans)


def told_span(text: str, said: date, *, is_past: bool = True) -> Asked | None:
    """Return the first days a statement speaks of, taken at their word: before it was said, or the nearest."""
    view = View(said, _NOON, is_past=is_past, is_loose=False, slack={})
    read = plain(text)
    found = next(_found(read, view), None)
    if found is None:
        return None
    return Asked(*found.days[0], read.as_written(found.start, found.end))


def whole_span(phrase: str, today: date) -> Days | None:
    """Return the days that a phrase, which must name nothing else, means to somebody who looks back."""
    view = View(today, _NOON, is_past=True, is_loose=False, slack={})
    said = plain(" ".join(phrase.split()))
    for found in _found(said, view):
        if found.start == 0 and found.end == len(said.text):
            return found.days[0]
    point = _point_at(said, 0, view)
    return point.days[0] if point is not None and point.end == len(said.text) else None


def _found(text: Plain, view: View) -> Iterator[_Found]:
    """Yield what names days, the more exact ways of naming them first."""
    cues = cues_in(text.text)
    if cues.isdisjoint(_ANY_CUES):
        return
    yield from _simple(text, view, (time_relative.TWO_DAYS_AWAY,), cues)
    if not cues.isdisjoint(_JOIN_CUES):
        yield from _stretches(text, view)
    if not cues.isdisjoint(_OFFSET_CUES):
        yield from _offsets(text, view)
    if view.is_past and not cues.isdisjoint(_EDGE_CUES):
        yield from _edges(text, view)
    yield from _simple(text, view, _SIMPLE, cues)


def _simple(text: Plain, view: View, rules: tuple[Rule, ...], cues: set[str]) -> Iterator[_Found]:
    for rule in rules:
        if rule.cues.isdisjoint(cues):
            continue
        for match in rule.pattern.finditer(text.text):
            if days := rule.read(match, text, view):
                yield _Found(match.start(), match.end(), days, rule is time_dates.FEAST_RULE)


def _stretches(text: Plain, view: View) -> Iterator[_Found]:
    """Yield "between 3 May and 10 May", "from March to May"."""
    for opening in compiled(_OPENS).finditer(text.text):
        first = _point_at(text, opening.end(), view)
        joint = first and compiled(_JOINS).match(text.text, first.end)
        last = _point_at(text, joint.end(), view) if joint else None
        if first is None or last is None:
            continue
        start, end = first.days[0].start, last.days[0].end
        if not 0 <= (end - start).days <= _LONGEST_STRETCH_DAYS:
            # "from November to February", "from March to May 2023": the first is the last such before the second.
            again = _point_at(text, opening.end(), replace(view, today=end, is_past=True, known=None))
            start = again.days[0].start if again else start
        if start <= end:
            yield _Found(opening.start(), last.end, [Days(start, end)])


def _offsets(text: Plain, view: View) -> Iterator[_Found]:
    """Yield "a week before Christmas", "the day after 3 May"."""
    for opening in compiled(OFFSET).finditer(text.text):
        point = _point_at(text, opening.end(), view)
        if point is None:
            continue
        yield _Found(opening.start(), point.end, [_offset_from(opening, point.days[0])])


def _offset_from(opening: re.Match[str], point: Days) -> Days:
    if opening["weekday"]:
        weekday = WEEKDAYS[opening["weekday"]]
        before = opening["before"] is not None
        return single(weekday_before(point.start, weekday) if before else weekday_after(point.end, weekday))
    first, last = offset_days(opening)
    base = point.start if opening["before"] else point.end
    return Days(shifted(base, first), shifted(base, last))


def _edges(text: Plain, view: View) -> Iterator[_Found]:
    """Yield "since Tuesday", "before June", "after 3 May"."""
    for opening in compiled(_EDGES).finditer(text.text):
        point = _point_at(text, opening.end(), view)
        if point is None:
            continue
        start, end = point.days[0]
        if opening["before"]:
            first = view.known.start if view.known and view.known.start < start else FIRST_DAY
            days = Days(first, max(first, shifted(start, -1)))
        else:
            first = start if opening["since"] else shifted(end, 1)
            days = Days(first, max(first, view.today))
        yield _Found(opening.start(), point.end, [days])


def _point_at(text: Plain, place: int, view: View) -> _Found | None:
    """Read the day or the month named at one place of the text, as an end of a stretch."""
    lead = compiled(_BEFORE_POINT).match(text.text, place)
    for at in dict.fromkeys((place, lead.end() if lead else place)):
        for rule in _POINTS:
            match = rule.pattern.match(text.text, at)
            if match and (days := rule.read(match, text, view)):
                return _Found(match.start(), match.end(), days)
    return None


def is_point(text: Plain, place: int) -> bool:
    """Tell whether a date stands at one place of the text."""
    view = View(date(2024, 1, 1), _NOON, is_past=False, is_loose=False, slack={})
    return _point_at(text, place, view) is not None


def offset_days(opening: re.Match[str]) -> tuple[int, int]:
    """Return between how many days after something (before it: negative) the words of `OFFSET` mean."""
    if opening["count"]:
        unit = UNITS[opening["unit"]]
        middle = int(UNIT_DAYS.get(unit, 0) * count_of(opening["count"]))
        slack = min(_QUESTION_SLACK.get(unit, 0), middle)
        first, last = middle - slack, middle + slack
    else:
        is_part = opening["next"] in ("night", "evening", "morning")
        unit = "day" if is_part else UNITS.get(opening["next"] or "", "week")
        first, last = min(1, int(UNIT_DAYS.get(unit, 0))), int(UNIT_DAYS.get(unit, 0))
    return (-last, -first) if opening["before"] else (first, last)
