"""Imports, backups and restores are killed with SIGKILL: a memory is there whole or not at all, and never half."""

import json
import subprocess
from pathlib import Path
from time import perf_counter

from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import messages, sessions
from tests.counts import count, record
from tests.ops.stores import open_at
from tests.proof.processes import ROOT, environment, hermes, hermes_command, seeded, spin

_SESSIONS, _SAID = 20, 25


def test_a_killed_import_brings_all_or_nothing(tmp_path: Path) -> None:
    chance, kills, wrong = seeded("import kills"), count(2, 60), 0
    whole = _exported(_lived(tmp_path / "first"), tmp_path / "one.json")
    longest = _seconds(tmp_path / "timed", "memory", "import", str(tmp_path / "one.json"))
    for number in range(kills):
        home = tmp_path / f"killed-{number}"
        _killed(home, chance.uniform(0, longest), "memory", "import", str(tmp_path / "one.json"))
        wrong += _messages(home) not in (0, _SESSIONS * _SAID)
        _run(home, "memory", "import", "--own", str(tmp_path / "one.json"))
        wrong += _exported(home, tmp_path / "two.json") != whole
    record("kill.import.kills", kills)
    record("kill.import.wrong", wrong)
    assert wrong == 0


def test_a_killed_backup_leaves_no_half_of_one_and_a_killed_restore_is_finished_by_another(tmp_path: Path) -> None:
    chance, kills, wrong = seeded("backup kills"), count(2, 40), 0
    home = _lived(tmp_path / "first")
    whole = _exported(home, tmp_path / "one.json")
    longest = _seconds(home, "backup", "create", "--output", str(tmp_path / "good.age"))
    for number in range(kills):
        file = tmp_path / f"{number}.age"
        _killed(home, chance.uniform(0, longest), "backup", "create", "--output", str(file))
        wrong += file.exists() and _run(home, "backup", "verify", str(file)).returncode != 0
    key = str(home / "backup.key")
    again = ("backup", "restore", "--yes", str(tmp_path / "good.age"), "--identity", key)
    longest = _seconds(tmp_path / "timed", *again)
    for number in range(kills):
        target = tmp_path / f"restored-{number}"
        _killed(target, chance.uniform(longest / 2, longest), *again)
        wrong += _run(target, *again).returncode != 0
        wrong += _exported(target, tmp_path / "two.json") != whole
    record("kill.backup.kills", 2 * kills)
    record("kill.backup.wrong", wrong)
    assert wrong == 0


def _lived(home: Path) -> Path:
    """Make a home with conversations and a note."""
    assert _run(home, "notes", "add", "-t", "user", "Likes figs").returncode == 0
    with open_at(home / "state.db") as store, store.write() as connection:
        for number in range(_SESSIONS):
            sessions.create(connection, NewSession(id=f"talk-{number}"))
            said = [
                NewMessage("user", f"The heron report {number} has {one} pages. " * 20) for one in range(_SAID)
            ]
            messages.append(connection, store.engine, f"talk-{number}", said)
    _run(home, "jobs", "run")
    return home


def _exported(home: Path, file: Path) -> dict[str, object]:
    _run(home, "memory", "export", "-o", str(file), "--force")
    found = json.loads(file.read_bytes())
    return {
        name: value
        for name, value in found.items()
        if name not in ("exported", "episodes", "checksums", "journal")
    }


def _messages(home: Path) -> int:
    if not (home / "state.db").exists():
        return 0
    with open_at(home / "state.db") as store, store.read() as connection:
        return messages.count(connection)


def _run(home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return hermes(*arguments, HERMES_HOME=str(home), HERMES_NO_JOBS="1")


def _killed(home: Path, seconds: float, *arguments: str) -> None:
    own = {**environment(), "HERMES_HOME": str(home), "HERMES_NO_JOBS": "1"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(hermes_command(*arguments), env=own, cwd=ROOT, stdout=quiet, stderr=quiet)
    spin(seconds)
    process.kill()
    process.wait()


def _seconds(home: Path, *arguments: str) -> float:
    begun = perf_counter()
    done = _run(home, *arguments)
    assert done.returncode == 0, done
    return perf_counter() - begun
