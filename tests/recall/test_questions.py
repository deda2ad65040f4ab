"""Questions are made of statements; their value never stands in them."""

from datetime import UTC, datetime

import pytest

from hermes_agent.recall.questions import Masked, answers, holds, mask

WHEN = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "question", "value"),
    [
        ("My sister Anna lives in Porto.", "Where does my sister live?", "Porto"),
        ("We moved to Lyon in March 2024 because of work", "Where did we move?", "Lyon"),
        ("My dog's name is Biscuit", "What is my dog called?", "Biscuit"),
        ("I have 3 cats and a parrot at home", "How many cats home?", "3 cats"),
        ("J'ai acheté une guitare Fender à Marseille pour mon frère", "j achete guitare frere?", "Fender"),
    ],
)
def test_a_statement_becomes_a_question(said: str, question: str, value: str) -> None:
    made = mask(said, WHEN)
    assert made is not None
    assert made.question.endswith("?")
    assert (made.value, made.question) == (value, question)


def test_a_script_without_spaces_has_questions_too() -> None:
    made = mask("我的妹妹安娜在2019年搬到了波尔图居住", WHEN)
    assert made is not None
    assert not holds(made.question, made.value)


@pytest.mark.parametrize(
    "said",
    ["", "ok", "Where does Anna live?", "x" * 5_000, "My key is [redacted: key] at Acme", "?" * 900, "\x00" * 9],
)
def test_what_states_nothing_gives_no_question(said: str) -> None:
    assert mask(said, WHEN) is None


def test_an_answer_holds_the_value_and_what_was_asked_about_it() -> None:
    asked = Masked("Where does my sister live?", "Porto")
    assert answers("my sister has been living in PORTO for years", asked)
    assert not answers("We flew to Porto", asked)
    assert not answers("my sister lives in Portofino", asked)
