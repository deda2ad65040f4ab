"""Who does something for somebody from now on, and who did before: "engaged Mr Blaga in place of Ms Finch"."""

from collections.abc import Iterator

from hermes_agent.learn import glue
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value, trimmed
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.people import mentions
from hermes_agent.learn.values import titled
from hermes_agent.records.statements import Statement, Who

ENGAGING = word_set("engage hire appoint retain employ recruit take")
REPLACING = word_set("replace succeed take")
_FORMER = (("in", "place", "of"), ("instead", "of"), ("to", "replace"), ("replacing",))


def read_engaging(told: Told) -> Iterator[Statement]:
    """Read "hired a new nanny, Ludmila, instead of Ms Bell", "engaged Baker & Finch as our accountants"."""
    verb, words, end = told.verb, told.words, told.clause.end
    if verb.verb not in ENGAGING or verb.tense not in ("past", "perfect") or verb.is_denied or verb.is_passive:
        return
    begin = verb.end + (verb.verb == "take" and words.at(verb.end) == "on")
    if verb.verb == "take" and begin == verb.end:
        return
    people = [one for one in mentions(words) if begin <= one.begin < len(words.words)]
    post = trimmed(words, begin, people[0].begin - 1) if people else None
    if words.at(begin) in ("a", "an", "our", "my") and post is not None and words.words[post[1]] == ",":
        yield told.made("role", post, "is", who=people[0].who)
        yield from _former(told, people[0].end, post)
        return
    name = one_value(words, begin, end)
    if name is not None and words.is_capital(name[0]) and words.words[name[1] : name[1] + 1] == ["as"]:
        post = one_value(words, name[1] + 1, end)
        if post is not None and words.at(name[1] + 1) in glue.MINE:
            yield told.made(words.said(*post).lower(), name, "is")


def _former(told: Told, begin: int, post: Span) -> Iterator[Statement]:
    """Read who it was before: "in place of Ms Finch"."""
    words, end = told.words, told.clause.end
    for place in range(begin, end - 1):
        size = next((len(said) for said in _FORMER if tuple(words.words[place : place + len(said)]) == said), 0)
        name = one_value(words, place + size, end) if size else None
        if name is not None and words.is_capital(name[0]):
            yield told.made("role", post, "no longer", who=Who("person", name=titled(words.said(*name))))
            return


def read_replacing(told: Told) -> Iterator[Statement]:
    """Read "Ms Ito has replaced Mr Bell as head of sales", "I take over from Jo as treasurer"."""
    verb, words, end = told.verb, told.words, told.clause.end
    if verb.verb not in REPLACING or verb.is_denied or verb.is_passive or verb.modal:
        return
    begin = verb.end
    if verb.verb == "take":
        if words.words[begin : begin + 2] != ["over", "from"]:
            return
        begin += 2
    people = [one for one in mentions(words) if one.begin == begin]
    if not people or words.at(people[0].end) != "as":
        return
    post = one_value(words, people[0].end + 1, end)
    if post is not None and told.subject.noun is None and told.subject.who.kind in ("user", "person"):
        yield told.made("role", post, "is")
        yield told.made("role", post, "no longer", who=people[0].who)
