"""How relevant a message is by itself, from 0 to 1: the scale of `memory.retrieval.minRelevanceScore`.

A score only orders what was found for one question; the best of nothing is still the best. So it is first
asked how sure it is that memory holds an answer at all: how much of the question the best messages hold with
their neighbours, how near their meaning is, how much of it no message ever mentions, how far the best stand
out. The best message is as relevant as that is sure; the others less, by their distance from it.

The numbers are fitted on public conversations, asked their own questions and those of others. How many questions
that memory cannot answer get a hit of 0.65 all the same is in docs/benchmarks.md: where others spoke of the same
things, many.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeVar

from hermes_agent.recall.field import Floats
from hermes_agent.records.archive import UNTRUSTED, SourceClass

Cosines = TypeVar("Cosines", float, Floats)

FALL = 0.15
"""How much less sure a message is for each point of score it is behind the best."""


_UNRELATED = 0.024
"""The cosine of texts that have nothing to do with each other, by the local embedder: it was fitted with."""

NAMED = 1.0
"""How sure, in log odds, the best message of a chat is at least that names a thing the question names."""
DATED_ALONE, DATED = 2.0, 0.9
"""The same for what was said in the days asked for: if nothing else is, or if it is rather near as well."""
OF_KIND = 1.2
"""The same for what names a thing of the kind that is asked for; in a chat if it is rather near."""
NEAR = 0.25
"""A passage at least so near shares its meaning with the question."""
RATHER_NEAR, NEAR_NAMED = 0.25, 0.3
"""How near, at least, where the days or the kind fit; where a name does, which many a message has."""
LONGEST_DATED = 92
"""So many days at most are days that say something: a season."""
_ASKED = 1.0
"""How much less sure, in log odds, it is that the same question, asked before, answers it."""
_DOUBT = 0.3
"""How much less sure, in log odds, it is that somebody else's words answer a question."""
_MOST = 30.0


@dataclass(frozen=True, slots=True)
class Grounds:
    """What speaks for an answer being among the best messages."""

    cover: float
    """The most of the question's rarity that one of them holds with its neighbours."""
    nearness: float
    """The mean cosine of the three nearest; 0 without vectors."""
    unmentioned: float
    """The share of the question's rarity that is nowhere in memory."""
    distance: float
    """How far the best stands out, in deviations."""
    is_somebody_named: bool = False
    """Whether the question names one of the speakers."""


@dataclass(frozen=True, slots=True)
class Held:
    """What speaks for a chat holding an answer, and not only something of the same topic."""

    nearness: float
    """The mean cosine of the three nearest."""
    said: float
    """The most of the question's rarity that one passage of the user's holds, by its nearest words."""
    missing: float
    """How rare the rarest word is that the session of the best message lacks, from 0 to 7."""
    is_name_missing: bool
    """Whether the question names something that none of the best messages mentions."""
    alikeness: float
    """How near messages of this memory are to those of other sessions."""


@dataclass(frozen=True, slots=True)
class _Line:
    cover: float
    nearness: float
    unmentioned: float
    distance: float
    named: float
    start: float


Compared = Literal["talk", "talk by words", "chats by words"]
"""Talk is between people; by words where there are no vectors."""
_LINES: Final[Mapping[Compared, _Line]] = {
    "talk": _Line(cover=1.5, nearness=3.8, unmentioned=-1.2, distance=0.8, named=3.0, start=-4.8),
    "talk by words": _Line(cover=2.5, nearness=0.0, unmentioned=-1.2, distance=1.0, named=3.0, start=-5.4),
    "chats by words": _Line(cover=4.0, nearness=0.0, unmentioned=-1.7, distance=0.3, named=0.0, start=-0.8),
}


@dataclass(frozen=True, slots=True)
class _ChatLine:
    nearness: float
    said: float
    missing: float
    name_missing: float
    alikeness: float
    start: float


_CHATS: Final = _ChatLine(nearness=11.7, said=4.0, missing=-0.22, name_missing=-1.8, alikeness=-2.8, start=-1.9)
"""Chats with vectors. The start is the lowest that costs no set of docs/benchmarks.md more than 2 points."""


def comparable(cosines: Cosines, unrelated: float | None) -> Cosines:
    """Bring the cosines of another embedder to the scale of ours; `unrelated` is what it gives any two texts."""
    if unrelated is None or unrelated >= 1:
        return cosines
    return _UNRELATED + (cosines - unrelated) * ((1 - _UNRELATED) / (1 - unrelated))


def certainty(grounds: Grounds, compared: Compared) -> float:
    """Return how sure it is that memory holds an answer, in log odds."""
    line = _LINES[compared]
    return (
        line.start
        + line.cover * grounds.cover
        + line.nearness * grounds.nearness
        + line.unmentioned * grounds.unmentioned
        + line.distance * grounds.distance
        + line.named * grounds.is_somebody_named
    )


def certainty_of_chats(held: Held) -> float:
    """Return the same for chats with an assistant, where there are vectors."""
    return (
        _CHATS.start
        + _CHATS.nearness * held.nearness
        + _CHATS.said * held.said
        + _CHATS.missing * held.missing
        + _CHATS.name_missing * held.is_name_missing
        + _CHATS.alikeness * held.alikeness
    )


def doubt(source_class: SourceClass, *, is_asked_again: bool = False) -> float:
    """Return by how much, in log odds, somebody's words are less sure to answer a question."""
    return _DOUBT * (source_class in UNTRUSTED) + _ASKED * is_asked_again


def relevance(evidence: float, *, is_related: bool) -> float:
    """Return the relevance of a message; half of it where no word and no meaning is shared with the question."""
    sure = 1 / (1 + math.exp(-max(-_MOST, min(evidence, _MOST))))
    return sure if is_related else sure / 2


def odds(sure: float) -> float:
    """Return the log odds of a relevance, so that facts and messages can be put in one order."""
    kept = min(max(sure, 1e-9), 1 - 1e-9)
    return math.log(kept / (1 - kept))
