"""What a message says of its writer, and what it only holds: by a table of wishes and of people in long texts."""

import pytest

from hermes_agent.learn.candidates import candidates
from hermes_agent.records.learning import Heard

_ARTICLE = "Thomas Edgar works at Bosch. " * 8


def told(message: str) -> list[str]:
    return [one.text for one in candidates([Heard("1", message, 1)])]


@pytest.mark.parametrize(
    "message",
    [
        "Please keep your answers short.",
        "Always convert prices to euros.",
        "From now on give me prices in rand.",
        "I'm an engineer, so skip the basics.",
        "Don't suggest coffee breaks.",
        "Don't give me recipes with more than eight ingredients.",
    ],
)
def test_a_wish_that_lasts_is_kept(message: str) -> None:
    assert any("User" not in text for text in told(message)), told(message)


@pytest.mark.parametrize(
    "message",
    [
        "I want you to process all of them together.",
        "Answer only 'ok' and wait.",
        "Use more words.",
        "I need you to act as a startup guru.",
        "Write in English language. " + "Describe the plot of the film in detail, scene by scene. " * 8,
    ],
)
def test_a_task_is_no_standing_wish(message: str) -> None:
    assert told(message) == []


def test_people_of_a_text_that_is_handed_over_are_nobody_one_knows() -> None:
    assert told(_ARTICLE) == []
    assert told("Thomas Edgar works at Bosch.") == ["Thomas Edgar works at Bosch"]
