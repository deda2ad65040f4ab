"""The files of an external memory are in the backups of its home."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.ops.backups import keys, opening
from hermes_agent.ops.steps import finish
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
