"""A part of a sentence of another language being read, and the statements made of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.learn.clauses_abroad import Part, Verb
from hermes_agent.learn.facts_told import made
from hermes_agent.learn.parsing import Span
from hermes_agent.learn.tokens import Words
from hermes_agent.learn.tongue import Tongue
from hermes_agent.records.statements import Polarity, Statement, Who

_MORE = ("mehr", "meer", "plus", "più", "más", "mais")


@dataclass(frozen=True, slots=True)
class Told:
    """A part with its subject, its verb and the words that are left for a value."""

    words: Words
    part: Part
    verb: Verb
    who: Who
    polarity: Polarity
    region: Sequence[int]
    rest: Sequence[Span]
    """The parts without a verb behind it: a list may go on there."""
    times: frozenset[int]
    tongue: Tongue
    is_listed: bool = False
    """Whether it goes on with a list: "I'm Ana, 34, from Cádiz"."""

    def made(self, attribute: str, span: Span, polarity: Polarity | None = None) -> Statement:
        """Make a statement of the words at a place."""
        words, part = self.words, self.part
        end = max(part.end, span[1])
        while end > part.begin + 1 and words.words[end - 1] in (",", ";", ".", ":"):
            end -= 1
        value = words.said(*span)
        return made(
            self.who, attribute, value, words.starts[part.begin], words.ends[end - 1], polarity or self.polarity
        )


def region_of(words: Words, part: Part, verb: Verb, skipped: frozenset[int], tongue: Tongue) -> list[int]:
    """Return the places where a value may stand."""
    if tongue.is_verb_last:
        behind = range(part.begin, verb.last) if part.is_under else range(verb.place + 1, part.end)
        places = [place for place in behind if place not in (verb.place, verb.last)]
        if not part.is_under and all(is_small(words, place, skipped, tongue) for place in places):
            places = list(range(part.begin, verb.place))
    else:
        places = list(range(verb.last + 1, part.end))
    return [place for place in places if not is_small(words, place, skipped, tongue)]


def is_small(words: Words, place: int, skipped: frozenset[int], tongue: Tongue) -> bool:
    word = words.words[place]
    return place in skipped or word in _MORE or tongue.does(word, "adverbs", "not", "once", "i", "we", "he")
