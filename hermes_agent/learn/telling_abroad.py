"""Read what a part of a sentence of another language tells of its subject, in the attributes of English.

What one lives in, works as or plays fills the same slot in every language, so that what is said in one replaces
what was said in another.
"""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.learn.being_abroad import read_being, read_staying
from hermes_agent.learn.clauses_abroad import Part
from hermes_agent.learn.doing_abroad import read_doing
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.having_abroad import read_having
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.told_abroad import Told, is_small
from hermes_agent.learn.tongue import Tongue
from hermes_agent.learn.values_abroad import span_at
from hermes_agent.records.statements import USER, Statement

_TAKES_OBJECT = ("esse", "trinke", "höre", "schaue", "gucke", "eet", "drink", "kijk", "luister")
_FEWEST_WORDS, _MOST_WORDS = 4, 14


def read_part(told: Told) -> Iterator[Statement]:
    """Yield what a part tells."""
    match told.verb.kind:
        case "be" | "was":
            yield from read_being(told)
            if told.verb.kind == "be":
                yield from _going_on(told, "be")
        case "stay":
            yield from read_staying(told)
        case "have":
            yield from read_having(told)
            yield from _going_on(told, "have")
        case "want":
            yield from _wanting(told)
        case _:
            for form in told.verb.forms:
                yield from read_doing(told, form)


def _going_on(told: Told, kind: str) -> Iterator[Statement]:
    """Read what else somebody is or has: "two children and a dog"."""
    for begin, end in told.rest:
        small = (is_small(told.words, place, told.times, told.tongue) for place in range(begin, end))
        region = [place for place, is_small in zip(range(begin, end), small, strict=True) if not is_small]
        part = replace(told.part, begin=begin, end=end)
        one = replace(told, part=part, region=region, rest=(), is_listed=True)
        found = list(read_being(one) if kind == "be" else read_having(one)) or list(read_having(one))
        yield from (replace(fact, start=told.words.starts[told.part.begin]) for fact in found)


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
    if any(
        tongue.does(word, "vague") and not tongue.does(word, "articles") for word in words.words[begin:end][:2]
    ):
        return
    yield told.made("goal", (begin, end))


def read_leisure(words: Words, part: Part, tongue: Tongue, *, is_own: bool) -> Statement | None:
    """Return what the user likes to do: "ich lese gern Krimis", "ik kook graag"."""
    places = range(part.begin, part.end)
    said = words.words[part.begin : part.end]
    gladly = [place for place in places if tongue.does(words.words[place], "gladly")]
    verbs = [place for place in places if tongue.does(words.words[place], "leisure")]
    if not gladly or not verbs or not (is_own or any(tongue.does(word, "i", "we") for word in said)):
        return None
    if any(tongue.does(word, "not", "passing", "once", "want1") for word in said):
        return None
    begin = max(gladly[-1], verbs[0]) + 1
    region = [place for place in range(begin, part.end) if not is_small(words, place, frozenset(), tongue)]
    span = span_at(words, region, region[0], tongue) if region else None
    start, end = words.starts[part.begin], words.ends[part.end - 1]
    if span is not None:
        return made(USER, "likes", words.said(*span), start, end)
    if words.words[verbs[0]] in _TAKES_OBJECT:
        return None
    return made(USER, "hobby", words.said(min(verbs[0], gladly[0]), max(verbs[0], gladly[0]) + 1), start, end)


def read_routine(words: Words, part: Part, tongue: Tongue, *, is_own: bool) -> Statement | None:
    """Return what the user does again and again: "los lunes voy a cerámica", "dienstags gehe ich zum Chor"."""
    said = words.words[part.begin : part.end]
    places = range(part.begin, part.end)
    is_mine = is_own or any(tongue.does(word, "i", "we", "go1") for word in said)
    is_often = any(_is_often(words, place, part.end, tongue) for place in places)
    if not is_mine or not is_often or not _FEWEST_WORDS <= len(said) <= _MOST_WORDS:
        return None
    if any(tongue.does(word, "not", "passing", "was", "had") for word in said) or tongue.does(said[0], "once"):
        return None
    begin = part.begin + tongue.does(said[0], "i", "we")
    span = words.starts[begin], words.ends[part.end - 1]
    return made(USER, "schedule", words.message[slice(*span)], words.starts[part.begin], span[1])


def _is_often(words: Words, place: int, end: int, tongue: Tongue) -> bool:
    word = words.words[place]
    ahead = words.words[place + 1 : min(place + 3, end)]
    if tongue.does(word, "every", "often"):
        return tongue.does(word, "often") or any(tongue.does(one, "days") for one in ahead)
    return word in ("los", "às", "aos") and bool(ahead) and tongue.does(ahead[0], "days")
