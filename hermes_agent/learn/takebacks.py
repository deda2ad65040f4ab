"""What is taken back: "forget what I said about the house", "scratch the GraphQL idea"."""

from dataclasses import replace

from hermes_agent.learn import attributes, glue
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import GIVEN_NAMES, word_set
from hermes_agent.learn.objects import one_value
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.patterns import Pattern
from hermes_agent.learn.people import TITLES
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import USER, Statement
from hermes_agent.text.words import fold

_TAKING = word_set("forget scratch scrap bin disregard ignore withdraw cancel strike drop")
_OUTRIGHT = word_set("scratch scrap bin")
"""These take a thing back by its name alone."""
_SAYINGS = word_set(
    "what everything remark remarks comment note message plan plans idea decision said told mentioned"
)
_LEADING = _SAYINGS | word_set(
    "i we you my the our that about on concerning regarding all earlier previous before to of being having say"
)
_TRAILING = word_set("idea plan thing bit part entirely completely altogether please")
# What was said is taken back, and the thing stays: "… the piano. It remains in my possession."
_KEPT = Pattern(r"[\s.:;,—–-]{0,9}(?:it|he|she|they)\b[^.!?]{0,60}?\b(?:still|remains?|stays?|neither|staying)\b")
_NEAR = 120
_ENDS = glue.JOINTS | frozenset(",;:.—–(")
_BEFORE = glue.LEADS | word_set("can must you may , to me permit")


def read_correction(words: Words, clause: Clause) -> Statement | None:
    """Read "no, I meant Oslo": a value whose slot only the talk before tells."""
    verb = clause.verb
    if verb is None or verb.verb != "mean" or verb.tense != "past" or verb.is_denied or clause.kind != "told":
        return None
    span = one_value(words, verb.end, clause.end)
    if span is None or words.at(verb.end) in ("to", "that"):
        return None
    start, stop = words.starts[clause.place], words.ends[span[1] - 1]
    return replace(made(USER, attributes.UNNAMED, words.said(*span), start, stop), is_correction=True)


def read_takeback(words: Words) -> Statement | None:
    """Return what a sentence takes back."""
    listed = words.words
    if listed[0] == "you" and listed[1:2] in (["can"], ["may"]) and listed[-1] == "again":
        start, stop = words.starts[0], words.ends[-1]
        return made(USER, attributes.INSTRUCTION, words.said(2, len(listed) - 1), start, stop, "no longer")
    for place, word in enumerate(listed[:-1]):
        if word not in _TAKING or not (place == 0 or listed[place - 1] in _BEFORE):
            continue
        if word not in _OUTRIGHT or place == 0 or listed[place - 1] not in ("and", "or", "to"):
            return _taken(words, place)
    return None


def _is_somebody(words: Words, begin: int, end: int) -> bool:
    """Tell whether a remark about a person is taken back: the person has not ended."""
    first = words.words[begin].rstrip(".")
    is_named = all(words.is_capital(place) for place in range(begin, end)) or words.is_lower
    return is_named and (first in TITLES or (end - begin < 3 and fold(first) in GIVEN_NAMES))


def _taken(words: Words, place: int) -> Statement | None:
    listed = words.words
    begin = place + 1
    while begin < len(listed) and listed[begin] in _LEADING:
        begin += 1
    end = begin
    while end < len(listed) and listed[end] not in _ENDS and listed[end] != "from":
        end += 1
    while end > begin and listed[end - 1] in _TRAILING:
        end -= 1
    is_mine = listed[place] == "forget" and listed[begin - 1] == "my"  # "forget my email address"
    is_meant = is_mine or listed[place] in _OUTRIGHT or not _SAYINGS.isdisjoint(listed[place + 1 : begin])
    if begin == end or not is_meant or listed[begin] in glue.CLOSED or _is_somebody(words, begin, end):
        return None
    start, stop = words.starts[place], words.ends[end - 1]
    if _KEPT.match(words.message[stop : stop + _NEAR]):
        return None
    return made(USER, attributes.ENDED, words.said(begin, end), start, stop, "no longer")
