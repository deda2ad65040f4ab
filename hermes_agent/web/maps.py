"""A map of things: those that are named together are drawn near each other, what is named often is drawn large.

The places are the same each time the same is drawn: people find again what they saw.
"""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

from hermes_agent.records.memory import Thing
from hermes_agent.store.entity_map import Together

WIDTH, HEIGHT = 720, 520
_MARGIN_X, _MARGIN_Y = 70, 30
_SEED = 1
_ROUNDS = 60
_SMALLEST, _LARGEST = 5.0, 20.0
_MOST_LINES = 250
_CROWD = 30
_LONGEST_NAME = 22
_BY_RANK = 0.7
Pair = tuple[tuple[int, int], int]
"""Two things by their numbers, and how often they are named together."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A thing on the map."""

    thing: Thing
    x: float
    y: float
    radius: float

    @property
    def label(self) -> str:
        """Its name, cut where it would cover its neighbours."""
        name = self.thing.name
        return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


@dataclass(frozen=True, slots=True)
class Way:
    """Two things that texts name together, and how often; `strength` is 1 to 3."""

    one: Spot
    other: Spot
    count: int
    strength: int


@dataclass(frozen=True, slots=True)
class Map:
    """Things in their places, the most named first, and the ways between them."""

    spots: Sequence[Spot]
    ways: Sequence[Way]
    width: int = WIDTH
    height: int = HEIGHT


def most_named(together: Together, count: int) -> list[Thing]:
    """Return the things that are named most."""
    ordered = sorted(together.things.values(), key=lambda thing: (-thing.mentions, thing.name, thing.id))
    return ordered[:count]


def named_together(together: Together, among: Collection[int]) -> Counter[tuple[int, int]]:
    """Count how often each two of the things are named by one text; one that names very many says nothing."""
    pairs: Counter[tuple[int, int]] = Counter()
    for named in together.named:
        inside = sorted(one for one in named if one in among)
        if len(inside) <= _CROWD:
            pairs.update(combinations(inside, 2))
    return pairs


def near(together: Together, ids: Collection[int]) -> list[tuple[int, Thing]]:
    """Return what is named together with some things, and how often, the most often first."""
    pairs = named_together(together, together.things.keys()).items()
    counts: Counter[int] = Counter()
    for (one, other), count in pairs:
        if (one in ids) != (other in ids):
            counts[other if one in ids else one] += count
    found = [(count, together.things[number]) for number, count in counts.items()]
    return sorted(found, key=lambda pair: (-pair[0], pair[1].name))


def draw(together: Together, count: int) -> Map:
    """Put the most named things in their places."""
    things = most_named(together, count)
    pairs = named_together(together, {thing.id for thing in things}).most_common(_MOST_LINES)
    if not things:
        return Map([], [])
    places = _places(things, pairs)
    most = max(thing.mentions for thing in things)
    spots = {thing.id: Spot(thing, *places[thing.id], _radius(thing.mentions, most)) for thing in things}
    highest = max((times for _, times in pairs), default=1)
    ways = [
        Way(spots[one], spots[other], times, min(3, 1 + int(3 * (times - 1) / highest)))
        for (one, other), times in pairs
    ]
    return Map(list(spots.values()), ways)


def _places(things: Sequence[Thing], pairs: Sequence[Pair]) -> dict[int, tuple[float, float]]:
    # Imported here: it takes a while to load, and only this page needs it. It has no types.
    import networkx  # type: ignore[import-untyped]

    graph = networkx.Graph()
    graph.add_nodes_from(thing.id for thing in things)
    graph.add_weighted_edges_from((one, other, math.log2(1 + times)) for (one, other), times in pairs)
    # Far enough apart for their names.
    apart = 2.2 / math.sqrt(len(things))
    found = networkx.spring_layout(graph, k=apart, seed=_SEED, iterations=_ROUNDS)
    xs, ys = ([float(place[axis]) for place in found.values()] for axis in (0, 1))
    return {
        node: (
            _scaled(float(place[0]), xs, _MARGIN_X, WIDTH - _MARGIN_X),
            _scaled(float(place[1]), ys, _MARGIN_Y, HEIGHT - _MARGIN_Y),
        )
        for node, place in found.items()
    }


def _scaled(value: float, values: Sequence[float], low: float, high: float) -> float:
    """Put a value between two others, by its size and by its rank: one far away must not crowd the rest."""
    least, most = min(values), max(values)
    if most == least:
        return (low + high) / 2
    rank = sum(other < value for other in values) / (len(values) - 1)
    share = _BY_RANK * rank + (1 - _BY_RANK) * (value - least) / (most - least)
    return round(low + share * (high - low), 1)


def _radius(mentions: int, most: int) -> float:
    return round(_SMALLEST + (_LARGEST - _SMALLEST) * math.sqrt(mentions / most), 1)
