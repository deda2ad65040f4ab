"""What is told in front of a sentence about the user: "Having sold our flat, we …", "Born in Aleppo, I …"."""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.filing import head
from hermes_agent.learn.fitting import is_post
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.objects import one_value, trimmed
from hermes_agent.learn.parsing import Clause, Span
from hermes_agent.learn.people import Subject
from hermes_agent.learn.telling import read_told
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.trades import trait_of
from hermes_agent.learn.verb_groups import VerbGroup, is_adverb
from hermes_agent.records.statements import USER, WE, Statement
from hermes_agent.text.verbs import lemma

_OPENING = word_set("having born being as a an in")
_CHANGES = word_set("sell move retire resign leave quit complete graduate buy marry join relocate inherit adopt")
_LONGEST = 20


def read_openings(words: Words) -> Iterator[Statement]:
    """Yield what stands in front of the first ", I" or ", we" of a sentence."""
    first = words.words[0]
    if first not in _OPENING:
        return
    end = _end(words)
    if end == 0:
        return
    if first == "having":
        yield from _having(words, end)
    elif first == "in":
        is_meant = words.words[1] == "my" and words.at(2) in ("capacity", "role") and words.at(3) == "as"
        post = trimmed(words, 4, end) if is_meant else None
        yield from (_made(words, "role", one, end) for one in (post,) if one and is_post(head(words, one)))
    elif first == "born" and words.at(1) == "in":
        town = one_value(words, 2, words.words.index("and", 0, end) if "and" in words.words[:end] else end)
        yield from (_made(words, "birthplace", one, end) for one in (town,) if one and words.is_capital(one[0]))
    else:
        yield from _being(words, end)


def _end(words: Words) -> int:
    """Return where the opening ends; 0 if the sentence is about somebody else."""
    for place in range(1, min(_LONGEST, len(words.words) - 1)):
        if words.words[place] == "," and words.words[place + 1] in glue.I_OR_WE:
            return place
    return 0


def _having(words: Words, end: int) -> Iterator[Statement]:
    place = 1
    while place < end and is_adverb(words.words[place]):
        place += 1
    verb = lemma(words.words[place], "done")
    if verb in _CHANGES:
        group = VerbGroup(0, place + 1, verb, "perfect", place)
        subject = (end + 1, end + 2)
        who = USER if words.words[end + 1] == "i" else WE
        yield from read_told(words, Clause("told", 0, 0, end, (), subject, group), Subject(who))


def _being(words: Words, end: int) -> Iterator[Statement]:
    """Read "being diabetic", "as a vegetarian", "a vegetarian since 1990", "as someone with dyslexia"."""
    place = 1 + (words.words[0] in ("as", "being") and words.words[1] in ("a", "an"))
    if words.words[:3] == ["as", "someone", "with"]:
        ill = [at for at in range(3, end) if kinds.is_lasting_illness(words.words[at])]
        yield from (_made(words, "health", (at, at + 1), end) for at in ill[:1])
        return
    is_whole = words.at(place + 1) in (",", "since", "for")
    if (
        is_whole
        and words.words[place + 1 : place + 3] != [",", "and"]
        and (attribute := trait_of(words.words[place]))
    ):
        yield _made(words, attribute, (place, place + 1), end)


def _made(words: Words, attribute: str, value: Span, end: int) -> Statement:
    return made(USER, attribute, words.said(*value), words.starts[0], words.ends[end - 1])
