"""Planning a ranked search within a budget: rare words bring candidates, common ones only score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.store.text_index import (
    CANDIDATE_POSTINGS,
    CHEAP_POSTINGS,
    COMMON_SHARE,
    NEWEST_POSTINGS,
    POSTINGS_BUDGET,
    Order,
    Plan,
    id_range,
    plan_any,
    plan_by_age,
    plan_candidates,
    share_for,
)

MILLION = 1_000_000
FREQUENCIES = st.lists(st.integers(0, MILLION), max_size=8)
OVER = POSTINGS_BUDGET + 1
COMMON = int(MILLION * COMMON_SHARE) + 1


@pytest.mark.parametrize(
    ("frequencies", "total", "expected"),
    [
        # Nothing asked, or nothing there.
        ([], 0, Plan((), (), 1.0)),
        ([0, 0], MILLION, Plan((), (), 1.0)),
        # While it is cheap every word brings its messages, the rarest first.
        ([5], 10, Plan((0,), (), 1.0)),
        ([30, 10, 0, 20], MILLION, Plan((1, 3, 0), (), 1.0)),
        ([CHEAP_POSTINGS // 2, CHEAP_POSTINGS // 2], MILLION, Plan((0, 1), (), 1.0)),
        # Words about as frequent share the budget.
        ([POSTINGS_BUDGET // 4, POSTINGS_BUDGET // 3], MILLION, Plan((0, 1), (), 1.0)),
        # A much more frequent one only scores, and among few messages not even that when it is everywhere.
        ([100, POSTINGS_BUDGET], MILLION, Plan((0,), (1,), 1.0, is_partial=True)),
        ([100, POSTINGS_BUDGET * 2], MILLION, Plan((0,), (), 1.0, is_partial=True)),
        ([POSTINGS_BUDGET // 2, POSTINGS_BUDGET], MILLION, Plan((0,), (1,), 1.0, is_partial=True)),
        # What very rare words leave open is filled up from the newest messages.
        ([5, POSTINGS_BUDGET], MILLION, Plan((0,), (1,), 1.0, True, CHEAP_POSTINGS / POSTINGS_BUDGET)),
        # Beyond the budget, one in a quarter of all messages says nothing beside a rarer one.
        ([100, COMMON], MILLION, Plan((0,), (), 1.0, is_partial=True)),
        # A single word is always looked for, in the newest part.
        ([POSTINGS_BUDGET], MILLION, Plan((0,), (), 1.0)),
        ([OVER], MILLION, Plan((0,), (), NEWEST_POSTINGS / OVER)),
        ([COMMON, 2 * COMMON], MILLION, Plan((0,), (), NEWEST_POSTINGS / COMMON, is_partial=True)),
    ],
)
def test_the_plan_keeps_to_the_budget(frequencies: list[int], total: int, expected: Plan) -> None:
    assert plan_any(frequencies, total) == expected


@pytest.mark.parametrize(
    ("frequencies", "expected"),
    [
        ([], Plan((), (), 1.0)),
        ([0, 0], Plan((), (), 1.0)),
        # The rarest words bring candidates; the next ones are wanted beside the rarest, if not everywhere.
        ([30, 10, 0, 20], Plan((1, 3, 0), (), 1.0)),
        ([10, CANDIDATE_POSTINGS, COMMON], Plan((0,), (1,), 1.0)),
        # A single common word is looked for in the newest part.
        ([2 * CANDIDATE_POSTINGS], Plan((0,), (), 0.5)),
    ],
)
def test_candidates_keep_to_a_smaller_budget(frequencies: list[int], expected: Plan) -> None:
    assert plan_candidates(frequencies, MILLION) == expected


@pytest.mark.parametrize(
    ("frequencies", "total"), [([1, 4], 10), ([3, 1, 2], 8), ([9, 10], 10), ([1, 1_000], 1_001)]
)
def test_in_a_small_archive_every_word_brings_its_messages(frequencies: list[int], total: int) -> None:
    assert set(plan_any(frequencies, total).candidates) == set(range(len(frequencies)))


@given(FREQUENCIES, st.sampled_from([1_000, MILLION]))
def test_a_plan_is_bounded_and_never_empty(frequencies: list[int], total: int) -> None:
    frequencies = [min(frequency, total) for frequency in frequencies]
    plan = plan_any(frequencies, total)
    assert bool(plan.candidates) == any(frequencies)
    assert not set(plan.candidates) & set(plan.scored)
    assert all(frequencies[i] for i in (*plan.candidates, *plan.scored))
    assert 0 < plan.newest_share <= 1
    assert sum(frequencies[i] for i in plan.candidates) * plan.newest_share <= POSTINGS_BUDGET * 1.0001
    ranked = [frequencies[i] for i in (*plan.candidates, *plan.scored)]
    assert ranked == sorted(ranked)


@given(FREQUENCIES)
def test_by_age_every_word_counts_and_only_the_share_is_cut(frequencies: list[int]) -> None:
    plan = plan_by_age(frequencies)
    assert plan.candidates == tuple(i for i, frequency in enumerate(frequencies) if frequency)
    assert plan.scored == ()
    assert plan.newest_share == share_for(sum(frequencies))


@pytest.mark.parametrize(
    ("share", "order", "expected"),
    [
        (1.0, "best", (0, 100)),
        (1.0, "oldest", (0, 100)),
        (0.25, "best", (75, 100)),
        (0.25, "newest", (75, 100)),
        (0.25, "oldest", (0, 25)),
    ],
)
def test_a_share_is_taken_from_the_wanted_end(share: float, order: Order, expected: tuple[int, int]) -> None:
    assert id_range(100, share, order) == expected


@given(st.integers(0, 100 * MILLION))
def test_the_share_never_brings_more_than_the_budget(matches: int) -> None:
    assert 0 < share_for(matches) <= 1
    assert matches * share_for(matches) <= POSTINGS_BUDGET
    assert share_for(matches) == 1 or matches > POSTINGS_BUDGET
