"""The signal of kinds: a question asks for a kind, a message names a thing of it."""

import math
from collections import Counter

import numpy

from hermes_agent.recall.field import Field, Floats

_RARE = 5.0
"""From this rarity on a thing counts whole; in a small memory if it is named once."""


def named(field: Field, things: frozenset[str]) -> Floats:
    """Tell which messages name one of the things; one that is named everywhere says little."""
    values = numpy.zeros(len(field), numpy.float32)
    if not things:
        return values
    found = [things.intersection(row.words.split(" ")) for row in field.rows]
    held = Counter(thing for one in found for thing in one)
    whole = min(_RARE, _rarity(1, len(field)))
    weight = {thing: min(1.0, _rarity(times, len(field)) / whole) for thing, times in held.items()}
    for place, one in enumerate(found):
        values[place] = max((weight[thing] for thing in one), default=0.0)
    return values


def _rarity(times: int, messages: int) -> float:
    return math.log(1 + (messages - times + 0.5) / (times + 0.5))
