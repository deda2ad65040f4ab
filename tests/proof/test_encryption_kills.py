"""`hermes encrypt` and `decrypt` are killed wherever they touch a file; the next run finishes it, or goes back."""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.counts import count, record
from tests.proof.processes import ROOT, environment, seeded

ALL = 1_000
SECRETS = (b"frobnitz", b"heron report")


@pytest.fixture
def lived(own_home: Home, hermes: Hermes) -> Home:
    """A home with a conversation, notes and facts."""
    assert hermes("chat", "-q", "The heron report of Frobnitz has 40 pages. I live in Oslo.").exit_code == 0
    assert hermes("notes", "add", "Frobnitz is the name of the press").exit_code == 0
    return own_home


@pytest.mark.parametrize("command", ["encrypt", "decrypt", "rotate"])
def test_killed_at_any_place_it_is_finished_by_the_next_run(
    lived: Home, hermes: Hermes, tmp_path: Path, command: str
) -> None:
    chance = seeded(f"{command} kills")
    key = ("--key-file", str(tmp_path / "hermes.key"))
    known = _known(hermes)
    if command != "encrypt":
        assert hermes("encrypt", "--yes", *key).exit_code == 0
    arguments: Sequence[str] = {
        "encrypt": ("encrypt", "--yes", *key),
        "decrypt": ("decrypt", "--yes"),
        "rotate": ("encrypt", "--rotate", "--yes"),
    }[command]
    whole = shutil.copytree(lived.root, tmp_path / "whole", symlinks=True)

    def again() -> None:
        shutil.rmtree(lived.root)
        shutil.copytree(whole, lived.root, symlinks=True)

    places = _places(_struck(ALL, *arguments))
    kills = count(2, places)
    wrong = 0
    for number in sorted(chance.sample(range(1, places + 1), min(kills, places))):
        again()
        killed = _struck(number, *arguments)
        assert killed.returncode == -9, (number, killed)
        wrong += not _is_finished(lived, hermes, arguments, known, is_back=bool(number % 2))
    record(f"kill.{command}.kills", kills)
    record(f"kill.{command}.wrong", wrong)
    assert wrong == 0


def _is_finished(home: Home, hermes: Hermes, arguments: Sequence[str], known: list[str], *, is_back: bool) -> bool:
    """Finish what was interrupted, or go back to a plain home; tell whether everything is there, and well."""
    is_half = "was interrupted" in (told := hermes("notes", "show")).stderr
    if not is_half and (told.exit_code != 0 or _known(hermes) != known):
        return False
    if is_back:
        hermes("decrypt", "--yes")
    elif is_half:
        hermes("encrypt" if b'"encrypting"' in home.encryption.read_bytes() else "decrypt", "--yes")
    is_encrypted = home.encryption.exists()
    left = b"".join(file.read_bytes() for file in home.root.rglob("*") if file.is_file()).lower()
    is_sealed = not any(secret in left for secret in SECRETS)
    is_clean = not list(home.root.rglob("*.converting*"))
    return _known(hermes) == known and hermes("doctor").exit_code == 0 and is_sealed == is_encrypted and is_clean


def _known(hermes: Hermes) -> list[str]:
    commands = (("notes", "show"), ("memory", "fact", "list"), ("sessions", "search", "heron"))
    return [hermes(*command).stdout for command in commands]


def _struck(place: int, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tests.proof.struck", str(place), *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=300)


def _places(done: "subprocess.CompletedProcess[str]") -> int:
    assert done.returncode == 0, done
    return int(done.stdout.rsplit("places ", 1)[1])
