"""Where and what somebody studies: "got into Lisbon uni for architecture", "third yr of vet school"."""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.time_letters import ORDINALS
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.verb_groups import is_adverb
from hermes_agent.records.statements import Statement

_SCHOOLS = word_set(
    """uni university college school academy conservatoire conservatory polytechnic seminary sixth-form oxford
    cambridge harvard yale princeton stanford mit ucl lse"""
)
_SUBJECTS = word_set(
    """accounting architecture art business computing dentistry design drama economics engineering english fashion
    film history journalism law maths mathematics medicine music nursing pharmacy teaching"""
)
_DEGREES = word_set(
    """apprenticeship bachelor bachelor's bachelors ba bsc course degree diploma doctorate internship ma masters
    master's mba med msc phd"""
)
_YEARS = ORDINALS | word_set("1st 2nd 3rd 4th 5th 6th final last")


def is_school(words: Words, span: Span) -> bool:
    """Tell whether a phrase names a place of study."""
    return not _SCHOOLS.isdisjoint(words.words[slice(*span)])


def is_named_school(words: Words, span: Span) -> bool:
    """Tell whether one is "in med school", "at Leeds uni"; not "at school", "at the kids' school"."""
    is_named = is_school(words, (span[1] - 1, span[1])) and span[1] - span[0] > 1
    return is_named and "'s" not in words.words[slice(*span)] and words.words[span[0] - 1] not in glue.DETERMINERS


def is_subject(word: str) -> bool:
    """Tell whether a word names what one can study."""
    return word in _SUBJECTS or "subject" in kinds.kinds_of(word)


def read_field(told: Told, begin: int) -> Iterator[Statement]:
    """Read what is studied at a school just named: "for architecture", "to study law"."""
    words, end = told.words, told.clause.end
    start = begin + 1
    if words.words[begin : begin + 2] in (["to", "study"], ["to", "do"], ["to", "read"]):
        start = begin + 2
    elif words.at(begin) != "for":
        return
    span = one_value(words, start, end) if start < end else None
    if span is not None and (is_subject(words.words[span[1] - 1]) or start == begin + 2):
        yield told.made("studies", span, told.polarity(frozenset(("change",))))


def read_year(told: Told, begin: int, end: int) -> Iterator[Statement]:
    """Read "in my final year of physics at Kent", "third yr of vet school here in Utrecht"."""
    words = told.words
    at = begin + (words.at(begin) in ("in", "on"))
    while at < end and (is_adverb(words.words[at]) or words.words[at] in glue.POSSESSIVES):
        at += 1
    if words.at(at) not in _YEARS or words.at(at + 1) != "year" or at + 3 > end:
        return
    if "student" in words.words[at + 2 : at + 5]:
        stop = words.words.index("student", at) + 1
        yield told.made("role", (at, stop), told.polarity())
    else:
        span = one_value(words, at + 3, end) if words.at(at + 2) in ("of", "at") else None
        if span is None or not (is_school(words, span) or _is_studied(words, span, words.at(at + 2))):
            return
        stop = span[1]
        yield told.made("studies", span, told.polarity())
    yield from _whereabouts(told, stop, end)


def _is_studied(words: Words, span: Span, before: str) -> bool:
    is_degree = not _DEGREES.isdisjoint(words.words[slice(*span)])
    return before == "of" and (is_degree or is_subject(words.words[span[1] - 1]))


def _whereabouts(told: Told, begin: int, end: int) -> Iterator[Statement]:
    words = told.words
    at = begin
    while at < end and is_adverb(words.words[at]):
        at += 1
    if words.at(at) not in ("at", "in") or at + 1 >= end or times(words, at, min(at + 3, end)):
        return
    span = one_value(words, at + 1, end)
    if span is not None and (words.is_lower or words.is_capital(span[0])):
        yield told.made("studies" if words.at(at) == "at" else "location", span, told.polarity())
