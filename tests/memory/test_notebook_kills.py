"""A process killed with SIGKILL while it changes notes: whole files, nothing lost, file and store agree."""

import json
import signal
import subprocess
import sys

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.ids import new_uid
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import format
from hermes_agent.notes.edit import Edited, edit
from hermes_agent.records.notes import Operation
from hermes_agent.store.postgres import schema_name
from tests.counts import count, record
from tests.memory.note_changer import LIMIT
from tests.postgres import server_address
from tests.proof.places import open_at
from tests.proof.processes import ROOT, environment, seeded, spin

_MOST_LINES = 20
_LONGEST_SPIN_SECONDS = 0.012


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_killed_writer_leaves_whole_notes_and_loses_nothing(own_home: Home, engine: str) -> None:
    ensure(own_home)
    place = str(own_home.state_db) if engine == "sqlite" else f"{server_address()}#{schema_name(new_uid())}"
    chance = seeded("notes")
    notebook = Notebook(open_at(place), own_home, LIMIT, LIMIT)
    entries: list[str] = []
    kills, changes = count(6, 100) if engine == "sqlite" else count(3, 30), 0
    for number in range(kills):
        lines = kill_one(own_home, place, chance.randrange(2**32), chance.randint(2, _MOST_LINES), chance.random())
        kept, pending = replay(entries, lines)
        changes += sum(line.startswith("kept") for line in lines)
        states = [kept] if pending is None else [kept, pending]
        on_disk = notebook.text("memory")
        assert on_disk in [format.render(state) for state in states], f"kill {number}: half a file"
        assert notebook.reconcile() == []
        entries = notebook.entries("memory")
        assert entries in states, f"kill {number}: something is lost"
        for version in notebook.history("memory", 1):
            assert (version.state, version.text) == ("confirmed", notebook.text("memory")), f"kill {number}"
        assert list(own_home.memories.glob(".MEMORY.md.????????")) == [], (
            f"kill {number}: something is left behind"
        )
    assert {version.kind for version in notebook.history("memory", 10_000)} == {"note.changed"}
    assert changes > 0
    record(f"kill.notes.{engine}.kills", kills)
    record(f"kill.notes.{engine}.changes", changes)
    notebook.store.close()


def kill_one(home: Home, place: str, seed: int, heard: int, share: float) -> list[str]:
    """Start a changer, kill it some time after the line of that number, and return all it told."""
    command = [sys.executable, "-m", "tests.memory.note_changer", str(home.root), place, str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment()) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        lines = [process.stdout.readline() for _ in range(heard)]
        spin(share * _LONGEST_SPIN_SECONDS)
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [line.rstrip("\n") for line in lines]


def replay(entries: list[str], lines: list[str]) -> tuple[list[str], list[str] | None]:
    """Return the entries after what was acknowledged, and after what was only tried, if anything was."""
    pending: list[str] | None = None
    for line in lines:
        word, _, told = line.partition(" ")
        if word == "try":
            pending = made(entries, told)
        elif word == "kept":
            assert pending is not None
            entries, pending = pending, None
        else:
            assert word == "refused"
            pending = None
    return entries, pending


def made(entries: list[str], told: str) -> list[str] | None:
    outcome = edit(entries, [Operation(*operation) for operation in json.loads(told)], LIMIT, "MEMORY.md")
    return list(outcome.entries) if isinstance(outcome, Edited) else None
