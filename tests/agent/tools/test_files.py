"""The tools that read, write and edit files."""

import codecs
from pathlib import Path

import pytest

from hermes_agent.agent.toolbox import LONGEST_RESULT
from hermes_agent.agent.tools.files import EditFile, ReadFile, WriteFile
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.agent.tools.workspace import Workspace
from tests.agent.tools.calls import call, refusal
from tests.agent.tools.conftest import Notebook


@pytest.fixture
def read_file(workspace: Workspace, overflow: Overflow) -> ReadFile:
    return ReadFile(workspace, overflow)


@pytest.fixture
def write_file(workspace: Workspace, keeper: Notebook) -> WriteFile:
    return WriteFile(workspace, keeper)


@pytest.fixture
def edit_file(workspace: Workspace, keeper: Notebook) -> EditFile:
    return EditFile(workspace, keeper)


# Read.


def test_lines_come_with_their_numbers(read_file: ReadFile, folder: Path) -> None:
    (folder / "a.txt").write_text("one\ntwo\n\nfour")
    result = call(read_file, path="a.txt")
    assert result.text == "     1\tone\n     2\ttwo\n     3\t\n     4\tfour\n[End of the file: 4 lines.]"
    assert result.source_class == "tool"


def test_a_part_of_a_file_says_how_to_go_on(read_file: ReadFile, folder: Path) -> None:
    (folder / "a.txt").write_text("".join(f"line {number}\n" for number in range(1, 11)))
    assert call(read_file, path="a.txt", offset=3, limit=2).text == (
        "     3\tline 3\n     4\tline 4\n[Lines 3–4 of 10. Go on with offset=5.]"
    )
    assert call(read_file, path="a.txt", offset=9, limit=2).text.endswith("[End of the file: 10 lines.]")


def test_a_file_without_lines_to_show_says_so(read_file: ReadFile, folder: Path) -> None:
    (folder / "empty.txt").touch()
    (folder / "a.txt").write_text("one\n")
    assert call(read_file, path="empty.txt").text == "[empty.txt is empty.]"
    assert "has 1 line; there is no line 2" in call(read_file, path="a.txt", offset=2).text
    assert refusal(read_file, path="a.txt", offset=50) == "a.txt has 1 line. There is no line 50."


def test_reading_on_from_each_answer_gives_the_whole_file(read_file: ReadFile, folder: Path) -> None:
    lines = [f"{number} " + "x" * (number % 700) for number in range(1, 400)]
    (folder / "a.txt").write_text("\n".join(lines))
    seen: list[str] = []
    while len(seen) < len(lines):
        text = call(read_file, path="a.txt", offset=len(seen) + 1).text
        assert len(text) <= LONGEST_RESULT
        seen += [row.partition("\t")[2] for row in text.splitlines() if "\t" in row]
    assert seen == lines


def test_a_long_line_can_be_read_to_its_end(read_file: ReadFile, folder: Path) -> None:
    line = "".join(f"{number}," for number in range(30_000))
    (folder / "a.json").write_text(f"first\n{line}\nlast\n")
    shown = call(read_file, path="a.json").text
    assert len(shown) < 3_000
    assert "[… line 2 goes on: offset=2, limit=1, column=2001]" in shown
    seen = ""
    while len(seen) < len(line):
        row = call(read_file, path="a.json", offset=2, limit=1, column=len(seen) + 1).text.splitlines()[0]
        seen += row.partition("\t")[2].partition(" [… line 2 goes on")[0]
    assert seen == line


