"""A story told in one session after another, without a model: what changed is known as it is now."""

from collections.abc import Callable

import pytest

from tests.conftest import Hermes

Tell = Callable[..., str]


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows a conversation is run by the test itself."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")


@pytest.fixture
def tell(hermes: Hermes) -> Tell:
    """Say each sentence in a session of its own, and return the answer to the last."""

    def told(*said: str) -> str:
        for one in said:
            answer = hermes("chat", "-q", one).stdout
            hermes("jobs", "run")
        return answer

    return told


def current(hermes: Hermes) -> list[str]:
    """Return the facts that are so now."""
    lines = hermes("memory", "facts", "list").stdout.splitlines()
    return [line.partition("] ")[2].partition(" (confidence")[0] for line in lines if line.startswith("[")]


def test_a_plan_that_was_dropped_is_a_plan_no_more(hermes: Hermes, tell: Tell) -> None:
    tell("I'm planning to run the Berlin marathon in September", "I dropped the marathon idea, my knee is bad")
    assert current(hermes) == ["User's health: knee is bad"]
    assert "marathon" not in hermes("memory", "user").stdout
    assert tell("Am I running a marathon?").startswith("Not any more: ")
    assert "“I dropped the marathon idea, my knee is bad”" in tell("Am I still planning to run the marathon?")


def test_what_is_not_bought_after_all_is_not_planned(hermes: Hermes, tell: Tell) -> None:
    tell("I plan to buy a house in spring", "We are not buying the house after all")
    assert current(hermes) == ["User's family decided against buying the house"]
    assert tell("Am I buying a house?").startswith("Not any more: ")


def test_what_was_planned_anew_is_planned(hermes: Hermes, tell: Tell) -> None:
    plan = "I'm planning to run the Berlin marathon in September"
    tell("I'm planning to run the Porto marathon in April", "I gave up on the marathon", plan)
    assert current(hermes) == ["User plans to run the Berlin marathon in September"]
    assert tell("Am I running a marathon?").startswith("Yes: ")


def test_a_wish_that_was_given_up_is_not_quoted_as_one(tell: Tell) -> None:
    tell("I want to learn Spanish this year", "I've given up on learning Spanish because of work")
    assert "given up" in tell("Do I want to learn Spanish?")
