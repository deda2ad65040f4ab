"""Read what somebody has, in another language: children, a cat, migraines, a car, an age."""

from collections.abc import Iterator

from hermes_agent.learn.being_abroad import ALLERGIC, read_allergies
from hermes_agent.learn.nouns_abroad import is_a
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.told_abroad import Told
from hermes_agent.learn.tongue import Tongue
from hermes_agent.learn.values_abroad import span_at
from hermes_agent.records.statements import Statement


def read_having(told: Told) -> Iterator[Statement]:
    """Read what somebody has: children, a cat, migraines, a car, an age."""
    words, tongue, region = told.words, told.tongue, told.region
    if not region:
        return
    for index, place in enumerate(region[:4]):
        word = words.words[place]
        if tongue.does(word, "years") and index and not tongue.is_verb_last and told.polarity == "is":
            yield told.made(
                "age", (region[0], place + 1) if not words.words[region[0]].isdigit() else (region[0], place)
            )
            return
        if word.startswith(ALLERGIC):
            yield from read_allergies(told, region[index + 1 :])
            return
        if word.endswith("allergie"):
            yield told.made("allergy", (place, place + 1))
            return
        if index and tongue.does(word, "articles") and not tongue.is_verb_last:
            return  # "ho portato un cane": done, not had
        if tongue.does(word, "prepositions") and not tongue.does(word, "of"):
            return
        kind = next((kind for kind in ("animal", "kin", "ailment", "own") if is_a(kind, word)), "")
        if kind:
            yield from _had(told, kind, place)
            return


def _had(told: Told, kind: str, place: int) -> Iterator[Statement]:
    words, tongue = told.words, told.tongue
    attribute = {"animal": "pet", "kin": "family", "ailment": "health", "own": "owns"}[kind]
    first, last = told.region[0], told.region[-1]
    if tongue.does(words.words[first], "mine", "oblique"):
        return
    if tongue.is_verb_last and last > place and last + 1 == told.part.end and _is_done(words, last, tongue):
        return  # "habe eine Katze auf dem Dach gesehen"
    span = span_at(words, told.region, first, tongue, is_far=kind in ("animal", "own"))
    if kind == "ailment":
        span = span_at(words, told.region, place, tongue)
    if span is not None and span[1] > place:
        yield told.made(attribute, with_its_name(told, span) if kind == "animal" else span)


def _is_done(words: Words, place: int, tongue: Tongue) -> bool:
    """Tell whether a word at the end looks like a participle."""
    word = words.words[place]
    if tongue.code == "de":
        return not words.is_capital(place)
    return word.startswith(("ge", "be", "ver", "ont")) and not words.is_capital(place)


def with_its_name(told: Told, span: Span) -> Span:
    """Return a pet with the name that follows: "un cane, un bracco di nome Argo"."""
    words = told.words
    if not told.rest or told.rest[0][0] != span[1] + 1 or words.words[span[1]] != ",":
        return span
    begin, end = told.rest[0]
    is_named = any(told.tongue.does(word, "called") for word in words.words[begin:end])
    return (span[0], end) if is_named and words.is_capital(end - 1) else span
