"""A reset of the journal alone: the notes say what they said, and recall marks what it marked."""

import re
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.memory import facts
from hermes_agent.ops.forgetting import resetting
from hermes_agent.ops.steps import finish
from hermes_agent.records.notes import Operation
from tests.conftest import Hermes
from tests.forgetting.homes import opened


def said(hermes: Hermes, *messages: str) -> None:
    """Say something, a conversation each, and let it be learned."""
    for message in messages:
        assert hermes("chat", "-q", message).exit_code == 0
        assert hermes("jobs", "run").exit_code == 0


def reset(hermes: Hermes) -> None:
    assert hermes("memory", "reset", "--target", "journal", "--yes").exit_code == 0


def add(hermes: Hermes, fact: str) -> None:
    assert hermes("memory", "fact", "add", fact).exit_code == 0
    assert hermes("jobs", "run").exit_code == 0


def test_a_line_of_several_facts_keeps_them_all(hermes: Hermes, own_home: Home) -> None:
    said(hermes, "My mother Birgitta turns 70 on 2 February 2027.")
    add(hermes, "My mother Birgitta lives in Kiruna.")
    line = own_home.user_note.read_text()
    assert "birthday is 2 February;" in line and "lives in Kiruna" in line
    reset(hermes)
    add(hermes, "My tea is from Ceylon.")
    assert own_home.user_note.read_text() == f"{line}\n§\nTea: from Ceylon"


def test_a_line_that_its_owner_took_out_stays_out(hermes: Hermes, own_home: Home) -> None:
    said(hermes, "I live in Lyon.", "My sister Elin lives in Gothenburg.")
    assert hermes("notes", "remove", "-t", "user", "Lives in Lyon").exit_code == 0
    reset(hermes)
    said(hermes, "My brother Nils lives in Bergen.")
    note = own_home.user_note.read_text()
    assert "Lyon" not in note and "Gothenburg" in note and "Bergen" in note


@pytest.mark.parametrize("target", ["journal", "all"])
def test_what_was_taken_back_is_marked_as_long_as_it_is_found(hermes: Hermes, target: str) -> None:
    said(hermes, "I live in Lyon.")
    learned = re.search(r"entry:(\d+)  fact\.learned", hermes("memory", "log").stdout)
    assert learned is not None and hermes("memory", "undo", learned[1]).exit_code == 0
    marked = hermes("memory", "context", "Lyon").stdout
    assert "taken back: User lives in Lyon" in marked
    assert hermes("memory", "reset", "--target", target, "--yes").exit_code == 0
    assert ("Lyon" in hermes("memory", "log").stdout) is (target == "journal")
    assert (hermes("memory", "context", "Lyon").stdout == marked) is (target == "journal")


def test_what_goes_is_counted_and_is_gone(hermes: Hermes) -> None:
    said(hermes, "I live in Lyon.")
    asked = ("memory", "reset", "--target", "journal", "--dry-run")
    shown = hermes(*asked).stdout
    assert "nothing from before can be undone or compared" in shown
    assert re.search(r"([2-9])  entries of the journal", shown)
    reset(hermes)
    assert re.search(r" 1  entries of the journal", hermes(*asked).stdout), "the reset itself"
    told = hermes("memory", "log").stdout
    assert "Lyon" not in told and "What this told was reset." in told


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_who_changed_a_note_stays_known(kind: str, tmp_path: Path) -> None:
    with opened(kind, tmp_path) as app:
        app.notebook.change("user", [Operation("add", "Has a cat")], actor="agent")
        facts.add(app.store, "The office is in Oslo")
        receipt = finish(resetting.carry_out(app.forgetting, ["journal"]))
        (version,) = app.notebook.history("user")
        assert (version.actor, version.summary) == ("agent", "What this told was reset.")
        assert receipt.counts == {"entries of the journal": 1}
        finish(resetting.carry_out(app.forgetting, ["notes", "journal"]))
        assert {one.actor for one in app.notebook.history("user")} == {""}
