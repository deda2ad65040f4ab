"""One thing in the place of another: "switched from Jenkins to Buildkite", "swapped the van for a bike"."""

from collections.abc import Iterator

from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value, trimmed
from hermes_agent.learn.parsing import Span
from hermes_agent.records.statements import Statement

EXCHANGES = word_set("switch swap trade ditch replace exchange move migrate change relocate convert")
_FOR = {"swap": "for", "trade": "for", "ditch": "for", "exchange": "for", "replace": "with"}


def read_exchange(told: Told) -> Iterator[Statement]:
    """Read "switched from A to B" and "swapped A for B": one is used, the other no longer."""
    words, verb, end = told.words, told.verb, told.clause.end
    if verb.tense not in ("past", "perfect") or verb.is_denied:
        return
    listed = words.words[verb.end : end]
    old: Span | None = None
    new: Span | None = None
    if "from" in listed and "to" in listed[listed.index("from") :]:
        start = verb.end + listed.index("from") + 1
        middle = words.words.index("to", start)
        old, new = trimmed(words, start, middle), one_value(words, middle + 1, end)
    elif (joint := _FOR.get(verb.verb, "")) in listed:
        middle = verb.end + listed.index(joint)
        old, new = trimmed(words, verb.end, middle), one_value(words, middle + 1, end)
    if old is None or new is None or not words.words[new[0]][0].isalpha():
        return
    is_place = verb.verb == "relocate" or (verb.verb == "move" and words.is_capital(new[0]))
    attribute = "home" if is_place else "uses"
    yield told.made(attribute, new, "is", former=old)
    yield told.made(attribute, old, "no longer")
