"""Files below a folder are written and removed where they are, whatever links are in the way."""

from pathlib import Path

import pytest

from hermes_agent.errors import SettingError
from hermes_agent.skills import writing


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    place = tmp_path / "outside"
    (place / "deep").mkdir(parents=True)
    for name in ("run.sh", "deep/run.sh"):
        (place / name).write_text("MINE")
    return place


@pytest.fixture
def folder(tmp_path: Path, outside: Path) -> Path:
    place = tmp_path / "skill"
    (place / "real").mkdir(parents=True)
    (place / "scripts").symlink_to(outside)
    (place / "real" / "link").symlink_to(outside)
    (place / "file").symlink_to(outside / "run.sh")
    return place


@pytest.mark.parametrize("name", ["scripts/run.sh", "scripts/deep/run.sh", "real/link/run.sh", "file"])
def test_nothing_behind_a_link_is_written_or_removed(folder: Path, outside: Path, name: str) -> None:
    writing.remove(folder, name)
    assert (outside / "run.sh").read_text() == (outside / "deep" / "run.sh").read_text() == "MINE"
    writing.write(folder, name, "OURS")
    assert (folder / name).read_text() == "OURS"
    assert (folder / name).resolve() == folder.resolve() / name
    assert (outside / "run.sh").read_text() == (outside / "deep" / "run.sh").read_text() == "MINE"
    writing.remove(folder, name)
    assert not (folder / name).exists()


def test_what_a_kill_left_of_a_file_goes(folder: Path) -> None:
    for _ in range(2):
        (folder / ".hermes-fresh").write_text("ha")
        writing.write(folder, "a.md", "whole")
        assert (folder / "a.md").read_text() == "whole" and not (folder / ".hermes-fresh").exists()


def test_half_a_character_is_one_clear_error(folder: Path) -> None:
    with pytest.raises(SettingError, match="Half a character"):
        writing.write(folder, "a.md", "\ud800")


def test_folders_that_are_empty_go_with_their_last_file(folder: Path) -> None:
    for name in ("a/b/c.md", "a/d.md"):
        writing.write(folder, name, "text")
    writing.remove(folder, "a/b/c.md")
    assert not (folder / "a" / "b").exists() and (folder / "a" / "d.md").exists()
    writing.remove(folder, "a/d.md")
    assert not (folder / "a").exists() and folder.exists()
