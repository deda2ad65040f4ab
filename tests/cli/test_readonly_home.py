"""A home on a disk that may only be read: what is in it can be read all the same."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes

_MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def readonly(hermes: Hermes, own_home: Home, tmp_path: Path) -> Run:
    """Run commands while the disk of the home may only be read."""
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    hermes("backup", "create", "--output", str(tmp_path / "b.age"))
    within = ["unshare", "--mount", "sh", "-c", _MOUNT, str(own_home.root)]
    if shutil.which("unshare") is None or subprocess.run([*within, "true"], check=False).returncode:
        pytest.skip("nothing can be mounted here")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*within, sys.executable, "-m", "hermes_agent", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ}, check=False)

    return run


def test_what_only_reads_works(readonly: Run, own_home: Home, tmp_path: Path) -> None:
    before = sorted(own_home.root.rglob("*"))
    for command in (
        ("memory", "facts", "list"),
        ("memory", "search", "trains"),
        ("memory", "export", "-o", str(tmp_path / "memory.json")),
        ("profile", "export", "default", "-o", str(tmp_path / "default.tar.gz")),
        ("sessions", "list"),
        ("notes", "show"),
        ("backup", "list"),
        ("backup", "verify", str(tmp_path / "b.age")),
    ):
        done = readonly(*command)
        assert done.returncode == 0, (command, done.stderr)
    assert "Rex" in (tmp_path / "memory.json").read_text()
    assert sorted(own_home.root.rglob("*")) == before


def test_what_writes_is_refused(readonly: Run) -> None:
    done = readonly("memory", "fact", "add", "Bo likes ham")
    assert done.returncode == 1 and "may not be written to" in done.stderr, done


def test_what_cannot_be_checked_is_not_taken_for_broken(readonly: Run) -> None:
    checked = readonly("db", "check")
    assert checked.returncode == 0 and "could not check itself: the file may only be read" in checked.stdout, (
        checked
    )
    told = readonly("doctor")
    assert "The text index could not check itself" in told.stdout and "is broken" not in told.stdout, told
