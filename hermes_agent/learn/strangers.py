"""Somebody spoken of by trade and named later: "I went to the same barber again. He's called Salvatore."

Nothing is learned of a barber without a name; with it, both are, and what follows is of them.
"""

from collections.abc import Iterator

from hermes_agent.learn import glue
from hermes_agent.learn.attributes import NAME
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.people import Talk, mentions
from hermes_agent.learn.pronouns import may_be
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.trades import is_job
from hermes_agent.learn.values import titled
from hermes_agent.records.statements import Statement, Who

_PRONOUNS = {"he": "he", "she": "she", "his": "he", "her": "she"}
_BESIDE = word_set("apprentice au-pair carer colleague flatmate intern lodger neighbor neighbour tenant trainee")
_MOST_SENTENCES, _LONGEST = 3, 3


def read_stranger(words: Words, clause: Clause, talk: Talk) -> Iterator[Statement]:
    """Yield the name of one who was spoken of by trade."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or verb.end >= clause.end or verb.is_denied or verb.modal:
        return
    pronoun = _PRONOUNS.get(words.words[subject[0]], "")
    said = words.words[subject[0] + 1 : subject[1]]
    is_name = verb.verb == "be" and said == ["name"] and not verb.is_passive
    is_called = verb.verb == "be" and not said and words.words[verb.end] in ("called", "named")
    begin = verb.end + is_called
    if not pronoun or not (is_name or is_called) or begin >= clause.end or not words.is_capital(begin):
        return
    trade = _trade(talk, pronoun)
    if trade:
        end = begin + 1
        while end < clause.end and words.is_capital(end) and words.words[end] not in glue.CLOSED:
            end += 1
        name = titled(words.said(begin, end))
        talk.add(Who("person", name=name))
        yield made(Who("person", trade), NAME, name, words.starts[clause.place], words.ends[end - 1])


def _trade(talk: Talk, pronoun: str) -> str:
    """Return the trade of the one spoken of last; empty if that is somebody known."""
    for words in reversed(talk.sentences[-_MOST_SENTENCES:]):
        if any(may_be(pronoun, one.who) for one in mentions(words)):
            return ""
        for place in range(len(words.words) - 1, 0, -1):
            word = words.words[place]
            if word in glue.CLOSED or not (word in _BESIDE or is_job(word)):
                continue
            begin = place
            while begin > 0 and words.words[begin - 1] not in glue.CLOSED and place - begin < _LONGEST:
                begin -= 1
            if begin > 0 and words.words[begin - 1] in ("the", "a", "an", "this"):
                begin += words.words[begin] == "same" and begin < place
                return words.said(begin, place + 1).lower()
    return ""
