"""`hermes backup`: what is backed up comes back as it was, elsewhere and without us; a damaged file never does."""

import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.ids import new_uid
from hermes_agent.ops.backups import keys
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes
from tests.postgres import server_address

NO_AGE = shutil.which("age") is None


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Path]:
    """Go to another machine: a home of its own."""

    def move(name: str) -> Path:
        monkeypatch.setenv("HERMES_HOME", str(tmp_path / name))
        return tmp_path / name

    return move


@pytest.fixture
def lived(hermes: Hermes, own_home: Home) -> Home:
    """A home with a conversation, a fact, notes, a skill with a script, and settings."""
    document = "---\nname: sort-mail\ndescription: Sort the mail.\n---\n\nSort it.\n"
    for command in (
        ("chat", "-q", "My name is Ada and I live in Oslo."),
        ("memory", "fact", "add", "Rex is afraid of trains"),
        ("config", "set", "memory.poolSize", "7"),
        ("jobs", "run"),
    ):
        assert hermes(*command).exit_code == 0
    assert hermes("skills", "create", "sort-mail", "--file", "-", input=document).exit_code == 0
    script = own_home.skills / "sort-mail" / "scripts" / "sort.sh"
    script.parent.mkdir()
    script.write_text("#!/bin/sh\n")
    script.chmod(0o700)
    (script.parent / "uv.lock").write_text("version = 1\n")
    (own_home.skills / "sort-mail" / "logo.png").write_bytes(bytes(range(256)))
    hermes("skills", "list")
    return own_home


def made(hermes: Hermes, *more: str) -> Path:
    done = hermes("backup", "create", "--json", *more)
    assert done.exit_code == 0, done
    return Path(json.loads(done.stdout)["file"])


def exported(hermes: Hermes, file: Path) -> dict[str, object]:
    assert hermes("memory", "export", "-o", str(file), "--force").exit_code == 0
    found = json.loads(file.read_text("ascii"))
    assert isinstance(found, dict)
    del found["exported"]
    return found


