"""Whether the words behind "I'm" are a name: Mara, Mr Hargreaves, and not a Finn or a Scorpio."""

from hermes_agent.learn import kinds, lexicon
from hermes_agent.learn.facts_told import Told
from hermes_agent.learn.lexicon import word_set
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.people import TITLES
from hermes_agent.learn.tokens import Words
from hermes_agent.text.words import fold

_WHAT_ONE_IS = frozenset(
    ("job", "nationality", "religion", "language", "relative", "trait", "emotion", "illness", "skill", "class")
)
_GOES_ON = word_set("on only dev guy person fan type based user")


def title_and_name(words: Words, span: Span) -> Span | None:
    """Return "Mr Hargreaves" of "Mr Hargreaves of Hargreaves & Dunn"."""
    if words.words[span[0]].rstrip(".") not in TITLES:
        return None
    end = span[0]
    while end < span[1] and words.is_capital(end):
        end += 1
    return (span[0], end) if end > span[0] + 1 else None


def is_name(told: Told, span: Span) -> bool:
    """Tell whether some words behind "be" are the name of the subject."""
    words = told.words
    is_named = all(words.is_capital(place) for place in range(*span))
    if words.is_lower:
        is_named = span[1] - span[0] == 1 and fold(words.words[span[0]]) in lexicon.GIVEN_NAMES
    is_named = is_named and fold(words.words[span[0]]) not in lexicon.NOT_NAMES
    is_named = is_named and words.words[told.verb.begin] != "are"
    who = told.subject.who
    is_nameless = who.kind == "user" or (who.kind == "person" and not who.name and not kinds.had(who.relation))
    is_titled = span[1] - span[0] > 1 and words.words[span[0]].rstrip(".") in TITLES
    is_nameless = is_nameless or (is_titled and who.kind == "person" and not who.name)
    is_whole = words.at(span[1]) not in _GOES_ON
    return is_named and is_nameless and (is_titled or (is_whole and _names_a_person(words.words[span[0]])))


def _names_a_person(word: str) -> bool:
    """Tell whether a word with a capital letter is a name: nobody is a flower or a coin, some are Finns."""
    return fold(word) in lexicon.GIVEN_NAMES or kinds.kinds_of(word).isdisjoint(_WHAT_ONE_IS)
