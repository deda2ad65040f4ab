"""`hermes memory forget` and what proves it, as a person uses them."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.counts import IS_PROOF

TOLD = "My cat is called Minkalotta Zwiebel."
RUNS = (b"Minkalotta Z", b"lotta Zwiebe")
STEPS = (
    "Looking",
    "Cleaning the files",
    "Forgetting",
    "Bringing the folders in step",
    "Writing the database anew",
    "Looking what is left",
)
KILLED = """
import os, signal, sys
from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops.forgetting import carrying_out

home = paths.active_home()
app = App(home, load(home))
for step in carrying_out.carry_out(app.forgetting, carrying_out.seek(Asked(about="Minkalotta"))):
    if step.what == sys.argv[1]:
        os.kill(os.getpid(), signal.SIGKILL)
"""
"""Forgets, and is killed for good when it comes to a step."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a filled home is kept for all tests here: filling one takes seconds."""
    return tmp_path_factory.mktemp("told") / "home"


@pytest.fixture
def told(hermes: Hermes, own_home: Home, template: Path) -> Hermes:
    """A home in which one thing was told that is to be forgotten, and one that stays."""
    if not template.exists():
        assert hermes("-q", TOLD).exit_code == 0
        assert hermes("-q", "My favourite colour is turquoise.").exit_code == 0
        assert hermes("jobs", "run").exit_code == 0
        assert "Minkalotta" in hermes("memory", "facts", "list").stdout
        shutil.copytree(own_home.root, template, symlinks=True)
    else:
        shutil.copytree(template, own_home.root, symlinks=True)
    return hermes


def files_holding(home: Home) -> list[Path]:
    every = [one for one in home.root.rglob("*") if one.is_file() and not one.is_symlink()]
    return [one for one in every if any(run in one.read_bytes() for run in RUNS)]


def test_forgetting_shows_asks_and_leaves_no_trace(told: Hermes, own_home: Home) -> None:
    shown = told("memory", "forget", "fact:001", "--dry-run")
    assert "4  messages" in shown.stdout
    assert "1  fact\n" in shown.stdout
    assert TOLD in shown.stdout
    refused = told("memory", "forget", "fact:001", input="n\n")
    assert refused.stdout == "Nothing was forgotten.\n"
    assert files_holding(own_home)
    done = told("memory", "forget", "fact:001", input="y\n")
    assert done.exit_code == 0, done.stderr
    assert "Nothing is left of it" in done.stdout
    assert files_holding(own_home) == []
    assert "turquoise" in told("memory", "facts", "list").stdout
    assert "turquoise" in own_home.user_note.read_text()
    assert told("memory", "verify-deletion", "receipt:1").exit_code == 0
    (file,) = own_home.receipts.iterdir()
    receipt = json.loads(file.read_text())
    assert receipt["counts"]["facts"] == 1
    assert "key" not in receipt


def test_the_doctor_tells_what_was_left_until_it_is_gone(told: Hermes, own_home: Home) -> None:
    mine = own_home.workspace / "plan.txt"
    mine.write_text(TOLD)
    assert told("memory", "forget", "--about", "Minkalotta", "--yes").exit_code == 1
    advice = "hermes memory verify-deletion receipt:001"
    assert (found := told("doctor")).exit_code == 1 and advice in found.stdout
    assert told("memory", "verify-deletion", "receipt:1").exit_code == 1
    assert advice in told("doctor").stdout
    mine.unlink()
    assert told("memory", "verify-deletion", "receipt:1").exit_code == 0
    assert advice not in told("doctor").stdout


def test_what_was_forgotten_is_not_learned_again_until_it_is_allowed(told: Hermes, own_home: Home) -> None:
    told("memory", "forget", "--about", "Minkalotta", "--yes")
    by_hand = told("memory", "fact", "add", "My cat is called Minkalotta Zwiebel")
    assert by_hand.exit_code == 2
    assert "hermes memory unblock" in by_hand.stderr
    told("-q", TOLD)
    told("jobs", "run")
    assert "Minkalotta" not in told("memory", "facts", "list").stdout
    assert "Minkalotta" not in own_home.user_note.read_text()
    log = told("memory", "log").stdout
    assert "learning.blocked" in log
    assert "Minkalotta" not in log
    found = told("memory", "verify-deletion", "receipt:1")
    assert found.exit_code == 1, "it was said again, and is in the archive"
    assert "store: messages" in found.stdout
    assert told("memory", "unblock", "receipt:1").exit_code == 0
    assert told("memory", "fact", "add", "My cat is called Minkalotta Zwiebel").exit_code == 0


def test_plain_words_are_forgotten_and_found_again_too(hermes: Hermes) -> None:
    said = "I like to read books in the garden house."
    hermes("-q", said)
    done = json.loads(hermes("memory", "forget", "1", "--yes", "--json").stdout)
    assert done["found"] == []
    assert done["runs"]
    assert hermes("memory", "verify-deletion", "1").exit_code == 0
    hermes("-q", said)
    assert hermes("memory", "verify-deletion", "1").exit_code == 1


def test_an_undo_skips_what_was_forgotten_and_says_so(told: Hermes, own_home: Home) -> None:
    told("memory", "forget", "--about", "Minkalotta", "--yes")
    undone = told("memory", "undo", "--since", "yesterday")
    assert undone.exit_code == 0, undone.stderr
    assert "nothing of it can be brought back: Something was forgotten for good" in undone.stdout
    assert files_holding(own_home) == []


