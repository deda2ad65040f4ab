"""What stands in brackets behind somebody's name: "my flatmate Dua (nurse, lives on dal, nights only)"."""

from collections.abc import Iterator, Sequence

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.appositions import number
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import GIVEN_NAMES
from hermes_agent.learn.meanings import meaning
from hermes_agent.learn.objects import trimmed
from hermes_agent.learn.parsing import Clause, Span
from hermes_agent.learn.people import Mention, Subject
from hermes_agent.learn.telling import read_told
from hermes_agent.learn.times import times
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.trades import is_job, trait_of
from hermes_agent.learn.verb_groups import VerbGroup, verb_group
from hermes_agent.records.statements import Statement
from hermes_agent.text.verbs import is_sure
from hermes_agent.text.words import fold

_LONGEST = 20


def read_brackets(words: Words, people: Sequence[Mention]) -> Iterator[Statement]:
    """Yield what each part of the brackets behind a name says; the trade that comes first is told by the way."""
    for one in people:
        if words.at(one.end) == "(" and ")" in words.words[one.end : one.end + _LONGEST]:
            end = words.words.index(")", one.end)
            for place, part in enumerate(_parts(words, one.end + 1, end)):
                yield from _part(words, one, part, is_first=place == 0)


def _parts(words: Words, begin: int, end: int) -> Iterator[Span]:
    start = begin
    for place in range(begin, end):
        if words.words[place] == ",":
            yield start, place
            start = place + 1
    yield start, end


def _part(words: Words, one: Mention, part: Span, *, is_first: bool) -> Iterator[Statement]:
    begin, end = part
    is_name = is_first and end - begin == 1 and fold(words.words[begin]) in GIVEN_NAMES
    if is_name and one.who.relation and not one.who.name:
        yield _made(words, one, "name", part)
        return
    span = trimmed(words, begin, end)
    if span is None or end - begin > 8:
        return
    begin += words.words[begin] in ("he", "she", "who")
    verb = verb_group(words, begin, end, "he")
    if verb is not None and (begin > part[0] or _is_said(words, verb, end)):
        clause = Clause("told", begin, begin, end, (), (one.begin, one.end), verb)
        yield from read_told(words, clause, Subject(one.who))
        return
    head = words.words[span[1] - 1]
    recurring = [time for time in times(words, begin, end) if time.kind == "recurring"]
    if recurring and recurring[0].begin <= begin + 1:
        yield _made(words, one, "schedule", part)
    elif (attribute := trait_of(head)) and span[1] - span[0] <= 2:
        yield _made(words, one, attribute, span)
    elif kinds.had(head) == "studies" and span[1] - span[0] <= 3:
        yield _made(words, one, "studies", span)
    elif not is_first and is_job(head) and not number(words.words[begin - 2]):
        yield _made(words, one, "role", span)


def _is_said(words: Words, verb: VerbGroup, end: int) -> bool:
    """Tell whether a part begins with a verb rather than with a noun in "s": "loves chess", not "sales"."""
    is_known = is_sure(verb.verb) or meaning(words, verb, end) is not None
    return words.words[verb.begin] in glue.AUXILIARIES or is_known


def _made(words: Words, one: Mention, attribute: str, value: Span) -> Statement:
    return made(one.who, attribute, words.said(*value), words.starts[one.begin], words.ends[value[1] - 1])
