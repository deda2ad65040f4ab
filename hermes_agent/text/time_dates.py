"""Dates of the calendar: figures, days of months, months, seasons, feasts, years."""

import re

from hermes_agent.text.compiled import compiled
from hermes_agent.text.time_days import (
    Days,
    View,
    chosen,
    day_of,
    is_known,
    months_from,
    shifted,
    week_of,
    year_of,
    years_around,
)
from hermes_agent.text.time_rules import DIGIT, Rule, cues, is_cedilla, is_month
from hermes_agent.text.time_text import Plain
from hermes_agent.text.time_words import (
    FEAST,
    FEASTS,
    MONTH,
    MONTHS,
    ORDINALS,
    SEASON,
    SEASONS,
    WORDS_TOO,
    any_of,
    word_set,
)

_YEAR = r"(?P<year>(?:1[6-9]|20|21)\d\d)\b"
_AND_YEAR = rf"(?:[.,]?[ -](?:of |de |del )?{_YEAR})?"
_DAY = r"(?P<day>\d{1,2})(?P<nth>st|nd|rd|th|er|o|\.)?"
_NTH_DAY = r"(?P<day>\d{1,2})(?P<nth>st|nd|rd|th)?"
_NAME = rf"(?P<month>{MONTH})"
_TO = r" ?(?:-|to|until|till|through|and|bis|und|au|et|al|y|e|a|ao) ?"
_NO_COUNT = (
    r"(?![\d%])(?![:.,]\d)(?! (?:people|percent|times|users|days|weeks|months|years|hours|minutes|miles|km)\b)"
)
_LEADS = (
    *("in", "during", "since", "until", "till", "by", "of", "early", "mid", "late", "last", "next", "im", "en"),
    *(
        "em",
        "seit",
        "depuis",
        "desde",
        "bis",
        "ende",
        "anfang",
        "mitte",
        "fin",
        "debut",
        "letzten",
        "a",
        "nel",
        "back in",
    ),
)
_WEAK_LEADS = ("this", "for", "around", "throughout", "diesen", "ce", "este", "questo")
# Before verbs, too: "a march through", "the sound of march music".
_LOOSE_LEADS = ("of", "a", "by", "until", "till")
_FRENCH_LEADS = word_set("en fin debut depuis mi")
_PARTS = {
    **dict.fromkeys(("beginning of", "start of", "anfang", "debut", "inizio", "inicio de", "principios de"), 0),
    **dict.fromkeys(("middle of", "mitte", "mi"), 1),
    **dict.fromkeys(("end of", "ende", "fin", "fine", "finales de", "fim de", "final de"), 2),
}
_PARTS_OF_YEAR = {
    **dict.fromkeys(("beginning of", "start of", "early", "early in", "anfang", "debut", "inizio"), (1, 4)),
    **dict.fromkeys(("middle of", "mid", "mitte"), (5, 4)),
    **dict.fromkeys(("end of", "late", "late in", "ende", "fin"), (9, 4)),
    **dict.fromkeys(("first half of",), (1, 6)),
    **dict.fromkeys(("second half of",), (7, 6)),
    **{f"q{number + 1}": (3 * number + 1, 3) for number in range(4)},
}
"""Which part of a year → its first month, and how many."""
_WEEK_OF_MONTH = {"first": 0, "second": 1, "third": 2, "fourth": 3}
_PLAIN_SEASONS = SEASONS.keys() - {"estate", "ete", "primavera"}
_LAST = r"last|past|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?"
_NEXT = r"next|nachste[nrsm]?|kommende[nrsm]?"
_THIS_SEASON = r"this|diese[nrsm]?|(?:in|over|during|since) the|im|in diesem"
_PASSED = r"(?: dernier| derniere| pasad[oa]| passad[oa]| scors[oa])"


def _one(days: Days | None) -> list[Days]:
    return [] if days is None else [days]


