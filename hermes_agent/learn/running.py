"""What somebody runs or owns: a shop of their own, Fedora with Sway, 10k every other day, the billing service."""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value, values
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import Statement

_WEALTH = word_set("land property gold stock")


def read_running(told: Told, begin: int, end: int) -> Iterator[Statement]:
    """Yield what running, owning or supporting something tells, unless it is plain work, a thing or a club."""
    if told.verb.verb == "run":
        yield from _run(told, begin, end)
    elif told.verb.verb == "own" and told.subject.who.kind == "person" and _is_charge(told.words, begin):
        yield told.made("work", (told.verb.place, end), told.polarity())
    elif told.verb.verb == "support" and told.subject.who.kind == "we":
        versions = (
            span for span in values(told.words, begin, end) if any(map(str.isdigit, told.words.said(*span)))
        )
        yield from (told.made("version", span, told.polarity()) for span in versions)


def _run(told: Told, begin: int, end: int) -> Iterator[Statement]:
    """Read what somebody runs that is no business: my own shop, Fedora 40 with Sway, 10k every other day."""
    words = told.words
    if words.at(begin) in glue.MINE and (span := one_value(words, begin, end)):
        yield told.made("owns", span, told.polarity())
    elif begin < end and words.is_capital(begin):
        spans = values(words, begin, end)
        if spans and words.at(spans[-1][1]) == "with" and words.is_capital(spans[-1][1] + 1):
            spans += values(words, spans[-1][1] + 1, end)
        yield from (told.made("uses", span, told.polarity()) for span in spans)
    elif told.has("recurring"):
        yield told.made("schedule", (told.verb.place, end), told.polarity())


def _is_charge(words: Words, begin: int) -> bool:
    """Tell whether who "owns" something is in charge of it: the search module, billing; not a dog, horses."""
    first = words.at(begin)
    is_bare = first not in glue.CLOSED and not first.endswith("s") and words.at(begin + 1) in ("", ",", "and", ".")
    return first == "the" or (is_bare and not kinds.kinds_of(first) and first not in _WEALTH)
