"""The name somebody introduces themselves by: many names are also words, and some words look like names."""

import pytest

from hermes_agent.learn.hearing import hear

_NAMES = """Anna April Ben Bill Carol Drew Faith Finn Grace Jade Jay Jordan Joy June Kofi Lea Mara Max May Miles
Penny Peter Priya Robin Rose Ruby Sam Summer Taylor Tara Violet Wei Will"""


@pytest.mark.parametrize(
    "said", ["Hi, I'm {}.", "I'm {} and I live in Rome.", "My name is {}.", "I am {}, a nurse."]
)
@pytest.mark.parametrize("name", _NAMES.split())
def test_a_name_that_is_also_a_word_is_a_name(name: str, said: str) -> None:
    told = [(one.who.kind, one.value) for one in hear(said.format(name)) if one.attribute == "name"]
    assert told == [("user", name)]


@pytest.mark.parametrize("name", ["Anna", "Mara", "Ruby"])
def test_who_introduces_themselves_is_nobody_else(name: str) -> None:
    told = [(one.who.kind, one.attribute, one.value) for one in hear(f"I'm {name} Okoye, a nurse from Lyon.")]
    assert told == [("user", "name", f"{name} Okoye"), ("user", "role", "nurse")]


def test_a_friend_with_the_name_of_an_animal_is_no_pet() -> None:
    told = {(one.who.name, one.attribute, one.value) for one in hear("My friend Mara Okoye lives in Rome.")}
    assert told == {("Mara Okoye", "home", "Rome")}
    assert ("pet", "beagle Monty") in {(one.attribute, one.value) for one in hear("My beagle Monty is nine.")}


@pytest.mark.parametrize(
    "said",
    [
        "I'm Scorpio.",
        "I'm Team Edward.",
        "I'm Gen Z.",
        "I'm Ruby on Rails only.",
        "I'm Android only.",
        "I'm Irish.",
    ],
)
def test_what_somebody_is_is_no_name(said: str) -> None:
    assert [one.value for one in hear(said) if one.attribute == "name"] == []
