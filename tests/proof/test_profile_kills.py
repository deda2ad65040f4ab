"""Renames of profiles and hand-overs are killed with SIGKILL before each step that they take."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_agent.ids import new_uid
from tests.counts import count, record
from tests.engines import ENGINES
from tests.postgres import server_address
from tests.proof.processes import ROOT, environment, hermes, seeded

# Python tells of each of these before it is done; commits of the store lie between them.
_KILLED = """
import os, signal, sys
left = int(sys.argv.pop(1))
def heard(event, arguments):
    global left
    is_write = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    if is_write or event in ("os.rename", "os.remove", "fcntl.flock"):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(heard)
from hermes_agent.cli.main import run
try:
    run()
finally:
    print("steps", -left)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_killed_rename_leaves_the_profile_whole_under_one_name(tmp_path: Path, engine: str) -> None:
    more = {"HERMES_HOME": str(tmp_path / "home"), "HERMES_NO_JOBS": "1"}
    if engine == "postgres":
        more |= {"HERMES_MEMORY_BACKEND": "postgres", "HERMES_MEMORY_CONNECTION_STRING": server_address()}
    name = f"p-{new_uid()[-8:]}"
    for command in (
        ("profile", "create", name),
        ("profile", "use", name),
        ("memory", "fact", "add", "Rex is afraid of trains"),
        ("notes", "add", "user", "Likes figs"),
    ):
        assert hermes(*command, **more).returncode == 0
    names = iter(f"{name}-{number}" for number in range(1_000))
    steps = _steps(["profile", "rename", name, name := next(names)], more)
    kills = _chosen(f"rename kills on {engine}", steps, 2)
    wrong = 0
    for step in kills:
        former, name = name, next(names)
        _killed(step, ["profile", "rename", former, name], more)
        # Whoever asks for nothing gets the active profile, whatever it is called by now.
        facts = hermes("memory", "facts", "list", "--json", **more)
        there = [one["name"] for one in json.loads(hermes("profile", "list", "--json", **more).stdout)]
        wrong += [one["text"] for one in json.loads(facts.stdout or "[]")] != ["Rex is afraid of trains"]
        wrong += there not in (["default", former], ["default", name])
        wrong += "Likes figs" not in hermes("notes", "show", **more).stdout
        name = there[1]
    record(f"kill.rename.{engine}.kills", len(kills))
    record(f"kill.rename.{engine}.wrong", wrong)
    assert wrong == 0


def test_a_killed_hand_over_is_seen_and_finished_or_revoked(tmp_path: Path) -> None:
    more = {"HERMES_HOME": str(tmp_path / "home"), "HERMES_NO_JOBS": "1"}
    for command in (("profile", "create", "work"), ("profile", "create", "home")):
        assert hermes(*command, **more).returncode == 0
    given = ["profile", "handover", "work", "home", "--yes", "--summary"]
    kills = _chosen("hand-over kills", _steps([*given, "Heron 0 sings."], more), 3)
    wrong = 0
    for number, step in enumerate(kills, 1):
        words = f"Heron {number} sings."
        _killed(step, [*given, words], more)
        before, there = _handed(more, "work", words), _handed(more, "home", words)
        # Nobody has got what the giver's journal does not tell of.
        wrong += len(there) > len(before)
        if number % 2 and before:
            hermes("profile", "handover", "--revoke", before[0]["id"], "--yes", **more)
        else:
            hermes(*given, words, **more)
        states = [{one["state"] for one in _handed(more, name, words)} for name in ("work", "home")]
        if number % 2 and before:
            found = hermes("-p", "home", "sessions", "search", f"Heron {number}", **more).stdout
            wrong += states[0] != {"revoked"} or words in found
        else:
            wrong += states != [{"arrived"}, {"arrived"}] or len(_handed(more, "home", words)) != 1
    record("kill.handover.kills", len(kills))
    record("kill.handover.wrong", wrong)
    assert wrong == 0


def _handed(more: dict[str, str], profile: str, words: str) -> list[dict[str, str]]:
    told = hermes("-p", profile, "profile", "handovers", "--json", **more)
    # The receiver's journal has no words any more of what was revoked, but the sessions that held it are gone too.
    return [one for one in json.loads(told.stdout) if any(item["text"] == words for item in one["items"])]


def _chosen(name: str, steps: int, few: int) -> list[int]:
    """Return before which of its steps a command is killed: some of them, or each."""
    every = range(1, steps + 1)
    return sorted(seeded(name).sample(every, min(steps, count(few, steps))))


def _steps(arguments: list[str], more: dict[str, str]) -> int:
    """Run a command to its end and return how many steps it took."""
    done = _killed(0, arguments, more)
    assert done.returncode == 0, done
    return int(done.stdout.splitlines()[-1].split()[1])


def _killed(step: int, arguments: list[str], more: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", _KILLED, str(step), *arguments]
    return subprocess.run(command, env=environment() | more, cwd=ROOT, capture_output=True, text=True, timeout=60)
