"""A story told in one session after another, without a model: what changed is known as it is now."""

from collections.abc import Callable

import pytest

from hermes_agent.config.paths import Home
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


def test_a_preference_that_changed_is_the_new_one(hermes: Hermes, tell: Tell, own_home: Home) -> None:
    tell("I prefer dark mode in every editor", "I prefer light mode now")
    assert current(hermes) == ["User prefers light mode"]
    assert own_home.user_note.read_text().strip() == "Prefers light mode"
    assert tell("Do I prefer dark or light mode?").startswith("You prefer light mode. ")


def test_milk_instead_of_black_is_how_coffee_is_drunk(hermes: Hermes, tell: Tell, own_home: Home) -> None:
    changed = "I've switched to oat milk in my coffee, black got too harsh for my stomach"
    tell("I drink my coffee black, no sugar", changed)
    assert current(hermes) == ["User drinks oat milk in their coffee"]
    assert own_home.user_note.read_text().strip() == "Drinks oat milk in their coffee"
    assert "black, no sugar" not in tell("How do I drink my coffee?")
    assert "oat milk in your coffee" in tell("What do I drink?")


def test_a_condition_stays_with_what_it_limits(hermes: Hermes, tell: Tell) -> None:
    tell("My colleague Jonas is nice, but he hates meetings before 10")
    assert current(hermes) == ["User's colleague Jonas does not like meetings before 10"]


def test_people_named_by_the_way_are_known(hermes: Hermes, tell: Tell) -> None:
    tell("My wife Sara and our cat Biscuit moved with me to Porto")
    assert current(hermes) == ["User has cat Biscuit", "User's wife is called Sara"]
    tell("My wife Sara is a nurse")
    assert current(hermes)[-1] == "User's wife Sara works as a nurse"
    assert hermes("memory", "user").stdout.count("Sara") == 1


def test_who_left_a_firm_worked_there_before(hermes: Hermes, tell: Tell) -> None:
    tell("My colleague Jonas likes tea", "Jonas left Nordwind, Pedro took over his projects")
    assert current(hermes)[-1] == "User's colleague Jonas works at Nordwind (formerly)"
    assert "Nordwind" in tell("Where did Jonas work before?")


def test_the_street_of_the_new_flat_is_the_address(hermes: Hermes, tell: Tell) -> None:
    tell("My new flat is on Rua das Flores")
    assert current(hermes) == ["User's address is Rua das Flores"]
    assert tell("What is my address?").startswith("Your address is Rua das Flores. ")


def test_questions_about_tastes_reach_each_other(tell: Tell) -> None:
    tell("Jonas prefers tea")
    for asked in ("like to drink", "like", "drink", "prefer"):
        assert tell(f"What does Jonas {asked}?").startswith("Jonas prefers tea. "), asked
    assert tell("What is Jonas's favourite drink?").startswith("Jonas prefers tea. ")
    assert "tea" not in tell("What does Jonas like to eat?")


def test_how_a_thing_is_liked_is_told(tell: Tell) -> None:
    tell("I prefer my reports as tables", "I like my eggs soft-boiled")
    assert tell("How do I like my reports?").startswith("You prefer your reports as tables. ")
    assert "soft-boiled" in tell("How do I like my eggs?")
    assert tell("How do I like my steak?").startswith("My memory holds no answer")


def test_what_a_mail_shall_say_is_no_remark(tell: Tell) -> None:
    said = tell("Draft an e-mail to the landlord: the heating is cold again, keep it polite")
    assert said.startswith("That needs a language model")
    assert tell("Write a message to Ana: the meeting is off, sorry").startswith("That needs a language model")
