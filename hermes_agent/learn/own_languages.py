"""Which language is somebody's own, told of the language: "Dutch is my native language", "…, which is my own"."""

from collections.abc import Iterator

from hermes_agent.learn import glue, kinds
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.lexicon import NATIONALITIES
from hermes_agent.learn.parsing import Clause
from hermes_agent.learn.tokens import Words
from hermes_agent.records.statements import USER, Polarity, Statement

_OWN = (["native", "language"], ["mother", "tongue"], ["native", "tongue"], ["first", "language"])


def read_own_language(words: Words, clause: Clause) -> Iterator[Statement]:
    """Yield the language that is the user's own, or is not."""
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or verb.verb != "be" or words.at(verb.end) not in glue.MINE:
        return
    is_one = words.words[verb.end + 1 : verb.end + 3] in _OWN and subject[1] - subject[0] == 1
    name = words.words[subject[0]]
    is_language = "language" in kinds.kinds_of(name) or name in NATIONALITIES
    if is_one and verb.tense == "present" and is_language:
        polarity: Polarity = "is not" if verb.is_denied else "is"
        value, start = words.said(*subject), words.starts[subject[0]]
        yield made(USER, "native language", value, start, words.ends[verb.end + 2], polarity)
