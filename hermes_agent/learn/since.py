"""Since when something is so, where the words say it: "since March", "from 1 June", "I moved last month",
"I start on Monday".

Pure. Only words that speak of a beginning count: a date beside a statement may be about anything else, and a date
inside the value is what is said, not since when. Of a month or a week its first day is taken.
"""

import re
from datetime import date, datetime, time, timedelta, tzinfo

from hermes_agent import clock
from hermes_agent.learn.patterns import Pattern
from hermes_agent.records.learning import Heard
from hermes_agent.records.statements import Statement
from hermes_agent.text.time_phrases import told_span, whole_span

_SINCE = Pattern(r"\b(?:since|seit|depuis|desde|dal)\s")
_FROM = Pattern(r"\b(?:from|starting(?:\s+(?:from|on|in))?|beginning|effective|as\s+(?:of|from)|ab)\s+")
_GOES_ON = Pattern(r"\s*(?:-|–|(?:to|until|till|through|and)\b)")
_OFTEN = Pattern(r"\b(?:every|each|daily|weekly|monthly|yearly|always)\b")
_BEGAN = Pattern(
    r"\b(?:moved|relocated|started|began|begun|joined|switched|changed|became|got|quit|left|stopped|gave\s+up|dropped"
    r"|adopted|migrated|upgraded|bought|sold|married|divorced|retired|replaced|cancelled|canceled|decided|agreed"
    r"|chose|hired|founded|launched)\b"
)
_BEGINS = Pattern(
    r"\b(?:starts?|begins?|will\s+(?:start|begin|join|move)|(?:starting|beginning|joining|moving|switching)\s+(?:at|to|with|_))\b"
)
_TURNS = Pattern(r"\b(?:turns?|turning|(?:will|going\s+to)\s+(?:be|turn))\s+_|['’]ll\s+(?:be|turn)\s+_")
_LASTING = Pattern(
    r"(?:\b(?:have|has|been)|\w['’](?:ve|s))\b[^.!?]*?\bfor\s+(?:(?:about|around|over|almost|nearly)\s+)?"
    r"(?P<long>(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s+(?:day|week|month|year)s?)\b"
)
_LEADS = Pattern(r"[\s,]*(?:since|seit|depuis|desde|dal|from|starting|beginning|effective|as\s+(?:of|from))\s")
_YEAR = Pattern(r"\b\d{4}\b")
_WEEKDAY = Pattern(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b")
_ENDS = Pattern(r"[.!?;\n]")
_BLANK = "_"


def valid_from(statement: Statement, heard: Heard, zone: tzinfo | None) -> int | None:
    """Return the first moment at which a statement holds, in the owner's zone; None if nothing says so."""
    words = _words(statement, heard.text)
    said = clock.to_datetime(heard.said_at, zone).date()
    turns = _turning(statement, words)
    first = _next(words[turns.end() :], said) if turns else _first_day(words, said)
    return None if first is None else clock.from_datetime(datetime.combine(first, time.min, tzinfo=zone))


def has_no_day(statement: Statement, heard: Heard, zone: tzinfo | None) -> bool:
    """Tell whether an age is one to come, on a day that nobody can tell: it is not the present one."""
    is_to_come = _turning(statement, _words(statement, heard.text)) is not None
    return is_to_come and valid_from(statement, heard, zone) is None


def _turning(statement: Statement, words: str) -> re.Match[str] | None:
    """Find where words say that somebody will be of an age: "turns _ on", "will be _ in"."""
    return _TURNS.search(words) if statement.attribute == "age" else None


def _words(statement: Statement, text: str) -> str:
    """Return the words of a statement without its value, and what leads up to it or follows if that is a time."""
    said = text[statement.start : statement.end].replace(statement.value, _BLANK)
    before = _ENDS.split(text[: statement.start])[-1]
    after = _ENDS.split(text[statement.end :])[0]
    return "".join(
        [before if _LEADS.match(before) else "", said, after if _LEADS.match(after) else ""],
    )


def _first_day(words: str, said: date) -> date | None:
    if since := _SINCE.search(words):
        return _days(words[since.start() :], said)
    if _OFTEN.search(words):
        return None
    if (begins := _BEGINS.search(words)) and (first := _coming(words[begins.end() :], said)):
        return first
    if start := _FROM.search(words):
        return _from(words[start.end() :], said)
    if lasting := _LASTING.search(words):
        long_ago = whole_span(f"{lasting['long']} ago", said)
        return None if long_ago is None else long_ago.start
    if began := _BEGAN.search(words):
        return _days(words[began.end() :], said)
    return None


def _coming(words: str, said: date) -> date | None:
    """Return the first of the days that are still to come."""
    named = told_span(words, said, is_past=False)
    return named.start if named is not None and named.start > said else None


def _next(words: str, said: date) -> date | None:
    """Return the day to come on which somebody turns older; "on 14 October", said in November, is next year's."""
    named = told_span(words, said, is_past=False)
    if named is None or named.start >= said:
        return None if named is None else named.start
    if named.end >= said or _YEAR.search(named.phrase):
        return None
    if _WEEKDAY.search(named.phrase):
        return named.start + timedelta(days=7)
    # Not every year has a 29 February.
    is_leap_day = (named.start.month, named.start.day) == (2, 29)
    return named.start.replace(year=named.start.year + 1, day=28 if is_leap_day else named.start.day)


def _days(words: str, said: date) -> date | None:
    """Return the first of the days that lie before something was said."""
    named = told_span(words, said)
    return named.start if named is not None and named.start <= said else None


def _from(words: str, said: date) -> date | None:
    """Return the day from which something is so; "from Monday to Friday" says how often, not since when."""
    named = told_span(words, said, is_past=False)
    if named is None or not named.phrase or not words.startswith(named.phrase):
        return None
    return None if _GOES_ON.match(words[len(named.phrase) :]) else named.start
