"""What is kept of backups, and where the last one is: nothing that was made on purpose goes unasked."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.config.paths import Home
from tests.conftest import Hermes

DAY = 86_400 * clock.MICROSECONDS


@pytest.fixture(autouse=True)
def lived(hermes: Hermes, own_home: Home) -> None:
    hermes("memory", "fact", "add", "Rex is afraid of trains")


@pytest.fixture
def other_disk(own_home: Home) -> Iterator[Path]:
    """A folder on another disk than the home's."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK) or memory.stat().st_dev == own_home.root.stat().st_dev:
        pytest.skip("there is no other disk")
    folder = Path(tempfile.mkdtemp(dir=memory))
    yield folder
    shutil.rmtree(folder)


def listed(hermes: Hermes) -> list[str]:
    return [one["file"] for one in json.loads(hermes("backup", "list", "--json").stdout)]


def test_a_reset_makes_a_backup_names_it_and_removes_none(hermes: Hermes) -> None:
    hermes("backup", "create")
    (first,) = listed(hermes)
    told = hermes("memory", "reset", "--target", "facts", "--backup", "--yes")
    assert told.exit_code == 0, told
    (second,) = set(listed(hermes)) - {first}
    assert f"The backup is {second}." in told.stderr
    hermes("memory", "reset", "--backup", "--yes")
    assert {first, second} < set(listed(hermes)) and len(listed(hermes)) == 3


def test_the_daemon_spares_what_was_made_by_hand_in_the_last_days(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    hermes("jobs", "run")
    monkeypatch.setattr(clock, "now", lambda: now + 2 * DAY)
    for _ in range(3):
        hermes("backup", "create")
    by_hand = listed(hermes)
    monkeypatch.setattr(clock, "now", lambda: now + 4 * DAY)
    assert "(backup): done" in hermes("jobs", "run").stdout
    assert set(by_hand) < set(listed(hermes))
    monkeypatch.setattr(clock, "now", lambda: now + 12 * DAY)
    hermes("jobs", "run")
    assert len(set(by_hand) & set(listed(hermes))) == 1, "after a week one of a day is enough"


def test_two_backups_of_one_second_are_two_files(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    files = [json.loads(hermes("backup", "create", "--json").stdout)["file"] for _ in range(3)]
    assert len(set(files)) == 3 and sorted(listed(hermes)) == sorted(files)


def test_status_and_doctor_tell_where_the_last_one_is(hermes: Hermes, own_home: Home, tmp_path: Path) -> None:
    hermes("backup", "create", "--output", str(tmp_path / "usb" / "mine.age"))
    assert f"in {tmp_path / 'usb'};" in hermes("status").stdout
    assert f"{tmp_path / 'usb'} is on the disk of the home itself" in hermes("doctor").stdout
    hermes("config", "set", "backup.directory", str(tmp_path / "next"))
    assert f"in {tmp_path / 'usb'};" in hermes("status").stdout
    shutil.rmtree(tmp_path / "usb")
    assert "which is not there now" in hermes("status").stdout


def test_the_key_is_only_safe_on_another_disk(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, other_disk: Path
) -> None:
    monkeypatch.setenv("HERMES_BACKUP_PASSPHRASE", "correct horse")
    hermes("config", "set", "backup.directory", str(tmp_path / "usb"))
    hermes("backup", "create")
    assert "beside them on the same disk, protected by a passphrase" in hermes("status").stdout
    hermes("config", "set", "backup.directory", str(other_disk))
    hermes("backup", "create")
    status = hermes("status")
    assert status.exit_code == 0 and "their key is only in" not in status.stdout, status


def test_the_names_that_backups_keep_are_told(hermes: Hermes) -> None:
    hermes("profile", "create", "work")
    hermes("-p", "work", "backup", "create")
    assert "keep the name work." in hermes("profile", "rename", "work", "office").stdout
    assert "keep the name work." in hermes("profile", "rename", "office", "desk").stdout
    hermes("profile", "create", "play")
    assert "keep the name" not in hermes("profile", "rename", "play", "fun").stdout


def test_an_empty_folder_is_refused_when_it_is_set(hermes: Hermes) -> None:
    done = hermes("config", "set", "backup.directory", "")
    assert done.exit_code != 0 and "must be text that is not empty" in done.stderr, done
    assert "hermes config unset backup.directory" in done.stderr
    assert hermes("backup", "create").exit_code == 0
