"""The backup of an encrypted home wants the key that the home had on that day, and says so."""

import json
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.crypto import unlocked
from tests.conftest import Hermes

pytest.importorskip("sqlcipher3")


@pytest.mark.parametrize("command", [("verify",), ("restore", "--yes")])
def test_another_passphrase_is_told_without_the_folder_it_was_opened_in(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "correct horse battery")
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    assert hermes("encrypt", "--yes").exit_code == 0
    file = tmp_path / "b.age"
    assert hermes("backup", "create", "--output", str(file)).exit_code == 0
    identity = own_home.backup_key
    unlocked.forget()
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "second"))
    for words in ("another horse battery", ""):
        monkeypatch.setenv("HERMES_PASSPHRASE", words)
        done = hermes("backup", *command, str(file), "--identity", str(identity))
        assert done.exit_code != 0 and ".restore-" not in done.stderr + done.stdout, done
        assert "The backup is of an encrypted home" in done.stderr and "$HERMES_PASSPHRASE" in done.stderr


def test_nothing_is_unpacked_onto_the_disk_of_an_encrypted_home(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "correct horse battery")
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    file = json.loads(hermes("backup", "create", "--json").stdout)["file"]
    places = (own_home.root, own_home.root.parent)
    for command, is_made in (("status", True), ("encrypt", False)):
        hermes(command, *(["--yes"] if command == "encrypt" else []))
        before = [one.stat().st_mtime_ns for one in places]
        assert hermes("backup", "verify", file).exit_code == 0
        assert ([one.stat().st_mtime_ns for one in places] != before) == is_made


def test_a_lock_file_of_a_skill_is_sealed_too(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "correct horse battery")
    document = "---\nname: sort-mail\ndescription: Sort the mail.\n---\n\nSort it.\n"
    hermes("skills", "create", "sort-mail", "--file", "-", input=document)
    lock = own_home.skills / "sort-mail" / "uv.lock"
    lock.write_text("quuxville = 1\n")
    assert hermes("encrypt", "--yes").exit_code == 0
    assert b"quuxville" not in lock.read_bytes()
    assert hermes("decrypt", "--yes").exit_code == 0
    assert lock.read_text() == "quuxville = 1\n"


@pytest.mark.parametrize("costs", [{"iterations": 1_000}, {"memory_kib": 8 << 20}, {"lanes": 64}])
def test_an_archive_cannot_ask_for_all_of_the_memory(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch, costs: dict[str, int]
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "correct horse battery")
    hermes("encrypt", "--yes")
    told = json.loads(own_home.encryption.read_text())
    told["source"]["costs"] |= costs
    own_home.encryption.write_text(json.dumps(told))
    unlocked.forget()
    done = hermes("notes", "show")
    assert done.exit_code != 0 and "it says what nobody could have written" in done.stderr, done


def test_a_home_that_lost_its_encryption_json_is_told_so_and_not_repaired(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "correct horse battery")
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    hermes("encrypt", "--yes")
    file = json.loads(hermes("backup", "create", "--json").stdout)["file"]
    own_home.encryption.unlink()
    unlocked.forget()
    before = own_home.state_db.read_bytes()
    for command in (("memory", "facts", "list"), ("db", "repair", "--yes"), ("doctor",)):
        told = hermes(*command)
        assert told.exit_code == 1 and "encryption.json of its home is missing" in told.stdout + told.stderr, told
        assert "db repair" not in told.stdout + told.stderr
    assert own_home.state_db.read_bytes() == before
    assert hermes("backup", "restore", "--yes", file).exit_code == 0
    assert "Rex" in hermes("memory", "facts", "list").stdout
