"""Days named by how far they are from the one who speaks: yesterday, last week, three Tuesdays ago."""

import re

from hermes_agent.text.compiled import compiled
from hermes_agent.text.time_days import (
    Days,
    View,
    moved,
    shifted,
    single,
    unit_of,
    week_of,
    weekday_after,
    weekday_before,
)
from hermes_agent.text.time_rules import Rule, cues
from hermes_agent.text.time_text import Plain
from hermes_agent.text.time_words import (
    COUNT,
    PLAIN_WEEKDAYS,
    UNIT,
    UNIT_DAYS,
    UNITS,
    WEEKDAY,
    WEEKDAYS,
    any_of,
    count_of,
    word_set,
)

_SATURDAY, _SUNDAY, _TUESDAY = 5, 6, 1
_SPANS = any_of(word for word, unit in UNITS.items() if unit in ("week", "month", "year") and word != "an")
_LAST = r"(?:last|(?:this )?past|previous|letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?|scors[oa]|pass?ad[oa])"
_PASSED = r"(?:dernier|derniere|passee?|pass?ad[oa]|scors[oa])"
_NEXT = r"(?:next|coming|upcoming|nachste[nrsm]?|kommende[nrsm]?|proxim[oa]|prossim[oa])"
_COMES = r"(?:prochaine?|que viene|que vem|prossim[oa])"
_THIS = r"(?:this|diese[nrsm]?|cette|ce|esta|este|questa|questo)"
_PART_OF_DAY = "(?: (?:morning|afternoon|evening|night))?"
_NAMED_DAYS = {
    -2: r"(?:the )?day before yesterday|vorgestern|avant-hier|anteayer|antier|l'altro ieri|avantieri|anteontem",
    -1: rf"yesterday{_PART_OF_DAY}|last night|the day before(?= ?(?:$|[.,;!?]))|gestern|hier|ayer|ieri|ontem",
    0: r"today|tonight|this (?:morning|afternoon|evening)|just now|heute|aujourd'hui|ce matin|ce soir|hoy"
    r"|esta manana|oggi|stamattina|stasera|hoje",
    1: rf"tomorrow{_PART_OF_DAY}|morgen|demain|(?<!la )(?<!esta )manana|domani|amanha",
    2: r"(?:the )?day after tomorrow|ubermorgen|apres-demain|pasado manana|dopodomani|depois de amanha",
}
_GERMAN = word_set("ich du wir er der die das den dem ist und nicht was wie wo wer ein eine sind es gibt")
_MORNING_BEFORE = r"\b(?:guten|heute|gestern|am|jeden|diesen) $"
_EVERY = r"\b(?:every|each|any|most|all|black|good|ash|jeden|jeder) $"


def _one(days: Days | None) -> list[Days]:
    return [] if days is None else [days]