def test_an_older_export_does_not_bring_it_back(told: Hermes, own_home: Home, tmp_path: Path) -> None:
    file, session_file = tmp_path / "memory.json", tmp_path / "sessions.jsonl"
    assert told("memory", "export", "--output", str(file)).exit_code == 0
    assert told("sessions", "export", str(session_file)).exit_code == 0
    told("memory", "forget", "fact:001", "--yes")
    came = told("memory", "import", str(file), "--own")
    assert came.exit_code == 0
    first, _, left_out = came.stdout.partition("Left out, since it was forgotten for good: ")
    assert "1 fact" in left_out.splitlines()[0]
    assert "1 fact" not in first
    assert told("sessions", "import", str(session_file)).exit_code == 0
    told("jobs", "run")
    assert "Minkalotta" not in told("memory", "facts", "list").stdout
    assert "Minkalotta" not in told("sessions", "search", "Minkalotta").stdout
    assert "Minkalotta" not in own_home.user_note.read_text()
    assert "import.blocked" in told("memory", "log").stdout


def test_backups_are_named_or_made_anew(told: Hermes, own_home: Home) -> None:
    told("backup", "create")
    (backup,) = own_home.backups.glob("*.age")
    named = json.loads(told("memory", "forget", "--about", "Minkalotta", "--yes", "--json").stdout)
    assert named["backups"] == [backup.name]
    before = backup.read_bytes()
    anew = json.loads(told("memory", "forget", "--about", "turquoise", "--backups", "--yes", "--json").stdout)
    assert anew["backups"] == []
    assert backup.read_bytes() != before
    assert told("backup", "verify", str(backup)).exit_code == 0


def test_an_older_backup_does_not_bring_it_back(told: Hermes, own_home: Home) -> None:
    told("backup", "create")
    (backup,) = own_home.backups.glob("*.age")
    told("memory", "forget", "--about", "Minkalotta", "--yes")
    told("memory", "fact", "add", "Rex is afraid of trains")
    restored = told("backup", "restore", str(backup), "--yes")
    assert restored.exit_code == 0, restored.stderr
    assert "What was forgotten since was forgotten again (1 time): hermes memory receipts" in restored.stderr
    facts = told("memory", "facts", "list").stdout
    assert "turquoise" in facts and "Rex" not in facts and "Minkalotta" not in facts
    assert files_holding(own_home) == []
    assert told("memory", "verify-deletion", "receipt:1").exit_code == 0
    assert told("memory", "fact", "add", "My cat is called Minkalotta Zwiebel").exit_code == 2


def test_nothing_to_forget_is_said_clearly(hermes: Hermes) -> None:
    assert hermes("memory", "forget").exit_code == 2
    assert hermes("memory", "forget", "fact:999", "--yes").exit_code == 2
    assert hermes("memory", "forget", "no such thing", "--yes").exit_code == 2
    assert hermes("memory", "forget", "--about", "ab", "--yes").exit_code == 2
    assert hermes("memory", "verify-deletion", "7").exit_code == 2
    assert hermes("memory", "receipts").stdout == "Nothing was forgotten yet.\n"


@pytest.mark.parametrize("step", STEPS if IS_PROOF else STEPS[1::2])
def test_a_killed_forgetting_is_whole_or_not_at_all_and_is_finished(
    step: str, told: Hermes, own_home: Home
) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, step], env=dict(os.environ), check=False)
    assert killed.returncode == -signal.SIGKILL
    known = "Minkalotta" in told("memory", "facts", "list").stdout
    said = "Minkalotta" in told("sessions", "search", "Minkalotta").stdout
    assert known == said == (step in STEPS[:3]), "the transaction happened whole or not at all"
    if known:
        assert told("memory", "forget", "--about", "Minkalotta", "--yes").exit_code == 0
    else:
        assert files_holding(own_home) or step == STEPS[-1]
        assert "It is finished now." in told("doctor").stdout
    assert files_holding(own_home) == []
    states = {one["state"] for one in json.loads(told("memory", "receipts", "--json").stdout)}
    assert states == {"done"}


def test_skills_stay_away_when_all_of_memory_is_reset(told: Hermes, own_home: Home) -> None:
    skill = own_home.skills / "deploy" / "SKILL.md"
    skill.parent.mkdir(mode=0o700, parents=True)
    skill.write_text("---\nname: deploy\ndescription: Deploy it.\n---\n\nRun it.\n")
    assert "deploy" in told("skills", "list").stdout
    assert told("memory", "reset", "--yes").exit_code == 0
    assert not skill.exists() and "deploy" not in told("skills", "list").stdout


def test_what_a_killed_reset_had_set_aside_goes_with_the_next(told: Hermes, own_home: Home) -> None:
    aside = own_home.memories / ".USER.md.put_back"
    os.link(own_home.user_note, aside)
    own_home.user_note.write_text("")  # as it stands when the reset is killed just before its end
    assert told("memory", "reset", "--yes").exit_code == 0
    assert not aside.exists() and files_holding(own_home) == []


def test_memory_can_be_reset_whole_or_in_part(told: Hermes, own_home: Home) -> None:
    part = told("memory", "reset", "--target", "facts", "--yes")
    assert part.exit_code == 0, part.stderr
    assert "turquoise" not in told("memory", "facts", "list").stdout
    assert "turquoise" in told("sessions", "search", "turquoise").stdout
    told("memory", "reset", "--dry-run")
    assert "turquoise" in own_home.user_note.read_text()
    whole = told("memory", "reset", input="y\ny\n")
    assert whole.exit_code == 0, whole.stderr
    assert len(list(own_home.backups.glob("*.age"))) == 1
    assert files_holding(own_home) == []
    assert own_home.user_note.read_text() == ""
    assert told("sessions", "list").stdout == "No conversations.\n"
    told("-q", TOLD)
    told("jobs", "run")
    assert "Minkalotta" in told("memory", "facts", "list").stdout, "a reset blocks nothing"
