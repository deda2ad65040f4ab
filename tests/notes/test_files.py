"""Note files on a real disk: what is read, what is refused, what is laid beside."""

import os
import sys
from pathlib import Path

import pytest

from hermes_agent.notes.files import MOST_BYTES, NoteFile, Text, Unreadable, leave_link


@pytest.fixture
def file(tmp_path: Path) -> NoteFile:
    return NoteFile(tmp_path / "MEMORY.md", "MEMORY.md")


def test_a_missing_file_holds_nothing(file: NoteFile) -> None:
    assert file.read() == Text("", exists=False)


def test_line_ends_and_byte_order_marks_are_read_as_they_are(file: NoteFile) -> None:
    file.path.write_bytes("\ufeffa\r\nb\rc\n".encode())
    assert file.read() == Text("\ufeffa\r\nb\rc\n")


def test_what_is_no_utf_8_is_unreadable_and_not_empty(file: NoteFile) -> None:
    file.path.write_bytes(b"caf\xe9")
    assert file.read() == Unreadable("it is not valid UTF-8")


def test_a_pipe_is_not_waited_for(file: NoteFile) -> None:
    os.mkfifo(file.path)
    assert file.read() == Unreadable("it is not an ordinary file")


def test_a_folder_is_unreadable(file: NoteFile) -> None:
    file.path.mkdir()
    assert file.read() == Unreadable("it is not an ordinary file")


def test_a_huge_file_is_unreadable(file: NoteFile) -> None:
    with file.path.open("wb") as huge:
        huge.truncate(MOST_BYTES + 1)
    assert file.read() == Unreadable("it is larger than 8 MB")


def test_a_link_to_itself_is_unreadable(file: NoteFile) -> None:
    file.path.symlink_to(file.path.name)
    assert isinstance(file.read(), Unreadable)


def test_a_new_file_is_closed_to_others_and_an_old_one_keeps_its_mode(file: NoteFile) -> None:
    file.write("one")
    assert file.path.stat().st_mode & 0o777 == 0o600
    file.path.chmod(0o644)
    file.write("two")
    assert file.path.stat().st_mode & 0o777 == 0o644


def test_a_link_keeps_pointing_to_its_target(file: NoteFile, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.md"
    target.write_text("old")
    file.path.symlink_to(target)
    file.write("new")
    assert file.path.is_symlink()
    assert target.read_text() == "new"


def test_the_same_text_is_backed_up_once(file: NoteFile) -> None:
    first = file.back_up("precious")
    assert first.name.startswith("MEMORY.md.bak.") and first.name.removeprefix("MEMORY.md.bak.").isdecimal()
    assert file.back_up("precious") == first
    assert file.back_up("other") != first
    assert first.read_text() == "precious"


def test_conflicts_are_numbered(file: NoteFile) -> None:
    assert file.keep_conflict("a").name == "MEMORY.md.conflict.1"
    assert file.keep_conflict("b").name == "MEMORY.md.conflict.2"


def test_what_a_killed_write_left_is_swept_and_an_editors_file_is_not(file: NoteFile) -> None:
    left, swap = file.path.with_name(".MEMORY.md.a1b2c3d4"), file.path.with_name(".MEMORY.md.swp")
    for path in (left, swap):
        path.write_text("x")
    file.tidy_up()
    assert (left.exists(), swap.exists()) == (False, True)


def test_a_moved_file_leaves_a_link_that_survives_a_move_of_the_home(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "memories").mkdir(parents=True)
    (home / "memories" / "MEMORY.md").write_text("note")
    former = home / "MEMORY.md"
    former.write_text("note")
    leave_link(former, home / "memories" / "MEMORY.md")
    home.rename(tmp_path / "elsewhere")
    assert (tmp_path / "elsewhere" / "MEMORY.md").read_text() == "note"


def test_reading_needs_one_opening(file: NoteFile) -> None:
    file.write("one")
    assert openings(file, lambda: file.read()) == 1


_watched: dict[str, int] = {}


def _listen(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open" and str(arguments[0]) in _watched:
        _watched[str(arguments[0])] += 1


sys.addaudithook(_listen)


def openings(file: NoteFile, act: object) -> int:
    """Count how often the interpreter opens the file while something is done."""
    assert callable(act)
    _watched[str(file.path)] = 0
    act()
    return _watched.pop(str(file.path))