def test_a_huge_file_is_shown_without_being_held(read_file: ReadFile, folder: Path) -> None:
    with (folder / "huge.log").open("wb") as file:
        file.write(b"first\nsecond\n" + b"third\n" * 2_000)
        file.truncate(1 << 40)  # a terabyte that takes no room: what follows is one line without end
    shown = call(read_file, path="huge.log", limit=2).text
    assert shown == (
        "     1\tfirst\n     2\tsecond\n[Lines 1–2 of a file of 1,099,511,627,776 bytes. Go on with offset=3.]"
    )


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + "größe\r\nzwei".encode(),
        codecs.BOM_UTF16_LE + "größe\r\nzwei".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "größe\r\nzwei".encode("utf-16-be"),
        "größe\r\nzwei".encode(),
    ],
)
def test_marks_and_line_ends_are_not_shown(read_file: ReadFile, folder: Path, data: bytes) -> None:
    (folder / "a.txt").write_bytes(data)
    assert call(read_file, path="a.txt").text == "     1\tgröße\n     2\tzwei\n[End of the file: 2 lines.]"


def test_bytes_that_are_no_utf8_are_pointed_out(read_file: ReadFile, folder: Path) -> None:
    (folder / "a.txt").write_bytes("größe\n".encode("latin-1"))
    text = call(read_file, path="a.txt").text
    assert text.splitlines()[0] == "     1\tgr\ufffd\ufffde"
    assert text.endswith("[Bytes that are no UTF-8 are shown as \ufffd.]")


@pytest.mark.parametrize("data", [b"\x7fELF\0\0", codecs.BOM_UTF32_LE + b"a\0\0\0"])
def test_a_binary_file_is_not_shown(read_file: ReadFile, folder: Path, data: bytes) -> None:
    (folder / "a.bin").write_bytes(data)
    assert refusal(read_file, path="a.bin") == "a.bin is no text file. It cannot be shown."


def test_a_missing_file_and_a_folder_say_what_to_do(read_file: ReadFile, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "a.txt").touch()
    assert refusal(read_file, path="b.txt") == "b.txt is not there. `search_files` lists what is."
    assert refusal(read_file, path="sub").startswith("sub is a folder.")
    assert refusal(read_file, path=".").startswith(". is a folder.")
    assert refusal(read_file, path="a.txt/b").startswith("a.txt/b leads through a file.")


# Write.


def test_a_file_is_written_with_its_folders(write_file: WriteFile, folder: Path, keeper: Notebook) -> None:
    result = call(write_file, path="src/new/a.py", content="print('ä')\n")
    assert result.text == "Wrote src/new/a.py: 1 line, 12 bytes."
    assert (folder / "src/new/a.py").read_bytes() == "print('ä')\n".encode()
    assert keeper.told == [(folder, "write_file src/new/a.py")]


def test_what_the_checkpoint_says_is_passed_on(write_file: WriteFile, keeper: Notebook) -> None:
    keeper.sentence = "No checkpoint was taken: git is not installed."
    assert call(write_file, path="a.txt", content="").text.endswith(
        "\nNo checkpoint was taken: git is not installed."
    )


def test_a_refused_write_takes_no_checkpoint(write_file: WriteFile, keeper: Notebook, folder: Path) -> None:
    assert "outside" in refusal(write_file, path="../a.txt", content="x")
    assert "missing" in refusal(write_file, path="a.txt")
    assert keeper.told == []
    assert list(folder.iterdir()) == []


def test_a_folder_is_not_overwritten(write_file: WriteFile, folder: Path) -> None:
    (folder / "sub").mkdir()
    assert refusal(write_file, path="sub", content="x").startswith("sub is a folder.")
    assert refusal(write_file, path=".", content="x").startswith(". is a folder.")
    assert (folder / "sub").is_dir()


def test_writing_through_a_link_keeps_the_link(write_file: WriteFile, folder: Path) -> None:
    (folder / "a.txt").write_text("old")
    (folder / "link").symlink_to("a.txt")
    call(write_file, path="link", content="new")
    assert (folder / "link").is_symlink()
    assert (folder / "a.txt").read_text() == "new"


# Edit.


