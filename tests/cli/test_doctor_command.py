"""`hermes doctor`: everything is examined, what is safe is mended, and for the rest stands what to do."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.config import held_folder, paths
from hermes_agent.config.paths import Home
from hermes_agent.store.sqlite import driver
from tests import embeddings_server, openai_server
from tests.conftest import Hermes
from tests.terminal import open_chat

PASSPHRASE = "correct horse battery"
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


def test_without_its_key_an_encrypted_home_is_examined_as_far_as_can_be(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", PASSPHRASE)
    assert hermes("encrypt", "--yes").exit_code == 0
    monkeypatch.setenv("HERMES_PASSPHRASE", "another horse")
    lived.root.chmod(0o755)
    told = hermes("doctor")
    assert told.exit_code == 1 and "wrong   Encryption: The passphrase is not the one" in told.stdout, told
    assert "mended  Home:" in told.stdout and "Not examined without the key: database" in told.stdout
    monkeypatch.delenv("HERMES_PASSPHRASE")
    assert "no passphrase was given" in str(findings(hermes)[0]["text"])
    with open_chat("doctor", columns=200) as terminal:
        terminal.expect(f"Passphrase of {lived.root}:")
        terminal.type(f"{PASSPHRASE}\r")
        terminal.expect(CLEAN)
        assert terminal.end() == 0


def test_a_rename_that_was_cut_short_is_finished(hermes: Hermes, own_home: Home) -> None:
    hermes("profile", "create", "office")
    home = paths.home_of("office")
    home.renaming.write_text('{"from": "work", "to": "office"}', encoding="utf-8")
    told = hermes("-p", "office", "doctor")
    assert (told.exit_code, "mended  Profile:" in told.stdout, home.renaming.exists()) == (0, True, False), told


def test_what_is_open_to_others_is_closed(hermes: Hermes, lived: Home) -> None:
    lived.root.chmod(0o755)
    lived.state_db.chmod(0o644)
    assert [one["is_mended"] for one in findings(hermes)] == [True, True]
    assert lived.root.stat().st_mode & 0o777 == 0o700 and lived.state_db.stat().st_mode & 0o777 == 0o600
    assert findings(hermes) == []


def test_folders_that_killed_commands_worked_in_are_removed_unless_somebody_is_there(
    hermes: Hermes, lived: Home
) -> None:
    left = [
        lived.root / f"{name}01234567"
        for name in (".restore-", ".importing-home-", ".backup-", ".forgetting-", ".hermes-copy-")
    ]
    left.append(lived.root / "profiles" / ".deleting-01234567")
    for folder in left:
        (folder / "home").mkdir(parents=True)
        (folder / "home" / "USER.md").write_text("I live in Oslo.")
    with held_folder.made(lived.root, ".backup-") as held:
        mended = [str(one["text"]) for one in findings(hermes) if one["is_mended"]]
        assert held.exists()
    assert not any(folder.exists() for folder in left)
    assert {text.split()[0] for text in mended} == {str(one) for one in left if ".backup-" not in one.name}


def test_what_a_killed_preview_left_beside_a_database_elsewhere_is_removed(
    hermes: Hermes, own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_PATH", str(tmp_path / "elsewhere" / "memory.db"))
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    (left := tmp_path / "elsewhere" / ".hermes-copy-01234567").mkdir()
    assert f"{left} was left by a command that was killed." in [one["text"] for one in findings(hermes)]
    assert not left.exists()


def test_what_killed_commands_left_half_written_is_removed_after_a_day(hermes: Hermes, lived: Home) -> None:
    before = clock.now() / clock.MICROSECONDS - 2 * 86_400
    skill = lived.skills / "deploy"
    skill.mkdir()
    (skill / "SKILL.md").write_text("---\nname: deploy\ndescription: Deploy it.\n---\n\nRun it.\n")
    left = [
        lived.root / ".config.yaml.k3x_9abc",
        lived.memories / ".USER.md.abcd1234",
        skill / ".SKILL.md._abcdefg",
    ]
    fresh = lived.root / ".backup.key.k3xx9abc"
    own = [lived.root / ".config.yaml.original", lived.memories / ".USER.md.20261101", lived.root / ".x.k3x_9abc"]
    for file in (*left, fresh, *own):
        file.write_text("half")
    for file in (*left, *own):
        os.utime(file, (before, before))
    mended = [str(one["text"]) for one in findings(hermes) if one["is_mended"]]
    assert len(mended) == len(left) and all(any(str(file) in text for text in mended) for file in left), mended
    assert not any(file.exists() for file in left) and all(file.exists() for file in (fresh, *own))
    assert hermes("doctor").stdout.startswith(CLEAN)


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


@pytest.mark.parametrize(
    "text", ["memory: [unclosed", "- just\n- a list\n", "memory:\n  poolSize: 1\n  pool_size: 2\n"]
)
def test_settings_that_cannot_be_read_do_not_stop_the_doctor(hermes: Hermes, lived: Home, text: str) -> None:
    before = lived.state_db.read_bytes()
    lived.config_yaml.write_text(text)
    skill = lived.skills / "broken"
    skill.mkdir()
    (skill / "SKILL.md").write_text("no front matter")
    lived.root.chmod(0o755)
    told = hermes("doctor")
    assert told.exit_code == 1 and "Traceback" not in told.stderr, told
    assert "wrong   Settings: " in told.stdout and "config.yaml" in told.stdout
    assert "wrong   Skills: " in told.stdout and "mended  Home: " in told.stdout
    assert "Not examined" in told.stdout and lived.state_db.read_bytes() == before
    assert hermes("doctor", "--rebuild").exit_code == 2


def test_a_value_that_does_not_fit_is_one_finding_and_the_rest_is_examined(hermes: Hermes, lived: Home) -> None:
    lived.config_yaml.write_text("memory:\n  poolSize: many\nmemry: 1\n")
    lived.user_note.write_bytes(b"\xff\xfe broken")
    told = hermes("doctor", "--json")
    found = json.loads(told.stdout)["findings"]
    assert told.exit_code == 1 and {"Settings", "Notes"} <= {one["about"] for one in found}, told
    assert any("poolSize" in one["text"] and one["is_problem"] for one in found)
    assert any("memry" in one["text"] and not one["is_problem"] for one in found)


def test_key_files_and_a_store_elsewhere_are_closed_too(hermes: Hermes, lived: Home) -> None:
    hermes("config", "set", "memory.path", str(lived.root.parent / "elsewhere.db"))
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    elsewhere = lived.root.parent / "elsewhere.db"
    for path in (lived.env_file, lived.backup_key, lived.sealed_backup_key, lived.chat_history):
        path.touch(mode=0o600)
    opened = [lived.env_file, lived.backup_key, lived.sealed_backup_key, lived.chat_history, elsewhere]
    for path in opened:
        path.chmod(0o644)
    mended = [str(one["text"]) for one in findings(hermes) if one["is_mended"]]
    assert all(any(str(path) in text for text in mended) for path in opened), mended
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in opened)


def test_vectors_of_what_is_gone_are_found_and_removed(hermes: Hermes, lived: Home) -> None:
    connection = driver().connect(str(lived.state_db))
    connection.execute(
        "INSERT INTO vectors (fingerprint_id, kind, item, vector)"
        " SELECT fingerprint_id, kind, 999, vector FROM vectors LIMIT 1"
    )
    connection.commit()
    connection.close()
    told = hermes("doctor")
    assert told.exit_code == 1 and "1 vectors are of" in told.stdout, told
    assert hermes("doctor", "--rebuild").exit_code == 0
    assert CLEAN in hermes("doctor").stdout


def test_an_hour_that_the_clock_went_back_is_told(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now - 3_600 * clock.MICROSECONDS)
    told = hermes("doctor")
    assert told.exit_code == 1 and "wrong   Clock: " in told.stdout and "Set the clock" in told.stdout


def test_a_clock_that_went_back_is_still_told_after_more_was_said(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    with monkeypatch.context() as ahead:
        ahead.setattr(clock, "now", lambda: now + 7_200 * clock.MICROSECONDS)
        hermes("memory", "fact", "add", "Rex is a dog")
    hermes("memory", "fact", "add", "Bo is a cat")
    told = hermes("doctor")
    assert told.exit_code == 1 and "wrong   Clock: " in told.stdout, told


def test_receipts_that_the_store_lost_are_brought_back_and_still_block(hermes: Hermes, lived: Home) -> None:
    hermes("memory", "fact", "add", "The key is under the mat")
    listed = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    (fact,) = [one for one in listed if "mat" in one["text"]]
    assert hermes("memory", "forget", fact["id"], "--yes").exit_code == 0
    before = hermes("memory", "receipts", "--json").stdout
    with closing(sqlite3.connect(lived.state_db)) as connection, connection:
        (blocks,) = connection.execute("SELECT blocks FROM receipts").fetchone()
        connection.execute("DELETE FROM receipts")
    told = hermes("doctor")
    assert "The store had lost receipt:001" in told.stdout, told
    assert hermes("memory", "receipts", "--json").stdout == before
    with closing(sqlite3.connect(lived.state_db)) as connection, connection:
        assert connection.execute("SELECT blocks FROM receipts").fetchone() == (blocks,)
        connection.execute("DELETE FROM receipts")
        connection.execute("DELETE FROM store_meta WHERE key = 'receipts.key'")
    told = hermes("doctor")
    assert told.exit_code == 1 and ".json is not in the store" in told.stdout, told


def test_a_job_that_failed_and_a_missed_backup_are_told(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = driver().connect(str(lived.state_db))
    connection.execute("UPDATE jobs SET state = 'failed', reason = 'the disk was full'")
    connection.commit()
    connection.close()
    hermes("backup", "create")
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + 4 * 86_400 * clock.MICROSECONDS)
    found = {str(one["about"]): one for one in findings(hermes)}
    assert "the disk was full" in str(found["Jobs"]["text"]) and "retry" in str(found["Jobs"]["advice"])
    assert "a day was missed" in str(found["Backups"]["text"])


def test_servers_are_asked_only_when_that_is_wanted(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = openai_server.serve(openai_server.Fail(401)), embeddings_server.serve(embeddings_server.Fail(401))
    with broken[0] as model, broken[1] as embedder:
        for name, value in {
            "HERMES_MODEL": "tiny",
            "HERMES_BASE_URL": model.url,
            "HERMES_MEMORY_EMBEDDINGS_PROVIDER": "openai",
            "HERMES_MEMORY_EMBEDDINGS_BASE_URL": embedder.url,
            "HERMES_NO_JOBS": "1",
        }.items():
            monkeypatch.setenv(name, value)
        hermes("doctor")
        assert not model.requests and not embedder.requests
        told = hermes("doctor", "--online")
        assert told.exit_code == 1, told
        assert "wrong   Model: " in told.stdout and "wrong   Embedder: " in told.stdout, told
        assert len(model.requests) == 1, "once, without patience"
