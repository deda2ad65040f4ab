"""What somebody learns or studies, said with a noun: "takes salsa classes", "will begin her studies in law".

The verb is light (take, have, begin); what is learned stands beside the lessons, or behind "in".
"""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value, trimmed
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import Statement

_TAKING = word_set("take have do attend go")
_STARTING = word_set("start begin commence join enrol enroll sign resume")
_PURSUING = _STARTING | word_set("pursue continue")
_GETTING = word_set("get accept win secure have earn")
_LESSONS = word_set("lessons classes")
_COURSES = word_set("lesson class course courses workshop")
_STUDIES = word_set("studies degree doctorate phd apprenticeship diploma")
_MANNERS = word_set(
    """evening night online private weekly beginner beginners intensive group weekend summer short free daily
    regular some proper new extra more few two"""
)
_NO_DOING = word_set("boring interesting amazing exhausting upcoming remaining training morning following")
_LEARNED = ("language", "instrument", "activity", "sport", "dance", "skill", "subject", "class")
_BETWEEN = word_set("to for in on up a an the my his her their some")
_LONGEST = 8
_MOST_WORDS = 3


def read_studying(told: Told) -> Iterator[Statement]:
    """Yield what is learned, studied, or will be."""
    verb = told.verb
    if verb.is_denied or verb.modal or verb.is_passive or verb.phase in ("used", "ends", "no longer"):
        return
    found = list(_lessons(told)) or list(_studies(told)) or list(_place(told))
    yield from found
    if found and told.has("recurring"):
        yield told.made("schedule", (verb.place, told.clause.end), "is")


def _is_begun(told: Told) -> bool:
    return told.verb.verb in _STARTING or (told.verb.phase == "begins" and told.verb.verb in _TAKING)


def _lessons(told: Told) -> Iterator[Statement]:
    verb, words = told.verb, told.words
    is_going = verb.tense == "present" or (verb.tense == "perfect" and verb.is_progressive)
    is_gerund = verb.phase == "begins" and words.at(verb.end) in _LESSONS and verb.verb not in _TAKING
    if not (is_gerund or _is_begun(told) or (verb.verb in _TAKING and is_going)):
        return
    if is_gerund and verb.end < told.clause.end:
        yield told.made("learns", (verb.place, verb.end), "is")  # "has started fencing lessons"
        return
    begin = verb.end
    while begin < told.clause.end and words.words[begin] in _BETWEEN:
        begin += 1
    for place in range(begin, min(begin + _LONGEST, told.clause.end)):
        word = words.words[place]
        if word in _LESSONS or (word in _COURSES and verb.verb != "have"):
            span = _behind(told, place) or _beside(told, begin, place)
            if span is not None:
                yield told.made("learns", span, "is")
            return
        if word in glue.CLOSED:
            return


def _beside(told: Told, begin: int, place: int) -> Span | None:
    """Return what stands in front of the lessons: salsa, sign language."""
    words = told.words
    while begin < place and words.words[begin] in _MANNERS:
        begin += 1
    if not 0 < place - begin <= _MOST_WORDS or words.words[place - 1] in glue.NUMBERS:
        return None
    is_known = not kinds.kinds_of(words.words[place - 1]).isdisjoint(_LEARNED)
    is_named = words.is_capital(begin) and words.time_letters[begin] == "."
    is_regular = place - begin == 1 and told.has("recurring") and told.verb.verb != "have"
    is_doing = words.words[place - 1].endswith("ing") and words.words[place - 1] not in _NO_DOING
    is_known = is_known or is_regular or is_doing or words.words[place - 1] == "language"
    return (begin, place) if is_known or is_named else None


def _behind(told: Told, place: int) -> Span | None:
    """Return what a course is in."""
    words = told.words
    if words.at(place + 1) not in ("in", "on") or any(one.begin == place + 1 for one in told.times):
        return None
    span = one_value(words, place + 2, told.clause.end)
    return None if span is None or _is_town(words, span) else span


def _studies(told: Told) -> Iterator[Statement]:
    """Read "will commence her studies in dentistry at Leuven"."""
    verb, words, end = told.verb, told.words, told.clause.end
    place = verb.end + (words.at(verb.end) in glue.DETERMINERS)
    if verb.verb not in _PURSUING or place >= end:
        return
    is_master = words.words[place : place + 2] == ["master", "'s"]
    if words.words[place] not in _STUDIES and not is_master:
        return
    after = place + 1 + is_master
    after += words.at(after) == "degree"
    span = one_value(words, after + 1, end) if words.at(after) in ("in", "of") else None
    if span is not None and _is_town(words, span) and words.words[after] == "in":
        span = None  # "his PhD in Zurich"
    dated = [one for one in told.times if one.kind == "date"]
    if span is None and dated:
        return  # a plan with its day: "starts his apprenticeship at the cathedral in May"
    yield told.made("studies", span or (place, after), "is")
    yield from _school(told, span[1] if span else after)
    yield from (told.made("start date", (one.begin, one.end), "is") for one in dated[:1])


def with_subject(told: Told, span: Span) -> Span:
    """Return "master's in logistics" rather than the degree alone; "PhD in Zurich" names no subject."""
    words = told.words
    subject = one_value(words, span[1] + 1, told.clause.end) if words.at(span[1]) in ("in", "of") else None
    return span if subject is None or _is_town(words, subject) else (span[0], subject[1])


def _is_town(words: Words, span: Span) -> bool:
    """Tell whether one studies there, not that: "in Zurich", but "in Business Administration", "in History"."""
    is_one = span[1] - span[0] == 1 and not kinds.is_subject(words.words[span[0]])
    return words.is_capital(span[0]) and is_one


def _place(told: Told) -> Iterator[Statement]:
    """Read "got her place at the nursing school", "accepted a place to read geology at Durham"."""
    verb, words, end = told.verb, told.words, told.clause.end
    place = verb.end + (words.at(verb.end) in glue.DETERMINERS)
    if verb.verb not in _GETTING or words.at(place) != "place" or place == verb.end:
        return
    begin = place + 1
    if words.at(begin) == "to" and words.at(begin + 1) in ("read", "study"):
        span = one_value(words, begin + 2, end)
        if span is not None:
            yield told.made("studies", span, "is")
            yield from _school(told, span[1])
    elif words.at(begin) == "at" and verb.verb != "have":
        yield from _school(told, begin)


def _school(told: Told, begin: int) -> Iterator[Statement]:
    words, end = told.words, told.clause.end
    if words.at(begin) != "at" or begin + 1 >= end:
        return
    span = one_value(words, begin + 1, end)
    if span is None or trimmed(words, *span) is None:
        return
    is_dated = any(one.begin == span[1] for one in told.times)
    if words.at(span[1]) == "in" and span[1] + 1 < end and words.is_capital(span[1] + 1) and not is_dated:
        town = one_value(words, span[1] + 1, end)
        span = (span[0], town[1]) if town is not None else span
    yield told.made("studies", span, "is")
