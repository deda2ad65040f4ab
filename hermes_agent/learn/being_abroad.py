"""Read what somebody is, in another language: a nurse, vegan, retired, nine, from Cádiz, allergic to shrimps."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hermes_agent.learn.clauses_abroad import is_number
from hermes_agent.learn.lexicon import GIVEN_NAMES, word_set
from hermes_agent.learn.nouns_abroad import is_a, is_job, relation_of
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.told_abroad import Told
from hermes_agent.learn.tongue import Line
from hermes_agent.learn.values_abroad import fits, is_post, items, span_at
from hermes_agent.records.statements import Statement
from hermes_agent.text.words import fold

ALLERGIC = ("allerg", "alérg", "alerg")
_TITLES = word_set(
    """dr herr frau doctor doctora dottor dottoressa docteur monsieur madame dokter señor señora doutor doutora
    dona signor signora ."""
)
_KINDS = (("diet", "diet"), ("status", "status"), ("ill", "health"), ("origin", "origin"), ("trait", "is"))
_GREETS = Pattern(r"\W*(?:hallo|hi|hey|servus|moin|guten|grüß)\b")
_FROM = ("aus", "uit", "de", "d'", "du", "del", "di", "do", "da")
_ORIGIN = Line("origin", "", "place", frozenset())


def read_being(told: Told) -> Iterator[Statement]:
    """Read what somebody is: a nurse, vegan, retired, nine, from Cádiz, allergic to shrimps."""
    words, tongue, region = told.words, told.tongue, list(told.region)
    while (
        region
        and tongue.does(words.words[region[0]], "articles")
        and not is_number(words.words[region[0]], tongue)
    ):
        region.pop(0)
    if not region:
        return
    place = region[0]
    word = words.words[place]
    is_past = told.verb.kind == "was" or any(
        tongue.does(one, "once") for one in words.words[told.part.begin : told.part.end]
    )
    if is_past:
        yield from _having_been(told, region)
        return
    if (tongue.is_verb_last or told.is_listed) and is_number(word, tongue) and _is_age(told, place):
        yield told.made("age", (place, place + 1))
    elif any(words.words[one].startswith(ALLERGIC) for one in region[:5]):
        yield from read_allergies(told, [one for one in region if not words.words[one].startswith(ALLERGIC)])
    elif tongue.does(word, "prepositions"):
        yield from _being_in(told, region)
    elif tongue.does(word, "fan") and len(region) > 2:
        span = span_at(words, region, region[2], tongue)
        yield from [told.made("likes", span)] if span else []
    else:
        yield from _named_kind(told, region)


def _having_been(told: Told, region: Sequence[int]) -> Iterator[Statement]:
    """Read what somebody was, or where: "vorher war ich bei Siemens"."""
    words, tongue = told.words, told.tongue
    is_at = words.words[region[0]] in ("bei", "beim", "bij")
    span = span_at(words, region[is_at:], region[is_at], tongue) if len(region) > is_at else None
    if span is None or told.polarity != "is":
        return
    if is_at and words.is_capital(span[0]):
        yield told.made("employer", span, "was")
    elif not is_at and is_post(words.words[span[0] : span[1]]):
        yield told.made("role", span, "was")


def read_staying(told: Told) -> Iterator[Statement]:
    """Read "estoy casada", "está jubilado"; where somebody is just now tells nothing."""
    if told.region:
        word = told.words.words[told.region[0]]
        if any(is_a(kind, word) for kind in ("status", "ill")):
            yield from _named_kind(told, told.region)
        elif told.tongue.does(word, "prepositions"):
            yield from (one for one in _being_in(told, told.region) if one.attribute == "status")


def _named_kind(told: Told, region: Sequence[int]) -> Iterator[Statement]:
    words, place = told.words, region[0]
    word = words.words[place]
    span = span_at(words, region, place, told.tongue)
    if span is None:
        return
    for kind, attribute in _KINDS:
        if is_a(kind, word):
            far = span_at(words, region, place, told.tongue, is_far=True) if word.startswith("intol") else None
            yield told.made(attribute, far or (place, place + 1))
            return
    if (name := _own_name(told, region, span)) is not None:
        yield name
    elif relation_of(word) in ("mother", "father") and span[1] > place + 1:
        yield told.made("family", span)
    elif is_post(words.words[span[0] : span[1]]) and span[1] - span[0] <= 5:
        yield told.made("role", span)


def _own_name(told: Told, region: Sequence[int], span: Span) -> Statement | None:
    """Return the name of "soy Maite", "mein Hausarzt ist Dr. Weber"; German nouns look like names."""
    words, tongue = told.words, told.tongue
    begin = span[0]
    while begin < span[1] and fold(words.words[begin]) in _TITLES:
        begin += 1
    has_title = begin > span[0]
    said = words.words[begin : span[1]]
    if not said or len(said) > 2 or not words.is_capital(begin) or told.is_listed or told.polarity != "is":
        return None
    is_known = fold(said[0]) in GIVEN_NAMES or (
        words.words[begin - 1] in ("die", "der") and _GREETS.match(words.message)
    )
    if not is_known and (tongue.code == "de" and not has_title):
        return None
    if is_job(said[0]) or relation_of(said[0]) or (not is_known and begin != region[0] and not has_title):
        return None
    if told.who.kind == "person" and not told.who.name:
        who = replace(told.who, name=words.said(begin, span[1]))
        return replace(told.made("name", (begin, span[1])), who=who)
    return told.made("name", (begin, span[1])) if told.who.kind == "user" else None


def _being_in(told: Told, region: Sequence[int]) -> Iterator[Statement]:
    """Read "in Rente", "à la retraite", "di Pesaro"."""
    words = told.words
    span = span_at(words, region[1:], region[1], told.tongue) if len(region) > 1 else None
    if span is None:
        return
    if is_a("retired", words.words[span[0]]):
        yield told.made("status", (region[0], span[0] + 1))
    elif words.words[region[0]] in _FROM and fits(words, span, _ORIGIN, told.tongue):
        yield told.made("origin", span)


def _is_age(told: Told, place: int) -> bool:
    following = told.words.at(place + 1) if place + 1 < told.part.end else ""
    return following in ("", ",") or told.tongue.does(following, "years") or place + 1 == told.verb.place


def read_allergies(told: Told, region: Sequence[int]) -> Iterator[Statement]:
    words, tongue = told.words, told.tongue
    region = list(region)
    while region and tongue.does(words.words[region[0]], "prepositions", "articles"):
        region.pop(0)
    span = span_at(words, region, region[0], tongue) if region else None
    if span is None or tongue.does(words.words[span[0]], "vague"):
        return
    yield told.made("allergy", span)
    yield from (told.made("allergy", other) for other in items(words, told.rest, span, tongue))
