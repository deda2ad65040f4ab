"""Memories are copied from one memory to another and back, and none of them twice; all of it can be undone."""

import json
from typing import Any

import pytest

from hermes_agent import clock
from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.providers.ledger import Ledger

ATTIC = "The cello of my aunt stands in the attic"


def migrate(hermes: Hermes, source: str, target: str, *options: str) -> dict[str, Any]:
    done = hermes("memory", "migrate", "--from", source, "--to", target, "--json", *options)
    assert done.exit_code == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def facts(hermes: Hermes) -> list[str]:
    return [one["text"] for one in json.loads(hermes("memory", "facts", "list", "--json").stdout)]


def counts(told: dict[str, Any]) -> tuple[int, int, int]:
    return told["new"], told["known"], told["turns"]


@pytest.mark.parametrize(
    "text",
    [
        f"User: {ATTIC} Assistant: Fine.",
        f"User: {ATTIC}.\n\nAssistant: Fine.",
        f"2026-11-18: User: {ATTIC[:40]}...",
    ],
)
def test_a_turn_that_the_archive_holds_becomes_no_fact(ledger: Ledger, hermes: Hermes, text: str) -> None:
    hermes("chat", "-q", ATTIC)
    before = facts(hermes)
    ledger.hold(text)
    assert counts(migrate(hermes, "ledger", "local")) == (0, 0, 1)
    assert facts(hermes) == before


def test_a_turn_that_the_archive_does_not_hold_is_kept(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", ATTIC)
    ledger.hold("User: The cello stands in the cellar Assistant: Fine.", "User: Assistant: Fine.")
    assert counts(migrate(hermes, "ledger", "local")) == (2, 0, 0)


@pytest.mark.parametrize("text", ["Has dog Rex", "the user has dog REX.", "User has\ndog Rex"])
def test_what_a_fact_says_is_there_already(ledger: Ledger, hermes: Hermes, text: str) -> None:
    hermes("memory", "fact", "add", "User has dog Rex")
    ledger.hold(text)
    assert counts(migrate(hermes, "ledger", "local")) == (0, 1, 0)
    assert counts(migrate(hermes, "local", "ledger")) == (0, 1, 0)


def test_what_a_note_says_is_there_already(ledger: Ledger, hermes: Hermes, own_home: Home) -> None:
    own_home.memory_note.parent.mkdir(exist_ok=True)
    own_home.memory_note.write_text("The server is called Orion\n")
    ledger.hold("The server is called Orion.", "The server is called Sirius")
    assert counts(migrate(hermes, "ledger", "local")) == (1, 1, 0)
    assert "The server is called Sirius" in facts(hermes)


def test_what_says_something_else_is_copied(ledger: Ledger, hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User likes C")
    ledger.hold("User likes C++", "User likes C", "likes c++")
    assert counts(migrate(hermes, "ledger", "local")) == (1, 2, 0)


def test_there_and_back_and_there_again_copies_nothing_twice(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", ATTIC)
    hermes("memory", "fact", "add", "User has dog Rex")
    own = len(facts(hermes))
    ledger.hold("Ada plays\nthe cello", f"User: {ATTIC}\nAssistant: Fine.")
    assert counts(migrate(hermes, "local", "ledger")) == (own, 0, 0)
    assert counts(migrate(hermes, "ledger", "local")) == (1, own, 1)
    held = ledger.told()
    assert counts(migrate(hermes, "local", "ledger")) == (0, own + 1, 0)
    assert counts(migrate(hermes, "ledger", "local")) == (0, own + 1, 1)
    assert ledger.told() == held and len(facts(hermes)) == own + 1


def test_what_is_true_no_more_does_not_travel(
    ledger: Ledger, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    with monkeypatch.context() as then:
        then.setattr(clock, "now", lambda: now - 9 * 86_400 * clock.MICROSECONDS)
        hermes("memory", "fact", "add", "User has dog Rex")
        hermes("memory", "fact", "expire", "fact:001", "tomorrow")
    assert counts(migrate(hermes, "local", "ledger")) == (0, 0, 0)


@pytest.mark.parametrize("order", [("ledger", "local"), ("local", "ledger")])
def test_a_dry_run_says_what_the_real_one_does(ledger: Ledger, hermes: Hermes, order: tuple[str, str]) -> None:
    hermes("chat", "-q", ATTIC)
    hermes("memory", "fact", "add", "User has dog Rex")
    hermes("memory", "fact", "add", "User has cat Tom")
    ledger.hold("Has dog Rex", "Ada plays the cello", f"User: {ATTIC} Assistant: Fine.")
    held, known = ledger.told(), facts(hermes)
    dry = migrate(hermes, *order, "--dry-run")
    assert (ledger.told(), facts(hermes), dry["dry_run"]) == (held, known, True)
    assert migrate(hermes, *order) == {**dry, "dry_run": False}


def test_the_owner_reads_what_would_be_copied_and_what_is_left_out(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", ATTIC)
    hermes("memory", "fact", "add", "User has dog Rex")
    ledger.hold("Has dog Rex", "Ada plays the cello", f"User: {ATTIC} Assistant: Fine.")
    dry = hermes("memory", "migrate", "--from", "ledger", "--to", "local", "--dry-run")
    left = "1 there already, 1 turn left out that your archive holds."
    assert dry.stdout == f"ledger holds 3 memories.\n1 memory would be copied, {left}\n"
    done = hermes("memory", "migrate", "--from", "ledger", "--to", "local", "--yes")
    assert done.stdout == f"1 memory copied, {left}\n"


def test_a_whole_migrate_is_undone_and_made_again(ledger: Ledger, hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User has dog Rex")
    ledger.hold("Ada plays the cello", "Bob plays the horn", "Eve plays the lute")
    migrate(hermes, "ledger", "local")
    assert len(facts(hermes)) == 4
    undone = hermes("memory", "undo")
    assert undone.exit_code == 0 and "3 facts were copied from ledger." in undone.stdout
    assert facts(hermes) == ["User has dog Rex"]
    hermes("memory", "undo")
    assert facts(hermes) == []


def test_what_was_forgotten_of_a_migrate_stays_gone_when_it_is_undone(ledger: Ledger, hermes: Hermes) -> None:
    ledger.hold("Vexatrina plays the cello", "Bob plays the horn")
    migrate(hermes, "ledger", "local")
    assert "Forgotten." in hermes("memory", "forget", "--about", "Vexatrina", "--yes").stdout
    assert "Vexatrina" not in hermes("memory", "log", "--json").stdout
    assert facts(hermes) == ["Bob plays the horn"]
    dry = migrate(hermes, "ledger", "local", "--dry-run")
    assert (dry["known"], dry["forgotten"]) == (1, 1)
    assert hermes("memory", "undo").exit_code == 0 and facts(hermes) == []
