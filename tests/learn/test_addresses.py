"""Where somebody lives, by the street, and what else was left out of facts: studies to come."""

import pytest

from tests.learn.test_hearing import learned, written

ADDRESSES: dict[str, list[str]] = {
    "My new flat is on Rua das Flores": ["user.address=Rua das Flores"],
    "our new flat is on Rua das Flores 12": ["user.address=Rua das Flores 12"],
    "The new flat is on Rua das Flores": ["user.address=Rua das Flores"],
    "My apartment is at 12 Elm Street": ["user.address=12 Elm Street"],
    "My house is on Baker Street": ["user.address=Baker Street"],
    "I live on Rua das Flores": ["user.address=Rua das Flores"],
    "I live at 12 Elm Street in Leeds": ["user.address=12 Elm Street", "user.home=Leeds"],
    "My sister lives on Main Street": ["sister.address=Main Street"],
    "My house is on fire": [],
    "My flat is on the third floor": [],
    "The house is on Zillow": [],
}
STUDIES: dict[str, list[str]] = {
    "I'm going to learn Japanese next year": ["user.plan=learn Japanese next year"],
    "I'm going to learn Japanese": ["user.plan=learn Japanese"],
    "I'm going to study law": ["user.plan=study law"],
    "We're going to learn to dance this winter": ["user.plan=learn to dance this winter"],
    "I'm no longer going to learn Japanese": [],
    "We're no longer going to move to Lisbon": [],
    "I'm going to learn more about it tomorrow": [],
}


@pytest.mark.parametrize(("said", "facts"), [*ADDRESSES.items(), *STUDIES.items()])
def test_a_street_and_a_study_to_come_are_learned(said: str, facts: list[str]) -> None:
    assert [written(one) for one in learned(said)] == facts
