"""Relevance: from 0 to 1, surer for what speaks for an answer, half where nothing is shared."""

from dataclasses import replace
from itertools import product

import numpy
import pytest

from hermes_agent.recall.relevance import Grounds, certainty, odds, relevance
from hermes_agent.recall.scale import scaled, spread, to_top, unit

SOME = Grounds(cover=0.5, nearness=0.3, unmentioned=0.3, distance=2.0)
KINDS = list(product([True, False], [True, False]))


@pytest.mark.parametrize(("is_talk", "has_vectors"), KINDS)
def test_what_is_covered_and_stands_out_is_surer_than_what_nobody_mentioned(
    is_talk: bool, has_vectors: bool
) -> None:
    def sure(grounds: Grounds) -> float:
        return certainty(grounds, is_talk=is_talk, has_vectors=has_vectors)

    assert sure(replace(SOME, cover=0.9)) > sure(SOME)
    assert sure(replace(SOME, distance=4.0)) > sure(SOME)
    assert sure(replace(SOME, unmentioned=0.9)) < sure(SOME)
    assert (sure(replace(SOME, nearness=0.9)) > sure(SOME)) is has_vectors
    assert (sure(replace(SOME, is_somebody_named=True)) > sure(SOME)) is is_talk


def test_more_evidence_is_more_relevant_and_nothing_is_out_of_scale() -> None:
    evidence = (-1e9, -5, 0, 1, 5, 1e9)
    rising = [relevance(each, is_related=True) for each in evidence]
    assert rising == sorted(rising) and len(set(rising)) == len(evidence)
    assert rising[2] == 0.5 and 0 <= rising[0] < 0.01 and 0.99 < rising[-1] <= 1


def test_what_shares_neither_word_nor_meaning_is_half_as_relevant() -> None:
    assert relevance(2.0, is_related=False) == relevance(2.0, is_related=True) / 2


def test_odds_are_relevance_turned_back() -> None:
    for evidence in (-5.0, 0.0, 3.0):
        assert odds(relevance(evidence, is_related=True)) == pytest.approx(evidence)
    assert odds(0.0) < -20 and odds(1.0) > 20


@pytest.mark.parametrize(("is_talk", "has_vectors"), KINDS)
def test_nothing_in_common_is_irrelevant(is_talk: bool, has_vectors: bool) -> None:
    nothing = Grounds(cover=0.0, nearness=0.0, unmentioned=1.0, distance=1.0)
    sure = certainty(nothing, is_talk=is_talk, has_vectors=has_vectors)
    assert relevance(sure, is_related=False) < 0.65


def test_numbers_are_brought_to_one_scale() -> None:
    values = numpy.array([2, 4, 8], numpy.float32)
    assert to_top(values).tolist() == [0.25, 0.5, 1]
    assert scaled(values).tolist() == pytest.approx([0, 1 / 3, 1])
    assert spread(numpy.array([1, 3], numpy.float32)).tolist() == [-0.25, 0.25]
    assert spread(numpy.array([0] * 99 + [1_000], numpy.float32))[-1] == 1.5
    assert unit(numpy.array([[3, 4], [0, 0]], numpy.float32)) == pytest.approx(numpy.array([[0.6, 0.8], [0, 0]]))


@pytest.mark.parametrize("values", [[], [0.0], [0.0, 0.0], [7.0, 7.0]])
def test_equal_numbers_or_none_are_no_trouble(values: list[float]) -> None:
    for scale in (to_top, scaled, spread):
        made = scale(numpy.array(values, numpy.float32))
        assert len(made) == len(values) and numpy.isfinite(made).all()
