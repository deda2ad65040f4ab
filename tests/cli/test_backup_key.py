"""The key of backups: its owner is told of it wherever it is made, and asked for a copy until there is one."""

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.ops.backups import keys
from tests.conftest import Hermes

TOLD = "Without it no backup of this home can be opened."


@pytest.mark.parametrize(
    "command", [("backup", "create"), ("backup", "key"), ("memory", "reset", "--yes", "--backup")]
)
def test_whoever_makes_the_key_says_so_once(hermes: Hermes, own_home: Home, command: tuple[str, ...]) -> None:
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    first = hermes(*command)
    assert first.exit_code == 0, first
    assert f"A key was made: {own_home.backup_key}. {TOLD}" in first.stderr
    assert "hermes backup key --passphrase" in first.stderr and "hermes backup key --confirm" in first.stderr
    assert TOLD not in hermes("backup", "create").stderr


def test_a_key_that_the_daemon_made_is_told_by_the_next_command(hermes: Hermes, own_home: Home) -> None:
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    keys.lock_of(own_home, [])
    told = hermes("backup", "create").stderr
    assert f"The key of backups is {own_home.backup_key}. {TOLD}" in told


def test_with_a_passphrase_the_protected_copy_is_told_of(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_BACKUP_PASSPHRASE", "correct horse")
    told = hermes("backup", "create").stderr
    assert TOLD in told and "A copy lies beside each backup, protected by the passphrase" in told
    assert "When you have done so" not in told


def test_a_protected_copy_in_the_home_is_a_warning(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_BACKUP_PASSPHRASE", "correct horse")
    hermes("backup", "create")
    status, doctor = hermes("status"), hermes("doctor")
    assert status.exit_code == 0 and "protected by a passphrase" in status.stdout, status
    assert doctor.exit_code == 0 and "protected by a passphrase" in doctor.stdout, doctor
