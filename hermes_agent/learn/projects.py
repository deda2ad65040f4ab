"""What somebody is making that takes months: "I'm writing a novel", "we're renovating our kitchen"."""

from collections.abc import Iterator

from hermes_agent.learn import glue
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.filing import head
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import end_of_object, trimmed
from hermes_agent.records.statements import Statement

_MAKING = word_set("build code compose create design develop make record renovate restore write")
_WORKS = word_set(
    """album app application barn bathroom blog boat book bot cabin compiler course dictionary dissertation
    documentary drone engine extension film framework game garden greenhouse guitar house kitchen language library
    loft manuscript memoir monograph motorcycle musical novel opera parser platform play plugin podcast robot saas
    screenplay shed site startup symphony telescope textbook thesis treehouse website workshop yacht"""
)
_ONE = ("a", "an", "another", *glue.MINE)


def read_project(told: Told) -> Iterator[Statement]:
    """Yield the work that somebody is at; an email or a report is done tomorrow."""
    words, verb, end = told.words, told.verb, told.clause.end
    is_own = verb.tense == "bare" and told.clause.subject is None and told.clause.begin == 0
    is_at_it = verb.is_progressive and (verb.tense in ("present", "perfect") or is_own)
    is_at_it = is_at_it and not verb.is_denied and not verb.modal
    is_heading = is_own and ":" in words.words  # "Building a chat app with React: part 3"
    if verb.verb not in _MAKING or not is_at_it or is_heading or words.at(verb.end) not in _ONE:
        return
    span = trimmed(words, verb.end, end_of_object(words, verb.end, end, rest=True))
    if span is not None and head(words, span) in _WORKS:
        yield told.made("works on", span, "is")
