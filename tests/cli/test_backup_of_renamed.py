"""The backups of a profile stay its own when it gets another name."""

import json
from pathlib import Path

import pytest

from tests.conftest import Hermes


@pytest.fixture
def backup(hermes: Hermes) -> Path:
    """A backup that the profile `office` made when it was called `work`."""
    assert hermes("profile", "create", "work").exit_code == 0
    assert hermes("-p", "work", "memory", "fact", "add", "Rex is afraid of trains").exit_code == 0
    made = hermes("-p", "work", "backup", "create", "--json")
    assert made.exit_code == 0, made
    renamed = hermes("profile", "rename", "work", "office")
    assert renamed.exit_code == 0, renamed
    return Path(json.loads(made.stdout)["file"].replace("/work/", "/office/"))


def test_a_renamed_profile_lists_the_backups_it_made_before(hermes: Hermes, backup: Path) -> None:
    (listed,) = json.loads(hermes("-p", "office", "backup", "list", "--json").stdout)
    assert listed["file"] == str(backup) and listed["is_ours"] and listed["profile"] == "work"


def test_a_renamed_profile_is_restored_from_a_backup_it_made_before(hermes: Hermes, backup: Path) -> None:
    hermes("-p", "office", "memory", "fact", "add", "Bo likes ham")
    renamed = backup.rename(backup.parent / "by-hand.age")
    done = hermes("-p", "office", "backup", "restore", "--yes", str(renamed))
    assert done.exit_code == 0, done
    told = hermes("-p", "office", "memory", "facts", "list")
    assert "Rex" in told.stdout and "Bo" not in told.stdout, told
    assert hermes("-p", "office", "doctor").exit_code in (0, 1)


def test_another_profile_of_the_same_old_name_is_still_refused(hermes: Hermes, backup: Path) -> None:
    hermes("profile", "create", "play")
    hermes("-p", "play", "memory", "fact", "add", "Bo likes ham")
    key = backup.parent.parent / "backup.key"
    done = hermes("-p", "play", "backup", "restore", "--yes", str(backup), "--identity", str(key))
    assert done.exit_code == 2 and "a backup of profile 'work', not of 'play'" in done.stderr


def test_the_older_backups_of_a_renamed_profile_are_made_anew_when_it_forgets(
    hermes: Hermes, backup: Path
) -> None:
    before = backup.read_bytes()
    done = hermes("-p", "office", "memory", "forget", "fact:1", "--backups", "--yes", "--json")
    assert done.exit_code == 0 and json.loads(done.stdout)["backups"] == [], done
    assert backup.read_bytes() != before
    assert hermes("-p", "office", "backup", "verify", str(backup)).exit_code == 0