def test_a_home_comes_back_as_it_was(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HERMES_BACKUP_PASSPHRASE", "correct horse")
    file = made(hermes, "--output", str(tmp_path / "usb" / "one.age"))
    before = exported(hermes, tmp_path / "before.json")
    assert file.stat().st_mode & 0o777 == 0o600
    shutil.rmtree(lived.root)
    told = hermes("backup", "restore", str(file))
    assert told.exit_code == 0 and told.stdout.startswith("Restored ")
    assert exported(hermes, tmp_path / "after.json") == before
    assert "nothing is wrong" in hermes("db", "check").stdout
    assert hermes("config", "get", "memory.poolSize").stdout.strip() == "7"
    skill = lived.skills / "sort-mail"
    assert (skill / "logo.png").read_bytes() == bytes(range(256))
    assert (skill / "scripts" / "sort.sh").stat().st_mode & 0o777 == 0o700
    monkeypatch.delenv("HERMES_BACKUP_PASSPHRASE")
    assert hermes("backup", "verify", str(made(hermes))).exit_code == 0, "the same key goes on being used"


def test_the_key_is_told_once_and_where_it_is(hermes: Hermes, lived: Home) -> None:
    first = hermes("backup", "create")
    assert f"A key was made: {lived.backup_key}." in first.stderr and "--confirm" in first.stderr
    assert lived.backup_key.stat().st_mode & 0o777 == 0o600
    assert "A key was made" not in hermes("backup", "create").stderr
    told = hermes("status")
    assert told.exit_code == 1 and "their key is only in" in told.stdout
    hermes("backup", "key", "--confirm")
    assert hermes("status").exit_code == 0


@pytest.mark.skipif(NO_AGE, reason="age is not installed; CI installs it")
def test_age_opens_it_without_us(hermes: Hermes, lived: Home, tmp_path: Path) -> None:
    file = made(hermes)
    packed = subprocess.run(["age", "-d", "-i", lived.backup_key, file], capture_output=True, check=True).stdout
    from backports import zstd

    (tmp_path / "plain.tar").write_bytes(zstd.decompress(packed))
    with tarfile.open(tmp_path / "plain.tar") as tar:
        names = tar.getnames()
    assert {"state.db", "memories/USER.md", "skills/sort-mail/SKILL.md", "manifest.json"} <= set(names)


def test_a_home_that_is_there_is_kept_aside(hermes: Hermes, lived: Home) -> None:
    file = made(hermes)
    hermes("memory", "fact", "add", "Bo likes ham")
    lived.soul.write_text("I am new.")
    assert hermes("backup", "restore", str(file), input="n\n").stdout == "Nothing was changed.\n"
    assert "Bo likes ham" in hermes("memory", "facts", "list").stdout
    told = hermes("backup", "restore", "--yes", file.name)
    assert told.exit_code == 0 and "What was here is in " in told.stdout
    assert "Bo likes ham" not in hermes("memory", "facts", "list").stdout and not lived.soul.exists()
    (aside,) = lived.backups.glob("replaced-*")
    assert (aside / "SOUL.md").read_text() == "I am new." and (aside / "state.db").exists()


def test_a_memory_in_another_place_comes_back_to_it(hermes: Hermes, lived: Home, tmp_path: Path) -> None:
    hermes("stop")
    elsewhere = tmp_path / "disk" / "memory.db"
    elsewhere.parent.mkdir()
    shutil.move(lived.state_db, elsewhere)
    hermes("config", "set", "memory.path", str(elsewhere))
    file = made(hermes)
    hermes("memory", "fact", "add", "Bo likes ham")
    assert hermes("backup", "restore", "--yes", str(file)).exit_code == 0
    listed = hermes("memory", "facts", "list").stdout
    assert "Rex" in listed and "Bo" not in listed and not lived.state_db.exists()


def test_notes_alone_are_not_replaced_unasked(hermes: Hermes, lived: Home, at: Callable[[str], Path]) -> None:
    file = made(hermes)
    root = at("second")
    root.mkdir()
    (root / "SOUL.md").write_text("I was here first.")
    done = hermes("backup", "restore", str(file), "--identity", str(lived.backup_key), input="n\n")
    assert done.stdout == "Nothing was changed.\n" and (root / "SOUL.md").read_text() == "I was here first."


def test_a_damaged_backup_is_never_restored(hermes: Hermes, lived: Home, tmp_path: Path) -> None:
    whole = made(hermes).read_bytes()
    wrong = {
        "cut": whole[: len(whole) // 2],
        "a byte": whole[:-200] + bytes([whole[-200] ^ 1]) + whole[-199:],
        "no backup": b"hello",
        "empty": b"",
    }
    for name, text in wrong.items():
        (tmp_path / name).write_bytes(text)
        for verb in ("verify", "restore"):
            done = hermes("backup", verb, str(tmp_path / name))
            assert done.exit_code == 2 and "Traceback" not in done.stderr, (name, verb, done)
    assert "Rex" in hermes("memory", "facts", "list").stdout
    assert list(lived.root.glob(".restore-*")) == []


def test_another_key_does_not_open_it(
    hermes: Hermes, lived: Home, at: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_BACKUP_PASSPHRASE", "correct horse")
    file = made(hermes)
    at("second")
    monkeypatch.setenv("HERMES_BACKUP_PASSPHRASE", "wrong horse")
    done = hermes("backup", "restore", str(file))
    assert done.exit_code == 2 and "passphrase does not open" in done.stderr
    assert hermes("backup", "restore", str(file), "--identity", str(lived.backup_key)).exit_code == 0
    assert "Rex" in hermes("memory", "facts", "list").stdout


def test_the_plain_archive_of_a_home_is_restored_too(
    hermes: Hermes, lived: Home, at: Callable[[str], Path], tmp_path: Path
) -> None:
    hermes("stop")
    with tarfile.open(tmp_path / "old.tgz", "w:gz") as tar:
        tar.add(lived.root, "home/ada/.hermes")
        evil = tarfile.TarInfo("home/ada/.hermes/../../evil")
        tar.addfile(evil)
        link = tarfile.TarInfo("home/ada/.hermes/memories/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    root = at("second")
    done = hermes("backup", "restore", str(tmp_path / "old.tgz"))
    assert done.exit_code == 0, done
    assert "Rex" in hermes("memory", "facts", "list").stdout and "Oslo" in hermes("notes", "show").stdout
    assert not (root / "memories" / "link").exists() and not list(tmp_path.rglob("evil"))


def test_an_archive_with_the_log_of_its_database_is_restored(
    hermes: Hermes, lived: Home, at: Callable[[str], Path], tmp_path: Path
) -> None:
    connection = driver().connect(str(lived.state_db))
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE facts SET text = 'Rex is afraid of planes' WHERE text LIKE 'Rex%'")
    connection.commit()
    with tarfile.open(tmp_path / "old.tgz", "w:gz") as tar:
        tar.add(lived.root, ".hermes")
        names = tar.getnames()
    connection.close()
    assert ".hermes/state.db-wal" in names
    at("second")
    assert hermes("backup", "restore", str(tmp_path / "old.tgz")).exit_code == 0
    assert "afraid of planes" in hermes("memory", "facts", "list").stdout


def test_the_passphrase_opens_it_also_where_there_is_another_key(
    hermes: Hermes, lived: Home, at: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HERMES_BACKUP_PASSPHRASE", "correct horse")
    file = made(hermes, "--output", str(tmp_path / "one.age"))
    at("second")
    made(hermes)
    assert hermes("backup", "restore", "--yes", str(file)).exit_code == 0
    assert "Rex" in hermes("memory", "facts", "list").stdout


def test_two_that_make_the_key_at_once_use_one(own_home: Home) -> None:
    own_home.root.mkdir()
    with ThreadPoolExecutor(8) as threads:
        locks = list(threads.map(lambda _: keys.lock_of(own_home, []), range(8)))
    assert len({one.shown[0] for one in locks}) == 1 and sum(one.is_fresh for one in locks) == 1


def test_profiles_are_not_mixed(hermes: Hermes, lived: Home) -> None:
    file = made(hermes)
    hermes("profile", "create", "work")
    done = hermes("-p", "work", "backup", "restore", str(file), "--identity", str(lived.backup_key))
    assert done.exit_code == 2 and "a backup of profile 'default'" in done.stderr


def test_old_backups_go_and_the_last_of_days_weeks_and_months_stay(hermes: Hermes, own_home: Home) -> None:
    own_home.backups.mkdir(parents=True)
    day = 86_400 * clock.MICROSECONDS
    for age in range(400):
        moment = clock.to_datetime(clock.now() - age * day)
        (own_home.backups / f"default-{moment:%Y%m%dT%H%M%SZ}.hermes.age").write_bytes(b"x")
    (own_home.backups / "mine.age").write_bytes(b"x")
    going = json.loads(hermes("backup", "prune", "--dry-run", "--json").stdout)["removed"]
    assert len(json.loads(hermes("backup", "list", "--json").stdout)) == 400
    assert hermes("backup", "prune", input="n\n").stdout == "Nothing was changed.\n"
    assert json.loads(hermes("backup", "prune", "--yes", "--json").stdout)["removed"] == going
    left = json.loads(hermes("backup", "list", "--json").stdout)
    assert 18 <= len(left) <= 23 and (own_home.backups / "mine.age").exists()
    assert json.loads(hermes("backup", "prune", "--json").stdout)["removed"] == []


def test_the_daemon_makes_one_every_day_and_a_missed_day_is_seen(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert json.loads(hermes("backup", "list", "--json").stdout) == [], "the first is made after a day"
    now = clock.now()
    day = 86_400 * clock.MICROSECONDS
    monkeypatch.setattr(clock, "now", lambda: now + 3 * day)
    assert "a day was missed" in hermes("status").stdout
    assert "(backup): done" in hermes("jobs", "run").stdout
    assert len(json.loads(hermes("backup", "list", "--json").stdout)) == 1
    assert "(backup)" not in hermes("jobs", "run").stdout
    assert "a day was missed" not in hermes("status").stdout


def test_a_home_that_somebody_is_in_is_not_replaced(hermes: Hermes, lived: Home) -> None:
    file = made(hermes)
    app = App(lived, load(lived))
    with app.store.read():
        done = hermes("backup", "restore", "--yes", str(file))
    assert done.exit_code == 2 and f"Process {os.getpid()} is using {lived.root}." in done.stderr, done
    assert list(lived.backups.glob("replaced-*")) == []
    app.close()
    assert hermes("backup", "restore", "--yes", str(file)).exit_code == 0


def test_two_homes_share_a_folder_and_leave_each_others_backups_alone(
    hermes: Hermes, own_home: Home, at: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    day, now = 86_400 * clock.MICROSECONDS, clock.now()
    files: dict[str, list[Path]] = {}
    for number, home in enumerate(("first", "second")):
        at(home)
        hermes("config", "set", "backup.directory", str(tmp_path / "usb"))
        for hour in range(3):
            moment = now - 40 * day + (number * 10 + hour) * 60 * clock.MICROSECONDS
            with monkeypatch.context() as patched:
                patched.setattr(clock, "now", lambda moment=moment: moment)
                files.setdefault(home, []).append(made(hermes))
    listed = json.loads(hermes("backup", "list", "--json").stdout)
    assert [one["file"] for one in listed] == [str(one) for one in reversed(files["second"])]
    assert len(json.loads(hermes("backup", "list", "--all", "--json").stdout)) == 6
    assert "3 backups of other homes: hermes backup list --all" in hermes("backup", "list").stderr
    assert len(json.loads(hermes("backup", "prune", "--yes", "--json").stdout)["removed"]) == 2
    assert all(one.exists() for one in files["first"])
    at("third")
    assert hermes("backup", "list").exit_code == 0 and not (tmp_path / "third" / "state.db").exists()


def test_an_archive_that_would_fill_the_disk_is_refused(hermes: Hermes, lived: Home, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.tgz"
    with tarfile.open(bomb, "w:gz") as tar:
        info = tarfile.TarInfo(".hermes/state.db")
        info.size = 400 << 20
        with Path("/dev/zero").open("rb") as zeros:
            tar.addfile(info, zeros)
    assert bomb.stat().st_size < 500_000
    done = hermes("backup", "restore", "--yes", str(bomb))
    assert done.exit_code == 2 and "which no home of its size does" in done.stderr, done
    assert "Rex" in hermes("memory", "facts", "list").stdout and list(lived.root.glob(".restore-*")) == []


def test_a_full_disk_is_seen_before_anything_is_written(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = made(hermes)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(total=1, used=1, free=1 << 20))
    done = hermes("backup", "restore", "--yes", str(file))
    assert done.exit_code != 0 and "1.0 MB are free" in done.stderr and "Nothing was changed." in done.stderr


def test_a_memory_on_a_server_is_backed_up_and_comes_back(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
    monkeypatch.setenv("HERMES_MEMORY_SCHEMA", f"b{new_uid().replace('-', '')}")
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    before = exported(hermes, tmp_path / "before.json")
    file = made(hermes)
    assert hermes("backup", "verify", str(file)).exit_code == 0
    monkeypatch.setenv("HERMES_MEMORY_SCHEMA", f"c{new_uid().replace('-', '')}")
    done = hermes("backup", "restore", str(file), "--yes")
    assert done.exit_code == 0, done
    assert exported(hermes, tmp_path / "after.json") == before
    again = hermes("backup", "restore", str(file), "--yes")
    assert again.exit_code == 2 and "is not empty. Nothing was changed." in again.stderr, again
