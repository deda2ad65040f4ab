"""Taking back what a turn changed: the note and the fact go together, and no answer holds them any more."""

import json
from typing import Any

import pytest

from hermes_agent.config.paths import Home
from tests.cli.conversations import connect
from tests.conftest import Hermes
from tests.openai_server import Call, Say, Use, serve


@pytest.fixture(autouse=True)
def in_utc(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are shown in UTC; what is learned in the background is learned when a test says so."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    assert hermes("config", "set", "display.timeZone", "UTC").exit_code == 0


@pytest.fixture
def renamed(hermes: Hermes) -> Hermes:
    """Somebody who was called Ada, and said later to be called Eve."""
    for saying in ("My name is Ada and I prefer metric units.", "Actually, my name is Eve."):
        tell(hermes, saying)
    return hermes


def tell(hermes: Hermes, saying: str) -> str:
    told = hermes("chat", "-q", saying).stdout
    assert hermes("jobs", "run").exit_code == 0
    return told


def facts(hermes: Hermes) -> str:
    return hermes("memory", "facts", "list").stdout


# Any: JSON as a program reads it.
def shown(hermes: Hermes, *arguments: str) -> Any:
    return json.loads(hermes("memory", *arguments, "--json").stdout)


def test_a_bare_undo_takes_the_note_and_the_fact_of_the_turn_back(renamed: Hermes, own_home: Home) -> None:
    outcome = renamed("memory", "undo")
    (entry,) = shown(renamed, "log", "-n", "1")
    assert outcome.stdout.splitlines() == [
        "Undone: fact:003 was learned: “User's name is Eve”.",
        "Undone: Replaced in USER.md: Name: Ada → Name: Eve",
    ]
    assert outcome.stderr.splitlines() == [
        "The turn: “Actually, my name is Eve” was answered, with 1 tool call.",
        f"To make them again: hermes memory undo {entry['uid']}",
    ]
    assert "User's name is Ada" in facts(renamed) and "Eve" not in facts(renamed)
    assert "Name: Ada" in own_home.user_note.read_text()
    assert renamed("memory", "undo", entry["uid"]).exit_code == 0
    assert "User's name is Eve" in facts(renamed) and "Name: Eve" in own_home.user_note.read_text()


def test_who_names_one_change_of_a_turn_is_told_what_else_it_changed(renamed: Hermes, own_home: Home) -> None:
    learned = next(one for one in shown(renamed, "log") if one["subject"] == "fact:003")
    outcome = renamed("memory", "undo", learned["uid"])
    assert outcome.stdout == "Undone: fact:003 was learned: “User's name is Eve”.\n"
    also, more, again = outcome.stderr.splitlines()
    assert also == "The same turn changed, and this stays: Replaced in USER.md: Name: Ada → Name: Eve"
    assert again.startswith("To make it again: hermes memory undo ")
    assert "Name: Eve" in own_home.user_note.read_text()
    assert renamed(*more.partition(": hermes ")[2].split()).exit_code == 0
    assert "Name: Ada" in own_home.user_note.read_text()


def test_who_asks_first_and_then_undoes_a_turn_means_the_one_that_changed_something(renamed: Hermes) -> None:
    assert "Eve" in tell(renamed, "What is my name?")
    outcome = renamed("memory", "undo", "--turn")
    assert outcome.stdout.splitlines()[0] == "Undone: fact:003 was learned: “User's name is Eve”."
    assert outcome.stderr.startswith("The turn: “Actually, my name is Eve” was answered")


def test_where_no_turn_changed_anything_that_is_said(hermes: Hermes) -> None:
    tell(hermes, "Good morning!")
    refused = hermes("memory", "undo", "--turn")
    assert (refused.exit_code, refused.stderr) == (
        1,
        "Error: No turn has changed anything. The latest: “Good morning!” was answered.\n",
    )


def test_what_was_undone_is_no_answer_any_more_until_the_undo_is_undone(renamed: Hermes) -> None:
    undone = shown(renamed, "undo", "--turn")
    answer = tell(renamed, "What is my name?")
    assert answer.startswith("Your name is Ada.") and "Eve" not in answer
    assert renamed("memory", "undo", undone["uid"]).exit_code == 0
    assert tell(renamed, "What is my name?").startswith("Your name is Eve.")


def test_what_nobody_had_learned_yet_does_not_come_back_after_the_undo(hermes: Hermes, own_home: Home) -> None:
    tell(hermes, "My name is Ada.")
    hermes("chat", "-q", "Actually, my name is Eve.")
    outcome = hermes("memory", "undo")
    assert "Undone: fact:002 was learned: “User's name is Eve”." in outcome.stdout
    assert "Name: Ada" in own_home.user_note.read_text()
    assert tell(hermes, "What is my name?").startswith("Your name is Ada.")
    assert "Eve" not in facts(hermes)


def test_a_bare_undo_means_the_latest_change_there_was_whatever_is_still_to_be_learned(hermes: Hermes) -> None:
    hermes("chat", "-q", "My name is Ada.")
    hermes("memory", "fact", "add", "Deploys run on Fridays")
    assert hermes("memory", "undo").stdout == "Undone: fact:001 was added.\n"


def test_where_a_language_model_learns_later_that_is_said(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = {"action": "add", "target": "user", "content": "Name: Eve"}
    with serve(Use(Call("memory", json.dumps(noted))), Say("Noted.")) as server:
        connect(monkeypatch, server)
        hermes("chat", "-q", "My name is Eve.")
        outcome = hermes("memory", "undo")
    assert outcome.stdout == "Undone: Added to USER.md: Name: Eve\n"
    assert "Nothing was learned of its message yet" in outcome.stderr


def test_a_fact_that_was_undone_says_so_and_how_it_comes_back(renamed: Hermes) -> None:
    undone = shown(renamed, "undo")
    for verb in ("history", "show", "pin"):
        missing = renamed("memory", "fact", verb, "3")
        assert (missing.exit_code, missing.stderr.splitlines()) == (
            2,
            [
                "Error: fact:003 was undone: “User's name is Eve”.",
                f"Hint: To make it again: hermes memory undo {undone['uid']}",
            ],
        )


@pytest.mark.parametrize("options", [("banana",), ("entry:999",), ("--turn", "banana")])
def test_what_names_nothing_is_a_wrong_use(renamed: Hermes, options: tuple[str, ...]) -> None:
    assert renamed("memory", "undo", *options).exit_code == 2
