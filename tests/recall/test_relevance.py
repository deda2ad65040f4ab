"""Relevance: from 0 to 1, surer for what speaks for an answer, half where nothing is shared."""

from dataclasses import replace
from typing import get_args

import numpy
import pytest

from hermes_agent.recall.relevance import (
    Compared,
    Grounds,
    Held,
    certainty,
    certainty_of_chats,
    odds,
    relevance,
)
from hermes_agent.recall.scale import scaled, spread, to_top, unit

SOME = Grounds(cover=0.5, nearness=0.3, unmentioned=0.3, distance=2.0)
HELD = Held(nearness=0.3, said=0.5, missing=3.0, is_name_missing=False, alikeness=0.4)
COMPARED = get_args(Compared)


@pytest.mark.parametrize("compared", COMPARED)
def test_what_is_covered_and_stands_out_is_surer_than_what_nobody_mentioned(compared: Compared) -> None:
    def sure(grounds: Grounds) -> float:
        return certainty(grounds, compared)

    assert sure(replace(SOME, cover=0.9)) > sure(SOME)
    assert sure(replace(SOME, distance=4.0)) > sure(SOME)
    assert sure(replace(SOME, unmentioned=0.9)) < sure(SOME)
    assert (sure(replace(SOME, nearness=0.9)) > sure(SOME)) is (compared == "talk")
    assert (sure(replace(SOME, is_somebody_named=True)) > sure(SOME)) is compared.startswith("talk")


def test_a_chat_that_says_what_is_asked_is_surer_than_one_of_the_same_topic() -> None:
    sure = certainty_of_chats
    assert sure(replace(HELD, said=0.9)) > sure(HELD)
    assert sure(replace(HELD, nearness=0.5)) > sure(HELD)
    assert sure(replace(HELD, missing=6.0)) < sure(HELD)
    assert sure(replace(HELD, is_name_missing=True)) < sure(HELD)
    assert sure(replace(HELD, alikeness=0.6)) < sure(HELD)


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


@pytest.mark.parametrize("compared", COMPARED)
def test_nothing_in_common_is_irrelevant(compared: Compared) -> None:
    nothing = Grounds(cover=0.0, nearness=0.0, unmentioned=1.0, distance=1.0)
    assert relevance(certainty(nothing, compared), is_related=False) < 0.65


def test_nothing_in_common_with_a_chat_is_irrelevant() -> None:
    nothing = Held(nearness=0.0, said=0.0, missing=0.0, is_name_missing=False, alikeness=0.0)
    assert relevance(certainty_of_chats(nothing), is_related=False) < 0.65


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
