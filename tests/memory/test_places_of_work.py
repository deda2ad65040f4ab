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


@pytest.mark.parametrize(
    ("said", "told"),
    [
        # the vaguer one says nothing new, the fuller one takes its place
        (["I work at Nordlicht in Bergen.", "I work at Nordlicht."], "User works at Nordlicht in Bergen"),
        (["I work at Nordlicht.", "I work at Nordlicht in Bergen."], "User works at Nordlicht in Bergen"),
        (["I'm a nurse in Bergen.", "I'm a nurse."], "User works as a nurse in Bergen"),
        (["I study physics in Berlin.", "I study physics."], "User studies physics in Berlin"),
        (["I study physics.", "I study physics in Berlin."], "User studies physics in Berlin"),
        (["I study physics in Berlin.", "I study in Berlin."], "User studies physics in Berlin"),
        (["My brother is a cook in Paris."], "User's brother works as a cook in Paris"),
        # another town, another subject
        (["I work at Nordlicht in Bergen.", "I work at Nordlicht in Oslo."], "User works at Nordlicht in Oslo"),
        (["I study physics.", "I study in Berlin."], "User studies physics; User studies in Berlin"),
        (["I study physics in Berlin.", "I study physics in Munich."], "User studies physics in Munich"),
        (["I study in Berlin.", "I study in Munich."], "User studies in Munich"),
        (["I study in Berlin.", "I moved to Oslo."], "User studies in Berlin; User lives in Oslo"),
        # denied or past, with the town or without
        (["I work at Nordlicht in Bergen.", "I don't work at Nordlicht."], "User does not work at Nordlicht"),
        (["I don't work at Nordlicht.", "I work at Nordlicht in Bergen."], "User works at Nordlicht in Bergen"),
        (["I work at Nordlicht in Bergen.", "I used to work at Nordlicht."], "User works at Nordlicht (formerly)"),
        (
            ["I used to study in Berlin.", "I used to study in Munich."],
            "User studies in Berlin (formerly); User studies in Munich (formerly)",
        ),
        # who is in training is none yet
        (["I'm an engineer in training.", "I'm an engineer."], "User works as an engineer"),
    ],
)
def test_a_firm_is_the_same_one_with_its_town_and_without(memory: Memory, said: list[str], told: str) -> None:
    assert learned(memory, *said) == told.split("; ")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (["I study in Berlin.", "I no longer study in Berlin."], ""),
        (["I study in Berlin.", "I don't study in Berlin any more."], ""),
        (["I study in Berlin.", "I quit studying in Berlin."], ""),
        (["I study in Berlin.", "I'm no longer in Berlin."], ""),
        (["My sister studies in Berlin.", "My sister no longer studies in Berlin."], ""),
        (["I study physics in Berlin.", "I no longer study in Berlin."], ""),
        (["I study physics in Berlin.", "I no longer study physics."], ""),
        (["I study physics in Berlin.", "I gave up physics."], ""),
        (["I work at Nordlicht in Bergen.", "I no longer work at Nordlicht."], ""),
        (["I work at Nordlicht in Bergen.", "I no longer work in Bergen."], ""),
        # a job without a name is whatever job is known, and no firm called "job"
        (["I work at Nordlicht in Bergen.", "I quit my job."], ""),
        (["My sister Clara is a nurse in Leeds.", "Clara quit her job."], ""),
        (["Clara quit her job."], ""),
        # what goes on
        (["I study in Berlin.", "I no longer study in Munich."], "User studies in Berlin"),
        (["I study physics in Berlin.", "I'm no longer in Berlin."], "User studies physics in Berlin"),
        (["I work at Nordlicht in Bergen.", "I'm no longer in Bergen."], "User works at Nordlicht in Bergen"),
        (["I study law in Oslo.", "I no longer work in Oslo."], "User studies law in Oslo"),
        # what was
        (["I used to study in Berlin."], "User studies in Berlin (formerly)"),
    ],
)
def test_what_is_done_in_a_town_ends_with_it(memory: Memory, said: list[str], told: str) -> None:
    assert learned(memory, *said) == list(filter(None, [told]))


def learned(memory: Memory, *said: str) -> list[str]:
    """Return what is held to be true after each was said in a session of its own."""
    for day, one in enumerate(said, 1):
        talk(memory, f"s{day}", one, "I see.", day=day)
        learn(memory.store, f"s{day}")
    return texts(memory)
