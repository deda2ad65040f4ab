"""A restored memory goes where the backup's own settings say, and never over a file that is somebody else's."""

import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from tests.conftest import Hermes


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Home]:
    """Go to another home."""

    def move(name: str) -> Home:
        monkeypatch.setenv("HERMES_HOME", str(tmp_path / name))
        return Home(tmp_path / name, "default")

    return move


def made(hermes: Hermes) -> str:
    return str(json.loads(hermes("backup", "create", "--json").stdout)["file"])


@pytest.fixture
def first(hermes: Hermes, at: Callable[[str], Home], tmp_path: Path) -> Home:
    """A home whose memory lies in another place."""
    home = at("first")
    hermes("config", "set", "memory.path", str(tmp_path / "disk" / "memory.db"))
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    return home


def test_another_homes_memory_is_never_replaced(
    hermes: Hermes, first: Home, at: Callable[[str], Home], tmp_path: Path
) -> None:
    file, database = made(hermes), tmp_path / "disk" / "memory.db"
    shutil.rmtree(database.parent)
    second = at("second")
    hermes("config", "set", "memory.path", str(database))
    hermes("memory", "fact", "add", "Bo likes ham")
    before = database.read_bytes()
    at("third")
    done = hermes("backup", "restore", "--yes", file, "--identity", str(first.backup_key))
    assert done.exit_code == 2 and f"{database} is another memory" in done.stderr, done
    assert database.read_bytes() == before and second.root.exists()
    assert not (tmp_path / "third" / "config.yaml").exists(), "nothing was touched"


def test_a_file_that_is_no_memory_is_never_replaced(
    hermes: Hermes, first: Home, at: Callable[[str], Home], tmp_path: Path
) -> None:
    file, database = made(hermes), tmp_path / "disk" / "memory.db"
    shutil.rmtree(database.parent)
    database.parent.mkdir()
    database.write_text("my letters")
    at("second")
    done = hermes("backup", "restore", "--yes", file, "--identity", str(first.backup_key))
    assert done.exit_code == 2 and f"{database} is no memory of this profile" in done.stderr, done
    assert database.read_text() == "my letters"


def test_the_same_memory_is_asked_for_by_name(
    hermes: Hermes, first: Home, at: Callable[[str], Home], tmp_path: Path
) -> None:
    file, database = made(hermes), tmp_path / "disk" / "memory.db"
    hermes("memory", "fact", "add", "Bo likes ham")
    at("second")
    arguments = ("backup", "restore", file, "--identity", str(first.backup_key))
    asked = hermes(*arguments, input="n\n")
    assert str(database) in asked.stderr and asked.stdout == "Nothing was changed.\n", asked
    app = App(first, load(first))
    with app.store.read():
        done = hermes(*arguments, "--yes")
    assert done.exit_code == 2 and f"using {database.parent}" in done.stderr, done
    app.close()
    assert hermes(*arguments, "--yes").exit_code == 0
    assert "Bo" not in hermes("memory", "facts", "list").stdout


def test_a_damaged_memory_of_this_home_is_replaced(hermes: Hermes, first: Home, tmp_path: Path) -> None:
    file, database = made(hermes), tmp_path / "disk" / "memory.db"
    database.write_bytes(b"damaged")
    done = hermes("backup", "restore", "--yes", file)
    assert done.exit_code == 0, done
    assert "Rex" in hermes("memory", "facts", "list").stdout
    assert next(first.backups.glob("replaced-*/state.db")).read_bytes() == b"damaged"


@pytest.mark.parametrize("setting", ["config.yaml", ".env"])
def test_a_plain_archive_does_not_say_where_the_memory_goes(
    hermes: Hermes, at: Callable[[str], Home], tmp_path: Path, setting: str
) -> None:
    home, letters = at("first"), tmp_path / "letters"
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    text = f"HERMES_MEMORY_PATH={letters}\n" if setting == ".env" else f"memory:\n  path: {letters}\n"
    (home.root / setting).write_text(text)
    with tarfile.open(tmp_path / "old.tgz", "w:gz") as tar:
        tar.add(home.root, ".hermes")
    letters.write_text("my letters")
    second = at("second")
    done = hermes("backup", "restore", str(tmp_path / "old.tgz"))
    assert done.exit_code == 0 and f"memory.path ({letters}) was left out" in done.stderr, done
    assert letters.read_text() == "my letters" and second.state_db.exists()
    assert "Rex" in hermes("memory", "facts", "list").stdout


def test_a_profile_inside_of_the_home_is_another_home(
    hermes: Hermes, own_home: Home, at: Callable[[str], Home], tmp_path: Path
) -> None:
    home = at("first")
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    hermes("profile", "create", "work")
    hermes("-p", "work", "memory", "fact", "add", "Bo likes ham")
    hermes("config", "set", "memory.path", "moved.db")
    shutil.move(home.state_db, home.root / "moved.db")
    (home.root / "config.yaml").write_text("memory:\n  path: profiles/work/copy.db\n")
    shutil.move(home.root / "moved.db", home.root / "profiles" / "work" / "copy.db")
    file = made(hermes)
    work = home.root / "profiles" / "work"
    shutil.copy(work / "state.db", work / "copy.db")
    (home.root / "config.yaml").unlink()
    done = hermes("backup", "restore", "--yes", file)
    assert done.exit_code == 2 and "is another memory" in done.stderr, done
