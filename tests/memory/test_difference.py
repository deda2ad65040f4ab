"""What differs between two moments is the same whether all of it is told or a part; the counts are of all."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import HermesError
from hermes_agent.memory import facts, forgetting
from hermes_agent.memory.difference import Point, differences, point
from hermes_agent.memory.fact_changes import pin
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.undo_choice import Latest
from hermes_agent.memory.undoing import undo
from hermes_agent.store import journal
from hermes_agent.store.store import Store
from tests.counts import count
from tests.memory.memory_states import Action, emptied, fact_actions, tidy_actions

LIMIT = 2_000
MORE_THAN_THERE_ARE = 1_000


def undo_latest(notebook: Notebook) -> None:
    undo(notebook, Latest())


def forgotten(place: int) -> Action:
    """Forget what one of the entries tells, if there is any; the facts of it stay."""

    def act(notebook: Notebook) -> None:
        with notebook.store.write() as connection:
            told = journal.recent(connection, 50)
            if told:
                forgetting.forget_entry(connection, told[place % len(told)])

    return act


_actions = st.one_of(
    fact_actions, fact_actions, tidy_actions, st.just(undo_latest), st.integers(0, 9).map(forgotten)
)


@settings(max_examples=count(10, 300))
@given(
    chosen=st.lists(_actions, max_size=12),
    one=st.integers(0, 12),
    other=st.integers(0, 12),
)
def test_whatever_was_done_a_part_is_read_as_the_whole_is(
    store: Store, own_home: Home, chosen: list[Action], one: int, other: int
) -> None:
    ensure(own_home)
    notebook = Notebook(store, own_home, LIMIT, LIMIT)
    emptied(notebook)
    points: list[Point] = [point(store, None, None, is_end=True)]
    for step in chosen:
        with suppress(HermesError):  # such as an edit that says nothing new
            step(notebook)
        points.append(point(store, None, None, is_end=True))
    first, second = points[one % len(points)], points[other % len(points)]
    assert differences(store, first, second, MORE_THAN_THERE_ARE) == differences(store, first, second)


@pytest.mark.parametrize("most", [1, 2, 50])
def test_a_part_of_what_differs_is_the_first_of_all(store: Store, most: int) -> None:
    facts.add(store, "The office is in Oslo")
    facts.add(store, "The boat lies in Bergen")
    begun = point(store, None, None, is_end=True)
    for number in range(4):
        facts.add(store, f"Shelf {number} of the library is about subject {number * 7}")
    facts.delete(store, "fact:001")
    facts.delete(store, "fact:004")
    facts.add(store, "The library is in Tromsø")
    pin(store, "fact:007")
    pin(store, "fact:002")
    pin(store, "fact:005")
    ended = point(store, None, None, is_end=True)
    for one, other in ((begun, ended), (ended, begun)):
        whole, part = differences(store, one, other), differences(store, one, other, most)
        assert part.counts == whole.counts
        assert list(part.added) == list(whole.added)[:most]
        assert list(part.ended) == list(whole.ended)[:most]
        assert list(part.changed) == list(whole.changed)[:most]
    assert sum(differences(store, begun, ended).counts.values()) >= 5


def test_a_fact_whose_coming_was_forgotten_differs_in_no_part(store: Store, own_home: Home) -> None:
    begun = point(store, None, None, is_end=True)
    facts.add(store, "The office is in Oslo")
    facts.add(store, "The boat lies in Bergen")
    forgotten(1)(Notebook(store, own_home, LIMIT, LIMIT))
    ended = point(store, None, None, is_end=True)
    whole, part = differences(store, begun, ended), differences(store, begun, ended, MORE_THAN_THERE_ARE)
    assert [one["text"] for one in whole.added] == ["The boat lies in Bergen"]
    assert part == whole
