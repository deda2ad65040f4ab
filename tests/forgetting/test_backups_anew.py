"""Backups are made anew whenever their owner asks for it, whatever the encryption of the home was; else named."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.forgetting.test_forget_command import KILLED
from tests.forgetting.test_phrases import NOTE, WORD, held_in


@pytest.fixture
def backup(hermes: Hermes, own_home: Home) -> Path:
    """A backup of a home that holds the word in a note."""
    hermes("notes", "add", "-t", "memory", NOTE)
    assert hermes("backup", "create").exit_code == 0
    (made,) = own_home.backups.glob("*.age")
    return made


def telling(backup: Path, home: Home) -> list[str]:
    return [name for name, data in held_in(backup, home.backup_key).items() if WORD.encode() in data]


def test_backups_that_were_named_are_made_anew_later_for_all_receipts(
    hermes: Hermes, own_home: Home, backup: Path
) -> None:
    named = hermes("memory", "forget", "--about", WORD, "--yes")
    assert backup.name in named.stdout
    assert "hermes memory forget --finish --backups" in named.stdout
    hermes("notes", "add", "-t", "memory", "The Frobnitz spoon is bent")
    assert hermes("memory", "forget", "--about", "Frobnitz", "--yes").exit_code == 0
    anew = hermes("memory", "forget", "--finish", "--backups")
    assert anew.exit_code == 0, anew.stderr
    assert anew.stdout == f"Made anew without it: {backup.name}\n"
    assert telling(backup, own_home) == []
    kept = json.loads(hermes("memory", "receipts", "--json").stdout)
    assert [one["backups"] for one in kept] == [[], []]
    again = hermes("memory", "forget", "--finish", "--backups")
    assert again.stdout == "No backup holds anything that was forgotten.\n"


@pytest.mark.parametrize("change", ("encrypted since", "decrypted since", "rotated since"))
def test_a_backup_of_another_encryption_is_made_anew_or_named(
    change: str, hermes: Hermes, own_home: Home, tmp_path: Path
) -> None:
    key = str(tmp_path / "usb" / "hermes.key")
    hermes("notes", "add", "-t", "memory", NOTE)
    if change != "encrypted since":
        assert hermes("encrypt", "--key-file", key, "--yes").exit_code == 0
    assert hermes("backup", "create").exit_code == 0
    (backup,) = own_home.backups.glob("*.age")
    commands = {
        "encrypted since": ("encrypt", "--key-file", key, "--yes"),
        "decrypted since": ("decrypt", "--yes"),
        "rotated since": ("encrypt", "--rotate", "--yes"),
    }
    assert hermes(*commands[change]).exit_code == 0
    before = backup.read_bytes()
    done = hermes("memory", "forget", "--about", WORD, "--backups", "--yes")
    assert done.exit_code == int(change == "encrypted since"), done.stderr
    (receipt,) = json.loads(hermes("memory", "receipts", "--json").stdout)
    if change == "encrypted since":
        assert receipt["backups"] == [backup.name]
        assert backup.read_bytes() == before
        assert f"cleaned: {backup.name}" in done.stdout
    else:
        assert receipt["backups"] == []
        assert f"Made anew without it: {backup.name}" in done.stdout
        assert hermes("backup", "verify", str(backup)).exit_code == 0


def test_a_receipt_that_was_cut_short_names_the_backups(hermes: Hermes, backup: Path) -> None:
    code = KILLED.replace("Minkalotta", WORD)
    killed = subprocess.run(
        [sys.executable, "-c", code, "Looking what is left"], env=dict(os.environ), check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert "It is finished now." in hermes("doctor").stdout
    (receipt,) = json.loads(hermes("memory", "receipts", "--json").stdout)
    assert receipt["backups"] == [backup.name]
