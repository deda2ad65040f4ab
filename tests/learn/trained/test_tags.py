"""The best way to tag words, and how sure each tag is: as trying every way says."""

from itertools import product

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra.numpy import arrays

from hermes_agent.learn.trained.tags import NOT_FIRST, best_tags, runs, tag_chances
from hermes_agent.learn.trained.weights import Floats

FLOATS = some.floats(-5, 5, width=32)
STEPS = arrays(numpy.float32, (3, 3), elements=FLOATS)
SCORES = some.integers(1, 5).flatmap(lambda words: arrays(numpy.float32, (words, 3), elements=FLOATS))


def every_way(scores: Floats, steps: Floats) -> dict[tuple[int, ...], float]:
    """Return each way to tag the words with how well it fits."""
    found: dict[tuple[int, ...], float] = {}
    for tags in product(range(3), repeat=len(scores)):
        fits = float(NOT_FIRST[tags[0]]) + sum(float(row[tag]) for row, tag in zip(scores, tags, strict=True))
        found[tags] = fits + sum(float(steps[one, two]) for one, two in zip(tags, tags[1:], strict=False))
    return found


@given(SCORES, STEPS)
def test_the_best_tags_fit_as_well_as_any(scores: Floats, steps: Floats) -> None:
    ways = every_way(scores, steps)
    assert ways[tuple(best_tags(scores, steps))] == pytest.approx(max(ways.values()), abs=1e-3)


@given(SCORES, STEPS)
def test_a_chance_is_the_share_of_all_ways(scores: Floats, steps: Floats) -> None:
    ways = every_way(scores, steps)
    weights = {tags: numpy.exp(fits) for tags, fits in ways.items()}
    total = sum(weights.values())
    chances = tag_chances(scores, steps)
    for place in range(len(scores)):
        for tag in range(3):
            share = sum(weight for tags, weight in weights.items() if tags[place] == tag) / total
            assert chances[place, tag] == pytest.approx(share, abs=1e-3)


def test_a_value_goes_on_as_long_as_its_words_do() -> None:
    assert list(runs([0, 1, 2, 2, 0, 1, 1, 2])) == [(1, 4), (5, 6), (6, 8)]
    assert list(runs([0, 0])) == []
