"""Plain archives of our own home: whatever its folder is called they are restored, and never taken over."""

import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.ops import home_archive
from tests.cli.test_import_archive import packed
from tests.conftest import Hermes
from tests.ops import foreign_homes


@pytest.fixture
def lived(hermes: Hermes, own_home: Home) -> Home:
    assert hermes("memory", "fact", "add", "Rex is afraid of trains").exit_code == 0
    hermes("skills", "list")
    link = own_home.root / "memory.db"
    if not link.is_symlink():
        link.symlink_to("state.db")
    return own_home


@pytest.mark.parametrize("above", ["homeA", "tmp/eyes/homeA", "./homeA"])
def test_the_folder_of_the_home_may_be_called_anything(
    hermes: Hermes, lived: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, above: str
) -> None:
    with tarfile.open(tmp_path / "plain.tgz", "w:gz") as tar:
        tar.add(lived.root, above)
    monkeypatch.setenv("HERMES_HOME", str(tmp_path / "second"))
    done = hermes("backup", "restore", str(tmp_path / "plain.tgz"))
    assert done.exit_code == 0, done
    assert "What was here" not in done.stdout and not list((tmp_path / "second" / "backups").iterdir())
    assert "Rex" in hermes("memory", "facts", "list").stdout


def _tar(root: Path, file: Path) -> None:
    with tarfile.open(file, "w" if file.suffix == ".tar" else "w:gz") as tar:
        tar.add(root, ".hermes")


def _zip(root: Path, file: Path) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for one in sorted(root.rglob("*")):
            if one.is_symlink():
                info = zipfile.ZipInfo(one.name)
                info.external_attr = 0o120777 << 16
                archive.writestr(info, str(one.readlink()))
            elif one.is_file():
                archive.write(one, str(one.relative_to(root)))


@pytest.mark.parametrize(("name", "pack"), [("h.tgz", _tar), ("h.tar", _tar), ("h.zip", _zip)])
def test_who_imports_it_is_told_to_restore_it(
    hermes: Hermes, lived: Home, tmp_path: Path, name: str, pack: Callable[[Path, Path], None]
) -> None:
    file = tmp_path / name
    pack(lived.root, file)
    done = hermes("import", str(file))
    assert done.exit_code == 2 and f"{file} is an archive of a home of this program" in done.stderr, done
    assert "hermes backup restore FILE" in done.stderr and ".importing-" not in done.stderr


def test_where_no_home_is_yet_it_is_unpacked_beside_its_place(own_home: Home, tmp_path: Path) -> None:
    foreign_homes.build(tmp_path / "theirs", 25)
    file = packed(tmp_path / "theirs", tmp_path / "b.zip")
    assert not own_home.root.exists()
    with home_archive.unpacked(file, "zip", own_home) as folder:
        assert folder.is_relative_to(own_home.root.parent) and not own_home.root.exists()
