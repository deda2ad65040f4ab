"""Where somebody works or studies, as it is learned: with its town, once, and until it ends."""

import pytest

from hermes_agent.memory.memory import Memory
from tests.learn.claimed import claim, hand_in
from tests.learning import learn
from tests.memory.held import texts
from tests.models.asking import asking
from tests.recall.conversations import talk


@pytest.mark.parametrize(
    ("said", "place", "told"),
    [("I study in Berlin.", "Berlin", "User is in Berlin"), ("We study at Delft.", "Delft", "User is in Delft")],
)
def test_a_town_that_a_model_quotes_alone_is_kept(memory: Memory, said: str, place: str, told: str) -> None:
    talk(memory, "a", said, "I see.")
    with asking(hand_in(claim(place, "location", place))) as (_, remote):
        learn(memory.store, "a", remote)
    assert texts(memory) == [told]
