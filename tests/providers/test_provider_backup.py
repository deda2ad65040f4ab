"""The files of an external memory are in the backups of its home."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.ops.backups import keys, opening
from hermes_agent.ops.steps import finish
from hermes_agent.store import database_file
from tests.conftest import Hermes
from tests.providers.ledger import Ledger


@contextmanager
def opened(file: Path, home: Home) -> Iterator[Path]:
    """Open a backup into a folder."""
    with TemporaryDirectory() as folder:
        yield finish(opening.open_into(Path(folder), file, keys.read(home.backup_key))).folder


def test_the_memory_of_holographic_comes_back_from_a_backup(
    own_home: Home, hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hermes("memory", "setup", "holographic", "--no-input")
    hermes("memory", "fact", "add", "My dog Rex is afraid of trains")
    assert hermes("memory", "migrate", "--from", "local", "--to", "holographic", "--yes").exit_code == 0
    file = tmp_path / "all.hermes.age"
    assert hermes("backup", "create", "-o", str(file)).exit_code == 0
    key = own_home.backup_key.read_bytes()
    (tmp_path / "key").write_bytes(key)
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "other"))
    restored = hermes("backup", "restore", str(file), "--identity", str(tmp_path / "key"), "--yes")
    assert restored.exit_code == 0, restored.stderr
    moved = hermes("memory", "migrate", "--from", "holographic", "--to", "local", "--json", "--yes")
    told = json.loads(moved.stdout)
    # The fact, and the entry of USER.md that was written of it.
    assert (told["found"], told["known"]) == (2, 2), moved.stderr


def test_what_lies_elsewhere_is_put_below_outside(own_home: Home, hermes: Hermes, tmp_path: Path) -> None:
    ledger, elsewhere = Ledger(own_home), tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "vectors.bin").write_bytes(b"12345")
    (elsewhere / "link").symlink_to("/etc/hostname")
    paths = [str(elsewhere), str(elsewhere / "not there"), "/", str(own_home.root), "relative"]
    ledger.change(
        "    def remember(", f"    def backup_paths(self):\n        return {paths!r}\n\n    def remember("
    )
    hermes("memory", "setup", "ledger", "--no-input")
    file = tmp_path / "all.hermes.age"
    made = hermes("backup", "create", "-o", str(file))
    assert made.exit_code == 0 and "external" not in made.stderr
    with opened(file, own_home) as folder:
        outside = [one.relative_to(folder / "outside") for one in (folder / "outside").rglob("*") if one.is_file()]
    assert outside == [(elsewhere / "vectors.bin").relative_to("/")]


def test_a_provider_that_fails_costs_no_backup_and_is_told(own_home: Home, hermes: Hermes, tmp_path: Path) -> None:
    ledger = Ledger(own_home)
    ledger.change(
        "    def remember(", "    def backup_paths(self):\n        raise OSError('gone')\n\n    def remember("
    )
    hermes("memory", "setup", "ledger", "--no-input")
    made = hermes("backup", "create", "-o", str(tmp_path / "all.hermes.age"))
    assert made.exit_code == 0
    assert "The files of the external memory are not in it: ledger failed: OSError: gone." in made.stderr


def _naming(own_home: Home, hermes: Hermes, told: str) -> None:
    """Use a provider that answers this when it is asked for its files."""
    Ledger(own_home).learn(f"def backup_paths(self):\n        return {told}")
    assert hermes("memory", "setup", "ledger", "--no-input").exit_code == 0


def test_a_backup_of_roundabout_paths_can_be_restored(own_home: Home, hermes: Hermes, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "vectors.bin").write_bytes(b"12345")
    (tmp_path / "link").symlink_to(own_home.root)
    (tmp_path / "link-above").symlink_to(own_home.root.parent)
    root = own_home.root
    paths = [f"{root}/../{root.name}", f"{tmp_path}/link", f"{tmp_path}/link-above", f"{root}/plugins/../.."]
    paths += [
        f"{tmp_path}/x/../elsewhere",
        f"{root}/plugins/../plugins/ledger",
        f"{tmp_path}/link/state.db",
        "a\0b",
    ]
    _naming(own_home, hermes, repr(paths))
    file = tmp_path / "all.hermes.age"
    assert hermes("backup", "create", "-o", str(file)).exit_code == 0
    with opened(file, own_home) as folder:
        outside = [one.relative_to(folder / "outside") for one in (folder / "outside").rglob("*") if one.is_file()]
        assert (folder / "plugins" / "ledger" / "__init__.py").exists()
    assert outside == [(elsewhere / "vectors.bin").relative_to("/")]
    restored = hermes("backup", "restore", str(file), "--yes")
    assert restored.exit_code == 0, restored.stderr


@pytest.mark.parametrize("told", ["None", "7", "[None]", "'/etc'", "{'a': 1}", "Path('/etc')"])
def test_what_is_no_list_of_paths_is_told_in_a_sentence(
    own_home: Home, hermes: Hermes, tmp_path: Path, told: str
) -> None:
    _naming(own_home, hermes, told)
    made = hermes("backup", "create", "-o", str(tmp_path / "all.hermes.age"))
    assert made.exit_code == 0
    assert "not in it: ledger does not say which files are its own" in made.stderr


def test_a_file_that_cannot_be_kept_is_left_out_and_told(own_home: Home, hermes: Hermes, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "broken.db").write_bytes(b"SQLite format 3\0 and nothing else")
    (elsewhere / "broken.db-wal").write_bytes(b"its log")
    (elsewhere / "good.txt").write_text("kept")
    _naming(own_home, hermes, repr([str(elsewhere), "/proc/self", "/dev/zero"]))
    file = tmp_path / "all.hermes.age"
    made = hermes("backup", "create", "-o", str(file))
    assert made.exit_code == 0, made.stderr
    for one in (elsewhere / "broken.db", "/proc/", "/dev/zero"):
        assert f"Of the external memory is not in it: {one}" in made.stderr
    with opened(file, own_home) as folder:
        outside = [one.name for one in (folder / "outside").rglob("*") if one.is_file()]
    assert outside == ["good.txt"]


def test_a_database_that_its_program_never_lets_go_of_is_left_out(
    own_home: Home, hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_file, "BUSY_SECONDS", 0.2)
    held = tmp_path / "held.db"
    with closing(sqlite3.connect(held, isolation_level=None)) as holder:
        holder.execute("CREATE TABLE lines (line)")
        holder.execute("BEGIN EXCLUSIVE")
        _naming(own_home, hermes, repr([str(held)]))
        made = hermes("backup", "create", "-o", str(tmp_path / "all.hermes.age"))
    assert made.exit_code == 0 and f"{held} cannot be copied" in made.stderr