def test_a_piece_is_replaced(edit_file: EditFile, folder: Path, keeper: Notebook) -> None:
    (folder / "a.py").write_text("a = 1\nb = 2\n")
    assert call(edit_file, path="a.py", old_text="b = 2", new_text="b = 3").text == "Edited a.py at line 2."
    assert (folder / "a.py").read_text() == "a = 1\nb = 3\n"
    assert keeper.told == [(folder, "edit_file a.py")]


def test_a_piece_must_be_the_only_one(edit_file: EditFile, folder: Path, keeper: Notebook) -> None:
    (folder / "a.py").write_text("x\ny\nx\n\nx")
    assert refusal(edit_file, path="a.py", old_text="x", new_text="z") == (
        "old_text occurs 3 times, at lines 1, 3, 5. "
        "Add the lines around it until it occurs once, or set replace_all."
    )
    assert keeper.told == []
    assert call(edit_file, path="a.py", old_text="x", new_text="z", replace_all=True).text == (
        "Edited a.py at lines 1, 3, 5."
    )
    assert (folder / "a.py").read_text() == "z\ny\nz\n\nz"


def test_many_occurrences_are_not_all_listed(edit_file: EditFile, folder: Path) -> None:
    (folder / "a.txt").write_text("x\n" * 50)
    assert "occurs 50 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more." in refusal(
        edit_file, path="a.txt", old_text="x", new_text="y"
    )


@pytest.mark.parametrize(
    ("old_text", "hint"),
    [
        ("def f():\n  return 1", "At line 2 it differs only in spaces and indentation"),
        ("def f():\n    return 2", "Its first line stands at line 2"),
        ("def g():", "Read the file again"),
    ],
)
def test_a_piece_that_is_not_there_points_to_the_nearest(
    edit_file: EditFile, folder: Path, old_text: str, hint: str
) -> None:
    (folder / "a.py").write_text("import os\ndef f():\n    return 1\n")
    answer = refusal(edit_file, path="a.py", old_text=old_text, new_text="x")
    assert answer.startswith("old_text is not in the file.")
    assert hint in answer


def test_nothing_to_replace_is_refused(edit_file: EditFile, folder: Path) -> None:
    (folder / "a.txt").write_text("a")
    assert "old_text is empty" in refusal(edit_file, path="a.txt", old_text="", new_text="x")
    assert "the same" in refusal(edit_file, path="a.txt", old_text="a", new_text="a")


@pytest.mark.parametrize("old_text", ["two\nthree", "two\r\nthree"])
def test_line_ends_stay_as_they_are_in_the_file(edit_file: EditFile, folder: Path, old_text: str) -> None:
    (folder / "a.txt").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    call(edit_file, path="a.txt", old_text=old_text, new_text="2\n3")
    assert (folder / "a.txt").read_bytes() == b"one\r\n2\r\n3\r\n"


def test_mixed_line_ends_are_not_touched(edit_file: EditFile, folder: Path) -> None:
    (folder / "a.txt").write_bytes(b"one\r\ntwo\nthree")
    call(edit_file, path="a.txt", old_text="two", new_text="2\n2")
    assert (folder / "a.txt").read_bytes() == b"one\r\n2\n2\nthree"


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (b"", "utf-8"),
    ],
)
def test_the_coding_of_the_file_is_kept(edit_file: EditFile, folder: Path, mark: bytes, codec: str) -> None:
    (folder / "a.txt").write_bytes(mark + "größe = 1".encode(codec))
    call(edit_file, path="a.txt", old_text="größe", new_text="länge 🙂")
    assert (folder / "a.txt").read_bytes() == mark + "länge 🙂 = 1".encode(codec)


@pytest.mark.parametrize("data", ["größe".encode("latin-1"), b"a\0b"])
def test_what_is_no_text_is_not_edited(edit_file: EditFile, folder: Path, data: bytes) -> None:
    (folder / "a.txt").write_bytes(data)
    assert "neither UTF-8 nor UTF-16" in refusal(edit_file, path="a.txt", old_text="a", new_text="b")
    assert (folder / "a.txt").read_bytes() == data
