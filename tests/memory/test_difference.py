"""What differs between two moments is the same whether all of it is told or a part; the counts are of all."""

import pytest

from hermes_agent.memory import facts
from hermes_agent.memory.difference import differences, point
from hermes_agent.memory.fact_changes import pin
from hermes_agent.store.store import Store


@pytest.mark.parametrize("most", [1, 2, 50])
def test_a_part_of_what_differs_is_the_first_of_all(store: Store, most: int) -> None:
    facts.add(store, "The office is in Oslo")
    facts.add(store, "The boat lies in Bergen")
    begun = point(store, None, None, is_end=True)
    for number in range(4):
        facts.add(store, f"Shelf {number} of the library is about subject {number * 7}")
    facts.delete(store, "fact:001")
    facts.delete(store, "fact:004")
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
