"""`hermes doctor`: everything is examined, what is safe is mended, and for the rest stands what to do."""

import json
import shutil

import pytest

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes

CLEAN = "Nothing is wrong."


@pytest.fixture
def lived(hermes: Hermes, own_home: Home) -> Home:
    hermes("chat", "-q", "My name is Ada and I live in Oslo.")
    hermes("jobs", "run")
    return own_home


def findings(hermes: Hermes) -> list[dict[str, object]]:
    told = json.loads(hermes("doctor", "--json").stdout)["findings"]
    assert isinstance(told, list)
    return told


def test_a_home_in_use_and_an_empty_one_are_well(hermes: Hermes, own_home: Home) -> None:
    assert CLEAN in hermes("doctor").stdout
    hermes("chat", "-q", "My name is Ada.")
    hermes("jobs", "run")
    told = hermes("doctor")
    assert told.exit_code == 0 and told.stdout.startswith(CLEAN)


def test_what_is_open_to_others_is_closed(hermes: Hermes, lived: Home) -> None:
    lived.root.chmod(0o755)
    lived.state_db.chmod(0o644)
    assert [one["is_mended"] for one in findings(hermes)] == [True, True]
    assert lived.root.stat().st_mode & 0o777 == 0o700 and lived.state_db.stat().st_mode & 0o777 == 0o600
    assert findings(hermes) == []


def test_an_index_that_lacks_messages_is_found_and_made_anew(hermes: Hermes, lived: Home) -> None:
    connection = driver().connect(str(lived.state_db))
    connection.execute("DELETE FROM messages_fts")
    connection.commit()
    connection.close()
    told = hermes("doctor")
    assert told.exit_code == 1 and "missing from the text index" in told.stdout
    assert "hermes doctor --rebuild" in told.stdout
    assert hermes("doctor", "--rebuild").exit_code == 0
    assert "Ada" in hermes("sessions", "search", "Ada").stdout


def test_each_part_that_is_not_well_is_named_with_its_mend(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived.user_note.write_bytes(b"\xff\xfe broken")
    skill = lived.skills / "broken"
    skill.mkdir()
    (skill / "SKILL.md").write_text("no front matter")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10, 10, 0))
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now - 3 * 86_400 * clock.MICROSECONDS)
    found = {str(one["about"]) for one in findings(hermes)}
    assert {"Notes", "Skills", "Disk", "Clock"} <= found
    assert all(one["advice"] for one in findings(hermes)) and hermes("doctor").exit_code == 1


def test_a_database_that_cannot_be_read_is_a_finding_like_the_others(hermes: Hermes, lived: Home) -> None:
    hermes("stop")
    lived.state_db.write_bytes(b"\0" * 8192)
    told = hermes("doctor")
    assert told.exit_code == 1 and "Database" in told.stdout and "hermes db repair" in told.stdout


def test_backups_on_the_same_disk_are_told_and_are_no_problem(hermes: Hermes, lived: Home) -> None:
    hermes("backup", "create")
    hermes("backup", "key", "--confirm")
    (one,) = findings(hermes)
    assert one["about"] == "Backups" and not one["is_problem"] and hermes("doctor").exit_code == 0
