"""A folder comes back as it was: names, bytes, modes, links; whole or one file of it."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_agent.agent.checkpoints import Checkpoints, Pruned
from hermes_agent.config.paths import Home
from hermes_agent.errors import NotFound, UsageError
from tests.agent.checkpoints.snapshots import keep, reasons, state
from tests.counts import count


def test_a_folder_comes_back_as_it_was(checkpoints: Checkpoints, work: Path) -> None:
    (work / "sub").mkdir()
    (work / "sub" / "text.txt").write_bytes(b"one\r\ntwo\nthree")
    (work / "bytes").write_bytes(bytes(range(256)) * 10)
    (work / "gone").write_text("gone")
    before = state(work)
    keep(checkpoints, work, "write_file sub/text.txt")
    (work / "sub" / "text.txt").write_text("changed")
    (work / "bytes").write_bytes(b"")
    (work / "gone").unlink()
    (work / "new").mkdir()
    (work / "new" / "file").write_text("new")
    restored = checkpoints.restore(work, 1)
    assert state(work) == before
    assert sorted(restored.written) == ["bytes", "gone", "sub/text.txt"]
    assert (restored.removed, restored.left) == (["new/file"], [])
    assert restored.to.reason == "write_file sub/text.txt"


def test_going_back_takes_a_snapshot_first_so_it_can_be_undone(checkpoints: Checkpoints, work: Path) -> None:
    (work / "file").write_text("old")
    keep(checkpoints, work)
    (work / "file").write_text("new")
    (work / "created").write_text("created")
    after = state(work)
    checkpoints.restore(work, 1)
    assert reasons(checkpoints, work) == ["before rollback", "a change"]
    checkpoints.restore(work, 1)
    assert state(work) == after


NAMES = [
    "-rf",
    "--",
    "a\nb",
    " lead",
    "trail ",
    ":(glob)x",
    "*",
    "[x]",
    "ü",
    "'q'",
    '"q"',
    "\\",
    "a\tb",
    "git~1",
    "%00",
]


@pytest.mark.parametrize("name", [*NAMES, os.fsdecode(b"\xff\xfe\x80")])
def test_any_file_name_works(checkpoints: Checkpoints, work: Path, name: str) -> None:
    (work / name).write_text("old")
    (work / "folder").mkdir()
    (work / "folder" / name).write_text("old")
    (work / f"{name}-empty").mkdir()
    before = state(work)
    keep(checkpoints, work)
    (work / name).write_text("new")
    (work / "folder" / name).unlink()
    (work / f"{name}-new").write_text("new")
    (work / f"{name}-empty").rmdir()
    checkpoints.restore(work, 1)
    assert state(work) == before
    (work / name).write_text("newer")
    assert checkpoints.restore(work, 2, name).written == [name]
    assert state(work) == before


def test_modes_come_back_exactly(checkpoints: Checkpoints, work: Path) -> None:
    for mode in (0o644, 0o755, 0o600, 0o400, 0o444, 0o640, 0o666, 0o700, 0o777, 0o751):
        (work / f"{mode:o}").write_text("content")
        (work / f"{mode:o}").chmod(mode)
    before = state(work)
    keep(checkpoints, work)
    for number, path in enumerate(sorted(work.iterdir())):
        path.chmod(0o604 if number % 2 else 0o711)
        if number % 3:
            path.write_text("changed")
    checkpoints.restore(work, 1)
    assert state(work) == before


def test_a_file_made_read_only_is_replaced(checkpoints: Checkpoints, work: Path) -> None:
    (work / "file").write_text("old")
    keep(checkpoints, work)
    (work / "file").write_text("new")
    (work / "file").chmod(0o400)
    checkpoints.restore(work, 1)
    assert state(work) == {"file": (0o644, b"old")}


def test_links_are_kept_as_links_and_never_followed(checkpoints: Checkpoints, work: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("theirs")
    (work / "file").write_text("ours")
    (work / "link").symlink_to("file")
    (work / "dangling").symlink_to("nowhere")
    (work / "away").symlink_to(outside)
    (work / "folder").mkdir()
    (work / "folder" / "file").write_text("ours")
    before = state(work)
    keep(checkpoints, work)
    (work / "link").unlink()
    (work / "link").write_text("no link")
    (work / "away").unlink()
    (work / "away").mkdir()
    (work / "away" / "file").write_text("new")
    shutil.rmtree(work / "folder")
    (work / "folder").symlink_to(outside)
    checkpoints.restore(work, 1)
    assert state(work) == before
    assert (outside / "file").read_text() == "theirs"


def test_a_link_in_place_of_a_folder_cannot_lead_a_single_file_out(
    checkpoints: Checkpoints, work: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (work / "folder").mkdir()
    (work / "folder" / "file").write_text("ours")
    keep(checkpoints, work)
    shutil.rmtree(work / "folder")
    (work / "folder").symlink_to(outside)
    restored = checkpoints.restore(work, 1, "folder/file")
    assert (restored.written, restored.left) == ([], ["folder/file (folder is no folder)"])
    assert list(outside.iterdir()) == []


def test_files_and_folders_that_changed_places_change_back(checkpoints: Checkpoints, work: Path) -> None:
    (work / "file").write_text("file")
    (work / "folder").mkdir()
    (work / "folder" / "inside").write_text("inside")
    before = state(work)
    keep(checkpoints, work)
    (work / "file").unlink()
    (work / "file").mkdir()
    (work / "file" / "inside").write_text("new")
    shutil.rmtree(work / "folder")
    (work / "folder").write_text("now a file")
    after = state(work)
    checkpoints.restore(work, 1)
    assert state(work) == before
    checkpoints.restore(work, 1)
    assert state(work) == after


def test_empty_folders_come_back_and_created_ones_go(checkpoints: Checkpoints, work: Path) -> None:
    (work / "empty" / "deep").mkdir(parents=True)
    (work / "empty" / "deep").chmod(0o700)
    before = state(work)
    keep(checkpoints, work)
    shutil.rmtree(work / "empty")
    (work / "created" / "deep").mkdir(parents=True)
    (work / "filled").mkdir()
    (work / "filled" / "file").write_text("x")
    checkpoints.restore(work, 1)
    assert state(work) == before


def test_an_empty_folder_can_be_kept(checkpoints: Checkpoints, work: Path) -> None:
    keep(checkpoints, work)
    (work / "file").write_text("created")
    assert checkpoints.restore(work, 1).removed == ["file"]
    assert state(work) == {}


def test_one_file_comes_back_alone(checkpoints: Checkpoints, work: Path) -> None:
    for name in ("one", "two"):
        (work / name).write_text("old")
    keep(checkpoints, work)
    for name in ("one", "two", "three"):
        (work / name).write_text("new")
    assert checkpoints.restore(work, 1, "one").written == ["one"]
    assert {name: (work / name).read_text() for name in ("one", "two", "three")} == {
        "one": "old",
        "two": "new",
        "three": "new",
    }
    assert checkpoints.restore(work, 2, str(work / "two")).written == ["two"]


def test_a_folder_inside_comes_back_alone(checkpoints: Checkpoints, work: Path) -> None:
    for name in ("a", "ab"):
        (work / name).mkdir()
        (work / name / "file").write_text("old")
    keep(checkpoints, work)
    for name in ("a", "ab"):
        (work / name / "file").write_text("new")
    assert checkpoints.restore(work, 1, "a").written == ["a/file"]


@pytest.mark.parametrize("file", ["..", "../outside", "sub/../../outside", "/etc/passwd", ".", "", "a\0b"])
def test_a_path_that_leads_out_is_refused(checkpoints: Checkpoints, work: Path, file: str) -> None:
    (work / "file").write_text("x")
    keep(checkpoints, work)
    with pytest.raises(UsageError, match="is not a file in"):
        checkpoints.restore(work, 1, file)
    assert reasons(checkpoints, work) == ["a change"]


@pytest.mark.parametrize("file", ["nothing", "--help", "HEAD", "details", "files", "*"])
def test_a_file_the_snapshot_does_not_have_is_not_found(checkpoints: Checkpoints, work: Path, file: str) -> None:
    (work / "file").write_text("x")
    keep(checkpoints, work)
    with pytest.raises(NotFound, match="has no file"):
        checkpoints.restore(work, 1, file)


@pytest.mark.parametrize("number", [0, -1, 2, 10**9])
def test_a_number_that_is_not_listed_is_refused(checkpoints: Checkpoints, work: Path, number: int) -> None:
    (work / "file").write_text("x")
    keep(checkpoints, work)
    for attempt in (checkpoints.restore, checkpoints.diff):
        with pytest.raises(NotFound, match=f"There is no checkpoint {number}"):
            attempt(work, number)


def test_a_folder_without_snapshots_says_so(checkpoints: Checkpoints, work: Path) -> None:
    assert checkpoints.list(work) == []
    assert checkpoints.folders() == []
    assert checkpoints.prune() == Pruned(0, 0, 0)
    with pytest.raises(NotFound, match="There is no checkpoint 1"):
        checkpoints.restore(work, 1)


TREES = st.dictionaries(
    st.sampled_from(["a", "b", "c/d", "c/e", "c/f/g", "h i", "j\nk"]),
    st.one_of(
        st.tuples(st.sampled_from([0o644, 0o755, 0o600, 0o444]), st.binary(max_size=20)),
        st.sampled_from(["a", "c", "nowhere", "/etc/passwd"]),
        st.none(),
    ),
)
Tree = dict[str, tuple[int, bytes] | str | None]


def lay_out(folder: Path, tree: Tree) -> None:
    """Make the folder hold exactly these files, links and empty folders."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in tree.items():
        path = folder / name
        if content is None:
            path.mkdir(parents=True, exist_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.symlink_to(content)
        else:
            path.write_bytes(content[1])
            path.chmod(content[0])


@settings(max_examples=count(25, 300))
@given(TREES, TREES)
def test_any_folder_comes_back_from_any_other(own_home: Home, work: Path, old: Tree, new: Tree) -> None:
    checkpoints = Checkpoints(own_home, 50)
    lay_out(work, old)
    before = state(work)
    keep(checkpoints, work)
    lay_out(work, new)
    after = state(work)
    assert checkpoints.restore(work, 1).left == []
    assert state(work) == before
    if before != after:
        checkpoints.restore(work, 1)
        assert state(work) == after