def _named_day(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    said = found[0]
    if said == "hier" and not _GERMAN.isdisjoint(compiled("[a-z]+").findall(text.text)):
        return []  # German: here
    if said == "morgen" and _is_morning(found, text):
        return []
    days = next(days for days, words in _NAMED_DAYS.items() if compiled(words).fullmatch(text.text, *found.span()))
    return [single(shifted(view.today, days))]


def _is_morning(found: re.Match[str], text: Plain) -> bool:
    before = text.text[max(0, found.start() - 10) : found.start()]
    return compiled(_MORNING_BEFORE).search(before) is not None


def _ago(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return _one(_away(view, -count_of(found["count"]), UNITS[found["unit"]]))


def _ahead(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return _one(_away(view, count_of(found["count"]), UNITS[found["unit"]]))


def _in_future(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    # A question's "in two weeks" is mostly how long something took, and "in five minutes" always.
    is_long = UNITS[found["unit"]] in UNIT_DAYS
    return _ahead(found, text, view) if is_long and not view.is_past else []


def _away(view: View, count: int, unit: str) -> Days | None:
    if unit == "minute":
        return single(view.today)
    if unit == "hour":
        return single(shifted(view.today, (view.hour + count) // 24))
    return moved(view, count, unit)


def _weekdays_ago(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    last = weekday_before(view.today, WEEKDAYS[found["weekday"]])
    return [single(shifted(last, -7 * (count_of(found["count"]) - 1)))]


def _last_unit(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    unit = UNITS[found["unit"]]
    if view.is_loose and unit != "year":
        return [Days(shifted(view.today, -2 * UNIT_DAYS[unit]), view.today)]
    is_rolling = "past" in found[0].split() or text.text[: found.start()].endswith("the ")
    if is_rolling and unit == "year":
        return [Days(shifted(view.today, -365), view.today)]
    return _one(unit_of(view.today, unit, -1))


def _before_last(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return _one(unit_of(view.today, UNITS[found["unit"] or found["other"]], -2))


def _this_unit(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    whole = unit_of(view.today, UNITS[found["unit"]], 0)
    if whole is None:
        return []
    if found["part"] == "earlier":
        return [Days(whole.start, view.today)]
    return [Days(view.today, whole.end)] if found["part"] == "later" else [whole]


def _next_unit(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return _one(unit_of(view.today, UNITS[found["unit"]], 1))


def _last_few(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    unit, count = UNITS[found["unit"]], count_of(found["count"])
    if unit in ("minute", "hour"):
        return [Days(days.start, view.today)] if (days := _away(view, -count, unit)) else []
    # Who asks counts loosely: two days more.
    more = 2 if view.is_loose else 0
    return [Days(shifted(view.today, -int(count * UNIT_DAYS[unit]) - more), view.today)]


def _next_few(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    unit = UNITS[found["unit"]]
    days = UNIT_DAYS.get(unit, 1) * count_of(found["count"])
    return [Days(view.today, shifted(view.today, days))]


def _last_weekday(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return [single(weekday_before(view.today, WEEKDAYS[found["weekday"]]))]


def _next_weekday(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    next_one = weekday_after(view.today, WEEKDAYS[found["weekday"]])
    # Said shortly before, "next Friday" may well be the one after.
    is_soon = (next_one - view.today).days < 3
    return [Days(next_one, shifted(next_one, 7 if is_soon else 0))]


def _weekday_last_week(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    monday = week_of(shifted(view.today, -7)).start
    return [single(shifted(monday, WEEKDAYS[found["weekday"] or found["other"]]))]


def _weekday(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    """Read "on Friday": a question means the last one, a statement the last or the next."""
    if compiled(_EVERY).search(text.text[max(0, found.start() - 8) : found.start()]):
        return []
    weekday = WEEKDAYS[found["weekday"]]
    before, after = weekday_before(view.today, weekday), weekday_after(view.today, weekday)
    if not view.is_past:
        return [single(before), single(after)]
    if found["lead"] == "this":
        return [single(shifted(week_of(view.today).start, weekday))]
    return [single(before)]


def _last_weekend(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    sunday = weekday_before(view.today, _SUNDAY)
    return [Days(shifted(sunday, -1), sunday)]


def _this_weekend(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    if view.is_past and view.today.weekday() <= _TUESDAY:
        return _last_weekend(found, text, view)
    saturday = shifted(week_of(view.today).start, _SATURDAY)
    is_next = compiled(_NEXT).match(found[0]) is not None
    return [Days(saturday, shifted(saturday, 8 if is_next else 1))]


def _other_day(found: re.Match[str], text: Plain, view: View) -> list[Days]:
    return [Days(shifted(view.today, -7), view.today)]


_UNIT_CUES = cues(UNITS.keys() - {"an"})
_WEEKDAY_CUES = cues(WEEKDAYS)
_BARE_WEEKDAY = any_of(PLAIN_WEEKDAYS)
_ENDINGS = ("", "n", "r", "s", "m")
_LAST_CUES = word_set("last past previous scorso scorsa pasado pasada passado passada") | {
    stem + ending for stem in ("letzte", "vorige", "vergangene") for ending in _ENDINGS
}
_PASSED_CUES = word_set("dernier derniere passe passee pasado pasada passado passada scorso scorsa")
_NEXT_CUES = word_set("next coming upcoming proximo proxima prossimo prossima") | {
    stem + ending for stem in ("nachste", "kommende") for ending in _ENDINGS
}
_COUNTED = rf"(?P<count>{COUNT}) (?P<unit>{UNIT})"
TWO_DAYS_AWAY = Rule(
    rf"\b(?:{_NAMED_DAYS[-2]}|{_NAMED_DAYS[2]})\b",
    word_set(
        """yesterday tomorrow vorgestern avant anteayer antier altro avantieri anteontem ubermorgen apres pasado
        dopodomani depois"""
    ),
    _named_day,
)
NAMED_DAY = Rule(
    rf"\b(?:{_NAMED_DAYS[-1]}|{_NAMED_DAYS[0]}|{_NAMED_DAYS[1]})\b",
    word_set(
        """yesterday night before gestern hier ayer ieri ontem today tonight morning afternoon evening now heute
        aujourd matin soir hoy manana oggi stamattina stasera hoje tomorrow morgen demain domani amanha"""
    ),
    _named_day,
)
_WEEKDAY_LAST_WEEK = Rule(
    rf"\b(?P<weekday>{WEEKDAY}){_PART_OF_DAY} (?:of |in )?(?:last week|letzter? woche|vorige[rn]? woche)\b"
    rf"|\b(?:last week|letzte woche)(?: on| am)? (?P<other>{_BARE_WEEKDAY})\b",
    _WEEKDAY_CUES,
    _weekday_last_week,
)
LAST_WEEKDAY = Rule(rf"\b{_LAST} (?P<weekday>{WEEKDAY})\b{_PART_OF_DAY}", _LAST_CUES, _last_weekday)
_WEEKDAY_PASSED = Rule(rf"\b(?:el |na |no )?(?P<weekday>{WEEKDAY}) {_PASSED}\b", _PASSED_CUES, _last_weekday)
_NEXT_WEEKDAY = Rule(rf"\b{_NEXT} (?P<weekday>{WEEKDAY})\b", _NEXT_CUES, _next_weekday)
_ON_WEEKDAY = Rule(
    rf"\b(?P<lead>on|this|since|until|by|am|seit|bis|el|le|depuis|desde) (?P<weekday>{WEEKDAY})\b(?!-)"
    rf"{_PART_OF_DAY}",
    _WEEKDAY_CUES,
    _weekday,
)
_BARE = Rule(
    rf"\b(?P<lead>)(?P<weekday>{_BARE_WEEKDAY})(?:(?= ?(?:$|[?!.,;:)']))| (?:morning|afternoon|evening|night)\b)",
    _WEEKDAY_CUES,
    _weekday,
)
WEEKDAY_ALONE = Rule(rf"(?P<lead>)(?P<weekday>{WEEKDAY})\b{_PART_OF_DAY}", _WEEKDAY_CUES, _weekday)
LAST_UNIT = Rule(rf"\b{_LAST} (?P<unit>{_SPANS})\b", _LAST_CUES, _last_unit)
_UNIT_PASSED = Rule(rf"\b(?:l')?(?P<unit>{_SPANS}|(?<=l')an) {_PASSED}\b", _PASSED_CUES, _last_unit)
_NEXT_UNIT = Rule(rf"\b{_NEXT} (?P<unit>{_SPANS})\b", _NEXT_CUES, _next_unit)
_UNIT_COMES = Rule(
    rf"\b(?P<unit>{_SPANS}) {_COMES}\b", word_set("prochain prochaine que prossimo prossima"), _next_unit
)
_AGO = Rule(rf"\b{_COUNTED} (?:ago|back|fa|atras)\b", word_set("ago back fa atras"), _ago)
_FOREIGN_AGO = Rule(
    rf"\b(?:vor|il y a|hace|ha|faz) (?:etwa |rund |circa |environ )?(?P<count>{COUNT}) (?P<unit>{UNIT}|an)\b",
    word_set("vor il hace ha faz"),
    _ago,
)
_WEEKDAYS_AGO = Rule(
    rf"\b(?P<count>{COUNT}) (?P<weekday>{_BARE_WEEKDAY})s? ago\b",
    cues(["ago"]),
    _weekdays_ago,
)
_BEFORE_LAST = Rule(
    r"\b(?:the )?(?P<unit>week|month|year) before last\b|\bvorletzte[nrsm]? (?P<other>woche|monat|jahr)\b",
    cues(["before", "vorletzte", "vorletzten", "vorletzter", "vorletztes"]),
    _before_last,
)
_FROM_NOW = Rule(rf"\b{_COUNTED} from (?:now|today)\b", cues(["from"]), _ahead)
_IN_FUTURE = Rule(rf"\b(?:in|dans|en|tra|fra|em) {_COUNTED}\b(?:'s?)?(?: time)?", _UNIT_CUES, _in_future)
_THIS_UNIT = Rule(rf"\b(?:(?P<part>earlier|later) )?{_THIS} (?P<unit>{_SPANS})\b", _UNIT_CUES, _this_unit)
_LAST_FEW = Rule(
    rf"\b(?:past|last|letzten|vergangenen|ultim[aieo]s?) {_COUNTED}\b",
    _LAST_CUES | word_set("ultimos ultimas ultimi ultime"),
    _last_few,
)
_NEXT_FEW = Rule(
    rf"\b(?:next|nachsten|kommenden|proxim[ao]s|prossim[ie]) {_COUNTED}\b",
    _NEXT_CUES | word_set("nachsten kommenden proximos proximas prossimi prossime"),
    _next_few,
)
_WEEKENDS = r"(?:weekend|wochenende|week-end|fin de semana|fim de semana|fine settimana)"
_WEEKEND_CUES = cues(["weekend", "wochenende", "week", "fin", "fim", "fine"])
_LAST_WEEKEND = Rule(
    rf"\b(?:(?:{_LAST}|over the) {_WEEKENDS}|{_WEEKENDS} {_PASSED})\b", _WEEKEND_CUES, _last_weekend
)
_THIS_WEEKEND = Rule(
    rf"\b(?:{_THIS}|{_NEXT}|on the|at the|am|ce|este) {_WEEKENDS}\b", _WEEKEND_CUES, _this_weekend
)
_OTHER_DAY = Rule(r"\bthe other (?:day|night)\b", cues(["other"]), _other_day)

RELATIVE = (
    *(_WEEKDAY_LAST_WEEK, _WEEKDAYS_AGO, _AGO, _FOREIGN_AGO, _FROM_NOW, _BEFORE_LAST, LAST_UNIT, _UNIT_PASSED),
    *(_LAST_FEW, _NEXT_FEW, _NEXT_UNIT, _UNIT_COMES, _THIS_UNIT, _LAST_WEEKEND, _THIS_WEEKEND, LAST_WEEKDAY),
    *(_WEEKDAY_PASSED, _NEXT_WEEKDAY, _ON_WEEKDAY, NAMED_DAY, _OTHER_DAY, _IN_FUTURE, _BARE),
)
"""Rules for days seen from today, in the order in which they are tried."""