def _iso(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return _one(day_of(int(found["year"]), int(found["month"]), int(found["day"])))


def _iso_month(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    month = int(found["month"])
    return _one(months_from(int(found["year"]), month)) if 1 <= month <= 12 else []


def _figures(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    """Read 7.5.2023 with the day first and 5/7/2023 with the month first, unless only the other way is a date."""
    if found["joint"] == "." and len(found["year"]) == 2 and not found["lead"]:
        return []  # a version of something
    first, second, year = int(found["first"]), int(found["second"]), int(found["year"])
    year += 2000 if year < 100 else 0
    ways = [(second, first), (first, second)]
    dates = [day_of(year, *way) for way in (reversed(ways) if found["joint"] == "/" else ways)]
    possible = [days for days in dates if days is not None]
    return ([days for days in possible if is_known(view, days)] or possible)[:1]


def _day_figures(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    day, month = int(found["day"]), int(found["month"])
    return _one(chosen(view, [day_of(each, month, day) for each in years_around(view)]))


def _day_alone(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    """Read "on the 3rd": of this month, or of the one before or after."""
    months = (months_from(view.today.year, view.today.month + step) for step in (1, 0, -1, -2))
    starts = [days.start for days in months if days is not None]
    return _one(chosen(view, [day_of(start.year, start.month, int(found["day"])) for start in starts]))


def _day_and_month(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    if not is_month(found, text):
        return []
    return _one(_day(view, int(found["day"]), found["month"], found["year"]))


def _ordinal_of_month(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return _one(_day(view, ORDINALS[found["ordinal"]], found["month"], found["year"]))


def _day(view: View, day: int, month: str, year: str | None) -> Days | None:
    if year:
        return day_of(int(year), MONTHS[month], day)
    return chosen(view, [day_of(each, MONTHS[month], day) for each in years_around(view)])


def _days_of_month(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    if not is_month(found, text):
        return []
    last = _day(view, int(found["day"]), found["month"], found["year"])
    if last is None or not 1 <= int(found["from"]) < last.start.day:
        return []
    return [Days(last.start.replace(day=int(found["from"])), last.end)]


def _week_of_month(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    if not (found["month"] or found["year"]):
        return []
    # "first week of 2024" is one of January.
    whole = _month(view, found["month"] or "january", found["year"])
    if whole is None:
        return []
    if found["which"] == "last":
        start = shifted(whole.end, -6)
    else:
        start = shifted(whole.start, 7 * _WEEK_OF_MONTH[found["which"]])
    # A week more than it says: people count weeks from the first or from the first Monday.
    return [Days(start, shifted(start, 7))]


def _week_of_day(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    for rule in (DAY_MONTH, MONTH_DAY, ISO):
        day = rule.pattern.match(text.text, found.start("day"))
        if day and (days := rule.read(day, text, view)):
            return [week_of(days[0].start)]
    return []


def _part_of_month(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    if found["month"] == "marco" and not is_cedilla(found, text):
        return []
    whole = _month(view, found["month"], found["year"])
    if whole is None:
        return []
    tenth, twentieth = shifted(whole.start, 9), shifted(whole.start, 19)
    parts = (Days(whole.start, tenth), Days(shifted(tenth, 1), twentieth), Days(shifted(twentieth, 1), whole.end))
    return [parts[_PARTS[found["part"]]]]


def _month_led(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    if not _is_led_month(found, text):
        return []
    return _one(_month(view, found["month"], found["year"], found["lead"]))


def _is_led_month(found: re.Match[str], text: Plain) -> bool:
    """Tell whether a month's name after such a word means the month: "this may be" and "in Mars" do not."""
    word, lead = found["month"], found["lead"]
    if word == "marco":
        return is_cedilla(found, text)
    if found["year"] or word not in WORDS_TOO:
        return True
    if word in ("mar", "mars"):
        return word == "mars" and lead in _FRENCH_LEADS
    if text.is_capital(found.start("month")):
        return True
    goes_on = compiled(" [a-z]").match(text.text, found.end()) is not None
    return lead not in _WEAK_LEADS and not (goes_on and lead in _LOOSE_LEADS)


def _month_and_year(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return _one(_month(view, found["month"], found["year"]))


def _month_alone(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    if found["month"] in ("mar", "marco") and not found["year"]:
        return []
    return _month_and_year(found, text, view)


def _month(view: View, name: str, year: str | None, lead: str = "") -> Days | None:
    if year:
        return months_from(int(year), MONTHS[name])
    months = [days for each in years_around(view) if (days := months_from(each, MONTHS[name]))]
    return _by_lead(view, months, lead)


def _by_lead(view: View, candidates: list[Days], lead: str) -> Days | None:
    """Choose the last one that is over, the next one that comes, or the one that is meant."""
    if compiled(_LAST).fullmatch(lead):
        return next((days for days in candidates if days.end < view.today), None)
    if compiled(_NEXT).fullmatch(lead):
        return next((days for days in reversed(candidates) if days.start > view.today), None)
    return chosen(view, candidates)


def _season_of_year(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return _one(months_from(int(found["year"]), SEASONS[found["season"]], 3))


def _season(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    month = SEASONS[found["season"]]
    seasons = [days for each in years_around(view) if (days := months_from(each, month, 3))]
    return _one(_by_lead(view, seasons, found["lead"] or "last"))


def _whole_year(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return _one(year_of(int(found["year"])))


def _part_of_year(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    first, count = _PARTS_OF_YEAR[found["part"]]
    return _one(months_from(int(found["year"]), first, count))


def _feast(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    month, day, more = next(when for said, when in FEASTS.items() if compiled(said).fullmatch(found["feast"]))
    years = [int(found["year"]) - _is_new_year(found["feast"])] if found["year"] else years_around(view)
    starts = [days.start for each in years if (days := day_of(each, month, day))]
    feasts = [Days(start, shifted(start, more)) for start in starts]
    return _one(feasts[0] if found["year"] and feasts else _by_lead(view, feasts, found["lead"] or ""))


def _is_new_year(feast: str) -> bool:
    """Tell the feast that begins the year it is called by in the year before."""
    return feast.startswith("new year") and not feast.endswith("eve")


_MONTH_CUES = cues(MONTHS)
ISO = Rule(r"(?<![\w-])(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})(?!\d|-\d)", cues([DIGIT]), _iso)
_ISO_MONTH = Rule(r"(?<![\w-])(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?![\w-])", cues([DIGIT]), _iso_month)
_FIGURES = Rule(
    r"(?:\b(?P<lead>am|vom|den|on|since|until|bis|seit|le|el|il|em|du|zum|ab) )?(?<![\w./-])(?P<first>\d{1,2})"
    r"(?P<joint>[./-])(?P<second>\d{1,2})(?P=joint)(?P<year>\d{4}|\d\d)(?![\w/-])(?!\.\d)",
    cues([DIGIT]),
    _figures,
)
_DAY_FIGURES = Rule(
    r"\b(?:am|vom|bis|seit|zum|den|ab) (?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?!\d)", cues([DIGIT]), _day_figures
)
_DAY_ALONE = Rule(r"\bon the (?P<day>\d{1,2})(?:st|nd|rd|th)\b(?= ?(?:$|[?!.,;:)]))", cues([DIGIT]), _day_alone)
_DAYS_OF_MONTH = Rule(
    rf"(?<![\w.,/:])(?P<from>\d{{1,2}})(?:st|nd|rd|th|\.)?{_TO}{_DAY} (?:of |de |di )?{_NAME}\b{_AND_YEAR}",
    _MONTH_CUES,
    _days_of_month,
)
_MONTH_DAYS = Rule(
    rf"\b{_NAME}\.? (?P<from>\d{{1,2}})(?:st|nd|rd|th)? ?(?:-|to|until|till|through) ?"
    rf"{_NTH_DAY}{_NO_COUNT}{_AND_YEAR}",
    _MONTH_CUES,
    _days_of_month,
)
DAY_MONTH = Rule(
    rf"(?<![\w.,/:])(?:the )?{_DAY}[ -](?:of |de |di )?{_NAME}\b{_AND_YEAR}", _MONTH_CUES, _day_and_month
)
MONTH_DAY = Rule(rf"\b{_NAME}\.? (?:the )?{_NTH_DAY}{_NO_COUNT}{_AND_YEAR}", _MONTH_CUES, _day_and_month)
_ORDINAL_OF_MONTH = Rule(
    rf"\b(?:the )?(?P<ordinal>{any_of(ORDINALS)}) of {_NAME}\b{_AND_YEAR}", _MONTH_CUES, _ordinal_of_month
)
_WEEK_OF_MONTH_RULE = Rule(
    rf"\b(?P<which>first|second|third|fourth|last) (?:week|weekend) (?:of|in)(?: {_NAME}\b)?{_AND_YEAR}",
    cues(["week", "weekend"]),
    _week_of_month,
)
_WEEK_OF_DAY = Rule(
    rf"\b(?:week of|woche (?:vom|ab)|semaine du|semana del?|settimana del) (?=(?:the )?(?:{MONTH} )?\d)"
    rf"(?P<day>(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of)? {MONTH}\b|{MONTH} \d{{1,2}}|\d{{4}}-\d\d?-\d\d?)"
    r"(?:st|nd|rd|th)?(?:,? (?:1[6-9]|20|21)\d\d\b)?)",
    cues(["week", "woche", "semaine", "semana", "settimana"]),
    _week_of_day,
)
_PART_OF_MONTH = Rule(rf"\b(?P<part>{any_of(_PARTS)}) {_NAME}\b{_AND_YEAR}", _MONTH_CUES, _part_of_month)
_MONTH_LED = Rule(
    rf"\b(?P<lead>{any_of(_LEADS + _WEAK_LEADS)})[ -](?:(?:early|mid|late|the month of|ende|anfang)[ -])?"
    rf"{_NAME}\b(?!'| \d{{1,2}}\b){_AND_YEAR}",
    _MONTH_CUES,
    _month_led,
)
_MONTH_AND_YEAR = Rule(rf"\b{_NAME}(?:\.?,?| of| de| del) {_YEAR}", _MONTH_CUES, _month_and_year)
MONTH_ALONE = Rule(rf"\b{_NAME}\b{_AND_YEAR}", _MONTH_CUES, _month_alone)
_SEASON_OF_YEAR = Rule(rf"\b(?:(?P<season>{SEASON}) (?:of |de |del )?{_YEAR})", cues(SEASONS), _season_of_year)
_SEASON_LED = Rule(
    rf"\b(?P<lead>{_LAST}|{_NEXT}|{_THIS_SEASON}) (?P<season>{any_of(_PLAIN_SEASONS)})\b", cues(SEASONS), _season
)
_SEASON_PASSED = Rule(rf"\b(?P<season>{SEASON})(?P<lead>){_PASSED}\b", cues(SEASONS), _season)
_YEAR_RULE = Rule(
    r"\b(?:in|since|during|of|until|by|(?<!new )year|en|em|nel|seit|depuis|desde|im jahre?) (?:the year )?"
    r"(?P<year>(?:19|20)\d\d)\b(?! [a-z]{3,}s\b)(?![-/.:]\d)",
    cues([DIGIT]),
    _whole_year,
)
YEAR_ALONE = Rule(r"(?P<year>(?:19|20)\d\d)\b(?! [a-z]{3,}s\b)(?![-/.:]\d)", cues([DIGIT]), _whole_year)
_PART_OF_YEAR = Rule(
    rf"\b(?P<part>{any_of(_PARTS_OF_YEAR)})(?: of)?[ /-]{_YEAR}(?![-/.:]\d)", cues([DIGIT]), _part_of_year
)
FEAST_RULE = Rule(
    rf"\b(?:(?P<lead>{_LAST}|{_NEXT}|this) )?(?P<feast>{FEAST})\b(?:,? {_YEAR})?",
    word_set(
        """year years silvester neujahr nouvel nochevieja ano capodanno christmas xmas weihnachten heiligabend
        navidad noel natale natal valentine valentines valentinstag valentin halloween thanksgiving independence
        july"""
    ),
    _feast,
)

EXACT_DATES = (
    *(ISO, _FIGURES, _DAY_FIGURES, _WEEK_OF_DAY, _DAYS_OF_MONTH, _MONTH_DAYS, DAY_MONTH, MONTH_DAY),
    *(_ORDINAL_OF_MONTH, _DAY_ALONE),
)
"""Rules for days of the calendar, in the order in which they are tried."""

WIDER_DATES = (
    *(_ISO_MONTH, _WEEK_OF_MONTH_RULE, _PART_OF_MONTH, _MONTH_LED, _MONTH_AND_YEAR, _SEASON_OF_YEAR, _SEASON_LED),
    *(_SEASON_PASSED, _PART_OF_YEAR, _YEAR_RULE),
)
"""Rules for months, seasons and years, in the order in which they are tried."""
