"""Read what a part of a sentence of another language tells of its subject, in the attributes of English.

What one lives in, works as or plays fills the same slot in every language, so that what is said in one replaces
what was said in another.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes_agent.learn.clauses_abroad import Part, Verb, is_number
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.nouns_abroad import is_a, relation_of
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tongue import Form, Line, Tongue
from hermes_agent.learn.values import name_in, titled
from hermes_agent.learn.values_abroad import fits, is_post, items, object_of, span_at
from hermes_agent.records.statements import Polarity, Statement, Who

_MORE = ("mehr", "meer", "plus", "più", "más", "mais")
_LISTED = ("likes", "allergy", "speaks", "plays", "learns", "collects", "uses", "eats", "drinks", "hobby", "prefers")
_PAST_ONLY = ("home", "employer", "role", "studies", "plays", "work", "owns", "hobby", "collects", "likes")
_ALLERGIC = ("allerg", "alérg", "alerg")
_KINDS = (("diet", "diet"), ("status", "status"), ("ill", "health"), ("origin", "origin"), ("trait", "is"))
_ORIGIN = Line("origin", "", "place", frozenset())


@dataclass(frozen=True, slots=True)
class Told:
    """A part with its subject, its verb and the words that are left for a value."""

    words: Words
    part: Part
    verb: Verb
    who: Who
    polarity: Polarity
    region: Sequence[int]
    rest: Sequence[Span]
    """The parts without a verb behind it: a list may go on there."""
    times: frozenset[int]
    tongue: Tongue

    def made(self, attribute: str, span: Span, polarity: Polarity | None = None) -> Statement:
        """Make a statement of the words at a place."""
        words, part = self.words, self.part
        end = max(part.end, span[1])
        while end > part.begin + 1 and words.words[end - 1] in (",", ";", ".", ":"):
            end -= 1
        value = words.said(*span)
        return made(self.who, attribute, value, words.starts[part.begin], words.ends[end - 1], polarity or self.polarity)


def region_of(words: Words, part: Part, verb: Verb, skipped: frozenset[int], tongue: Tongue) -> list[int]:
    """Return the places where a value may stand."""
    if tongue.is_verb_last:
        behind = range(part.begin, verb.last) if part.is_under else range(verb.place + 1, part.end)
        places = [place for place in behind if place not in (verb.place, verb.last)]
        if not part.is_under and all(_is_small(words, place, skipped, tongue) for place in places):
            places = list(range(part.begin, verb.place))
    else:
        places = list(range(verb.last + 1, part.end))
    return [place for place in places if not _is_small(words, place, skipped, tongue)]


def _is_small(words: Words, place: int, skipped: frozenset[int], tongue: Tongue) -> bool:
    word = words.words[place]
    return place in skipped or word in _MORE or tongue.does(word, "adverbs", "not", "once", "i", "we", "he")


def read_part(told: Told) -> Iterator[Statement]:
    """Yield what a part tells."""
    match told.verb.kind:
        case "be" | "was":
            yield from _being(told)
            if told.verb.kind == "be":
                yield from _going_on(told, "be")
        case "stay":
            yield from _staying(told)
        case "have":
            yield from _having(told)
            yield from _going_on(told, "have")
        case "want":
            yield from _wanting(told)
        case _:
            for form in told.verb.forms:
                yield from _doing(told, form)


def _going_on(told: Told, kind: str) -> Iterator[Statement]:
    """Read what else somebody is or has: "two children and a dog"."""
    for begin, end in told.rest:
        small = (_is_small(told.words, place, told.times, told.tongue) for place in range(begin, end))
        region = [place for place, is_small in zip(range(begin, end), small, strict=True) if not is_small]
        part = replace(told.part, begin=begin, end=end)
        one = replace(told, part=part, region=region, rest=())
        found = list(_being(one) if kind == "be" else _having(one))
        if not found:
            return
        yield from (replace(fact, start=told.words.starts[told.part.begin]) for fact in found)


def _doing(told: Told, form: Form) -> Iterator[Statement]:
    line, words = form.line, told.words
    is_past = form.tense in ("past", "done")
    polarity = _polarity(told, form)
    if polarity is None or (line.attribute in ("eats", "drinks") and polarity not in ("is not", "no longer")):
        return
    if not line.prepositions and line.shape == "any":
        if "~" in line.marks and told.times:
            yield told.made(line.attribute, _whole(told, (told.verb.place, told.verb.last + 1)))
        return
    span = object_of(words, told.region, line, told.tongue) if line.prepositions else _direct(told)
    if span is None or not fits(words, span, line, told.tongue):
        return
    if line.attribute == "work" and polarity == "is not":
        return
    if line.attribute == "name":
        yield from _name(told, span)
        return
    if line.attribute == "plan" or ("+" in line.marks and not is_past):
        if line.attribute in ("plan", "home", "role") and polarity == "is":
            yield told.made("plan", _whole(told, span))
        return
    if line.attribute == "status":
        span = (span[0] - 1, span[1])
    if line.attribute == "hobby":
        span = next(((place, span[1]) for place in range(*span) if is_a("deed", words.words[place])), span)
    if "~" in line.marks and span[0] > told.verb.last and not told.tongue.is_verb_last:
        span = (told.verb.last, span[1])
    yield told.made(line.attribute, span, polarity)
    if line.attribute in _LISTED:
        for other in items(words, told.rest, span, told.tongue):
            if fits(words, other, line, told.tongue):
                yield told.made(line.attribute, other, polarity)


def _polarity(told: Told, form: Form) -> Polarity | None:
    """Return the polarity of what a verb tells; None if its tense tells nothing that lasts."""
    marks, polarity = form.line.marks, told.polarity
    if "!" in marks:
        return "no longer" if polarity == "is" else None
    if "^" in marks:
        return "is" if polarity == "is not" else None
    if "-" in marks:
        return {"is": "is not", "is not": None, "no longer": None, "was": None}[polarity]
    if "+" in marks or form.tense in ("present", "doing"):
        return polarity if "+" not in marks or polarity == "is" else None
    if polarity == "is not" or form.line.attribute not in _PAST_ONLY:
        return None
    return "was"


def _direct(told: Told) -> Span | None:
    return span_at(told.words, told.region, told.region[0], told.tongue) if told.region else None


def _whole(told: Told, span: Span) -> Span:
    """Return the words of a plan: verb and value, and the time that stands beside them."""
    begin, end = min(told.verb.place, span[0]), max(span[1], told.verb.last + 1)
    while begin - 1 >= told.part.begin and (begin - 1 in told.times or told.tongue.does(told.words.words[begin - 1], "adverbs")):
        begin -= 1
    last = end
    while last < told.part.end and (last in told.times or told.tongue.does(told.words.words[last], "adverbs")):
        last += 1
        end = last if last - 1 in told.times else end
    return begin, end


def _name(told: Told, span: Span) -> Iterator[Statement]:
    name = name_in(told.words.said(*span), is_sure=True)
    if name is None or told.polarity != "is":
        return
    end = span[0] + len(name.split())
    one = told.made("name", (span[0], min(end, span[1])))
    if told.who.kind == "person":
        who = Who("person", told.who.relation, titled(name))
        yield made(who, "name", titled(name), one.start, one.end)
    elif told.who.kind == "user":
        yield made(told.who, "name", titled(name), one.start, one.end)


def _being(told: Told) -> Iterator[Statement]:
    """Read what somebody is: a nurse, vegan, retired, nine, from Cádiz, allergic to shrimps."""
    words, tongue, region = told.words, told.tongue, list(told.region)
    while region and tongue.does(words.words[region[0]], "articles") and not is_number(words.words[region[0]], tongue):
        region.pop(0)
    if not region:
        return
    place = region[0]
    word = words.words[place]
    is_past = told.verb.kind == "was" or any(tongue.does(one, "once") for one in words.words[told.part.begin : told.part.end])
    if is_past:
        yield from _having_been(told, region)
        return
    if tongue.is_verb_last and is_number(word, tongue) and _is_age(told, place):
        yield told.made("age", (place, place + 1))
    elif any(words.words[one].startswith(_ALLERGIC) for one in region[:5]):
        yield from _allergies(told, [one for one in region if not words.words[one].startswith(_ALLERGIC)])
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


def _staying(told: Told) -> Iterator[Statement]:
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
    if relation_of(word) in ("mother", "father") and span[1] > place + 1:
        yield told.made("family", span)
    elif is_post(words.words[span[0] : span[1]]) and span[1] - span[0] <= 5:
        yield told.made("role", span)


def _being_in(told: Told, region: Sequence[int]) -> Iterator[Statement]:
    """Read "in Rente", "à la retraite", "di Pesaro"."""
    words = told.words
    span = span_at(words, region[1:], region[1], told.tongue) if len(region) > 1 else None
    if span is None:
        return
    if is_a("retired", words.words[span[0]]):
        yield told.made("status", (region[0], span[0] + 1))
    elif words.words[region[0]] in ("aus", "uit", "de", "d'", "du", "del", "di", "do", "da"):
        if fits(words, span, _ORIGIN, told.tongue):
            yield told.made("origin", span)


def _is_age(told: Told, place: int) -> bool:
    following = told.words.at(place + 1) if place + 1 < told.part.end else ""
    return following in ("", ",") or told.tongue.does(following, "years") or place + 1 == told.verb.place


def _allergies(told: Told, region: Sequence[int]) -> Iterator[Statement]:
    words, tongue = told.words, told.tongue
    region = list(region)
    while region and tongue.does(words.words[region[0]], "prepositions", "articles"):
        region.pop(0)
    span = span_at(words, region, region[0], tongue) if region else None
    if span is None or tongue.does(words.words[span[0]], "vague"):
        return
    yield told.made("allergy", span)
    yield from (told.made("allergy", other) for other in items(words, told.rest, span, tongue))


def _having(told: Told) -> Iterator[Statement]:
    """Read what somebody has: children, a cat, migraines, a car, an age."""
    words, tongue, region = told.words, told.tongue, told.region
    if not region:
        return
    for index, place in enumerate(region[:4]):
        word = words.words[place]
        if tongue.does(word, "years") and index and not tongue.is_verb_last and told.polarity == "is":
            yield told.made("age", (region[0], place + 1) if not words.words[region[0]].isdigit() else (region[0], place))
            return
        if word.startswith(_ALLERGIC):
            yield from _allergies(told, region[index + 1 :])
            return
        if tongue.does(word, "prepositions") and not tongue.does(word, "of"):
            return
        kind = next((kind for kind in ("animal", "kin", "ailment", "own") if is_a(kind, word)), "")
        if kind:
            yield from _had(told, kind, place)
            return


def _had(told: Told, kind: str, place: int) -> Iterator[Statement]:
    words, tongue = told.words, told.tongue
    attribute = {"animal": "pet", "kin": "family", "ailment": "health", "own": "owns"}[kind]
    first = told.region[0]
    if tongue.does(words.words[first], "mine", "oblique"):
        return
    span = span_at(words, told.region, first, tongue, is_far=kind in ("animal", "own"))
    if kind == "ailment":
        span = span_at(words, told.region, place, tongue)
    if span is not None and span[1] > place:
        yield told.made(attribute, span)


def _wanting(told: Told) -> Iterator[Statement]:
    """Read what somebody aims at: to learn, to become, to move; other wishes are of the moment."""
    words, tongue = told.words, told.tongue
    if told.polarity != "is" or not told.region:
        return
    verbs = [place for place in told.region if tongue.does(words.words[place], "goals")]
    if not verbs:
        return
    begin, end = told.region[0], told.part.end
    if tongue.is_verb_last:
        end = verbs[-1] + 1
        if end - begin < 2 or verbs[-1] + 1 < told.part.end:
            return
    elif verbs[0] != begin or end - begin < 2:
        return
    if any(tongue.does(word, "vague") for word in words.words[begin:end][:2]):
        return
    yield told.made("goal", (begin, end))
