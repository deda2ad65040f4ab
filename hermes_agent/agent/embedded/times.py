"""Stretches of time in questions: "yesterday", "last week", "on 3 May", "in March"."""

import re
from datetime import datetime, timedelta

from hermes_agent.errors import UsageError
from hermes_agent.learn.patterns import Pattern
from hermes_agent.text.dates import Span, read_span

_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
_MONTH = "|".join(_MONTHS)
# Days back, from which hour, until which hour: an evening goes on past midnight.
_PARTS_OF_DAY = {
    "this morning": (0, 0, 12),
    "this afternoon": (0, 12, 18),
    "this evening": (0, 18, 28),
    "tonight": (0, 18, 28),
    "yesterday morning": (1, 0, 12),
    "yesterday evening": (1, 18, 28),
    "last night": (1, 18, 30),
}
_ORDINALS = {
    word: f"{number}th"
    for number, word in enumerate(
        (
            *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
            *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
            *("eighteenth", "nineteenth", "twentieth"),
        ),
        start=1,
    )
}
_ORDINAL = "|".join(_ORDINALS)
TIME = (
    rf"(?:(?:on|last|this|in|during|back\s+in|since)\s+)?(?:today|tonight|yesterday(?:\s+(?:morning|evening))?|last\s+night"
    rf"|this\s+(?:morning|afternoon|evening)|(?:\d{{1,3}}|an?|one|two|three|four|five|six)\s+(?:minutes?|hours?)\s+ago"
    rf"|(?:last\s+|this\s+|on\s+)?(?:{_DAYS})"
    rf"|(?:last|this|the\s+last|the\s+past)\s+(?:week|month|year)|week|month|year|(?:\d{{1,3}}|an?|one|two"
    rf"|three|four|five|six)\s+(?:days?|weeks?|months?|years?)\s+ago"
    rf"|(?:the\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)?|{_ORDINAL})\s+(?:of\s+)?(?:{_MONTH})(?:\s+\d{{4}})?|(?:{_MONTH})\s+\d{{1,2}}(?:st|nd"
    rf"|rd|th)?(?:,?\s+\d{{4}})?|(?:{_MONTH})(?:\s+\d{{4}})?"
    rf"|\d{{4}}(?:-\d{{2}}(?:-\d{{2}})?)?)"
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_LEADING = Pattern(r"^(?:(?:on|in|during|back in|since|the)\s+)+")
_DAY_MONTH = Pattern(
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH})(?:\s+(?P<year>\d{{4}}))?"
)
_MONTH_DAY = Pattern(rf"(?P<month>{_MONTH})\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<year>\d{{4}}))?")
_ONLY_MONTH = Pattern(rf"(?P<month>{_MONTH})(?:\s+(?P<year>\d{{4}}))?")
_FOREIGN = {
    "yesterday": "gestern hier ayer ieri ontem gisteren",
    "today": "heute aujourd'hui hoy oggi hoje vandaag",
    "last week": """letzte_woche letzter_woche la_semaine_dernière la_semana_pasada la_settimana_scorsa
        na_semana_passada vorige_week""",
    "last month": "letzten_monat le_mois_dernier el_mes_pasado il_mese_scorso no_mês_passado vorige_maand",
}
_ENGLISH = {word.replace("_", " "): phrase for phrase, said in _FOREIGN.items() for word in said.split()}


def as_english(phrase: str) -> str:
    """Return the English for a time phrase of another language, or the phrase as it is."""
    return _ENGLISH.get(" ".join(phrase.lower().split()), phrase)


def span_of(phrase: str, now: datetime) -> Span | None:
    """Return the stretch of time a phrase means; None when it means none."""
    said = " ".join(phrase.lower().split())
    text = _LEADING.sub("", said)
    text = {"past week": "last week", "past month": "last month"}.get(text, text)
    if text in _PARTS_OF_DAY:
        back, start, end = _PARTS_OF_DAY[text]
        day = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=back)
        return Span(day + timedelta(hours=start), day + timedelta(hours=end))
    for word, count in _COUNTS.items():
        text = text.replace(f"{word} ", f"{count} ")
    for word, numeral in _ORDINALS.items():
        text = re.sub(rf"\b{word}\b", numeral, text)
    try:
        span = read_span(_iso(text, now) or text, now)
    except (UsageError, ValueError, OverflowError):
        return None
    if said.startswith("since "):
        return Span(span.start, now + timedelta(minutes=1))
    if span.start == span.end:
        # "an hour ago" is no moment: anything from a little before until now.
        return Span(span.start - (now - span.start) / 2, now + timedelta(minutes=1))
    return span


def _iso(text: str, now: datetime) -> str | None:
    """Write a date with a month's name in figures, the latest such date: reading it so needs no library."""
    if match := _DAY_MONTH.fullmatch(text) or _MONTH_DAY.fullmatch(text):
        month, day = _MONTHS.index(match["month"].lower()) + 1, int(match["day"])
        year = int(match["year"]) if match["year"] else now.year - ((month, day) > (now.month, now.day))
        return f"{year:04}-{month:02}-{day:02}"
    if match := _ONLY_MONTH.fullmatch(text):
        month = _MONTHS.index(match["month"].lower()) + 1
        year = int(match["year"]) if match["year"] else now.year - (month > now.month)
        return f"{year:04}-{month:02}"
    return None
