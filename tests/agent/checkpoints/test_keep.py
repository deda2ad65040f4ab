"""A folder is kept before it is changed: once a turn, only so many, and a refusal is said."""

import os
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.agent import survey
from hermes_agent.agent.checkpoints import Checkpoints
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError
from tests.agent.checkpoints.snapshots import git, keep, reasons


def test_a_turn_keeps_each_folder_once(checkpoints: Checkpoints, work: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    turn = checkpoints.for_turn()
    for number in range(3):
        for folder in (work, other):
            assert turn.before_change(folder, f"change {number}") is None
            (folder / f"file{number}").write_text("x")
    assert reasons(checkpoints, work) == reasons(checkpoints, other) == ["change 0"]
    keep(checkpoints, work, "the next turn")
    assert reasons(checkpoints, work) == ["the next turn", "change 0"]


def test_an_unchanged_folder_gets_no_second_snapshot(checkpoints: Checkpoints, work: Path) -> None:
    (work / "file").write_text("same")
    keep(checkpoints, work, "first")
    keep(checkpoints, work, "second")
    assert reasons(checkpoints, work) == ["first"]


def test_snapshots_are_listed_newest_first_with_what_is_known_of_them(
    checkpoints: Checkpoints, work: Path
) -> None:
    start = clock.now()
    for number in range(3):
        (work / f"file{number}").write_text("x")
        keep(checkpoints, work, f"change {number}")
    found = checkpoints.list(work)
    assert [(one.number, one.reason, one.files) for one in found] == [
        (1, "change 2", 3),
        (2, "change 1", 2),
        (3, "change 0", 1),
    ]
    assert start <= found[2].at <= found[1].at <= found[0].at <= clock.now()
    [kept] = checkpoints.folders()
    assert (kept.path, kept.snapshots, kept.newest_at, kept.oldest_at) == (work, 3, found[0].at, found[2].at)


def test_only_so_many_snapshots_of_a_folder_are_kept(own_home: Home, work: Path, tmp_path: Path) -> None:
    few = Checkpoints(own_home, 3)
    (tmp_path / "other").mkdir()
    keep(few, tmp_path / "other", "elsewhere")
    for number in range(6):
        (work / "file").write_text(str(number))
        keep(few, work, f"change {number}")
    assert reasons(few, work) == ["change 5", "change 4", "change 3"]
    assert reasons(few, tmp_path / "other") == ["elsewhere"]


def test_a_secret_in_the_reason_is_not_kept(checkpoints: Checkpoints, work: Path) -> None:
    keep(checkpoints, work, "shell curl -u x:ghp_" + "a1B2" * 9 + "\nsecond line")
    assert reasons(checkpoints, work) == ["shell curl -u x:[redacted: GitHub token] second line"]


def test_a_diff_shows_what_changed_since(checkpoints: Checkpoints, work: Path) -> None:
    (work / "file").write_text("one\ntwo\n")
    keep(checkpoints, work)
    assert checkpoints.diff(work, 1) == ""
    (work / "file").write_text("one\nthree\n")
    (work / "new").write_text("new\n")
    lines = checkpoints.diff(work, 1).splitlines()
    assert {"-two", "+three", "+new"} <= set(lines)
    assert reasons(checkpoints, work) == ["a change"]


def test_a_diff_without_end_is_cut(checkpoints: Checkpoints, work: Path) -> None:
    keep(checkpoints, work)
    (work / "file").write_text("line\n" * 100_000)
    shown = checkpoints.diff(work, 1)
    assert len(shown) < 250_000
    assert shown.endswith(" more characters\n")


def test_disabled_checkpoints_say_so_once_and_keep_nothing(own_home: Home, work: Path) -> None:
    turn = Checkpoints(own_home, 50, is_enabled=False).for_turn()
    assert turn.before_change(work, "x") == (
        "No checkpoint was taken before this change. Checkpoints are switched off (checkpoints.enabled)."
    )
    assert turn.before_change(work, "x") is None
    assert not own_home.checkpoint_store.exists()


def test_a_machine_without_git_says_so(
    checkpoints: Checkpoints, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(checkpoints, work)
    monkeypatch.setenv("PATH", str(work))
    assert checkpoints.for_turn().before_change(work, "x") == (
        "No checkpoint was taken before this change. git is not installed."
    )
    with pytest.raises(HermesError, match="git is not installed"):
        checkpoints.list(work)


def test_a_folder_that_is_too_wide_is_refused(checkpoints: Checkpoints, tmp_path: Path) -> None:
    for folder in (Path("/"), tmp_path, tmp_path / "home"):
        sentence = checkpoints.for_turn().before_change(folder, "x")
        assert sentence is not None and "is too wide for a checkpoint" in sentence
    missing = checkpoints.for_turn().before_change(tmp_path / "missing", "x")
    assert missing is not None and missing.endswith("missing is not a folder.")


def test_a_folder_with_too_many_files_is_refused(checkpoints: Checkpoints, work: Path) -> None:
    for number in range(survey.MOST_FILES // 500 + 1):
        (work / str(number)).mkdir()
        for inner in range(500):
            os.mknod(work / str(number) / str(inner))
    sentence = checkpoints.for_turn().before_change(work, "x")
    assert sentence is not None and sentence.endswith("holds more than 50,000 files.")
    assert checkpoints.list(work) == []


def test_the_home_inside_a_folder_is_not_part_of_it(work: Path) -> None:
    home = Home(work / ".hermes", "default")
    checkpoints = Checkpoints(home, 50)
    (work / "file").write_text("x")
    keep(checkpoints, work)
    keep(checkpoints, work)
    assert [snapshot.files for snapshot in checkpoints.list(work)] == [1]


def test_a_folder_is_known_by_its_real_path(checkpoints: Checkpoints, work: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(work)
    keep(checkpoints, tmp_path / "link")
    assert len(checkpoints.list(work)) == len(checkpoints.list(tmp_path / "link")) == 1


def test_pruning_drops_what_is_old_and_gives_the_room_back(
    checkpoints: Checkpoints, work: Path, own_home: Home
) -> None:
    (work / "file").write_text(os.urandom(100_000).hex())
    keep(checkpoints, work, "old")
    assert checkpoints.prune().snapshots == 0
    assert reasons(checkpoints, work) == ["old"]
    pruned = checkpoints.prune(days=0)
    assert pruned.snapshots == 1
    assert pruned.freed_bytes > 50_000
    assert checkpoints.folders() == []
    (work / "file").write_text("new")
    keep(checkpoints, work, "new")
    (work / "file").write_text("newer")
    checkpoints.restore(work, 1)
    assert (work / "file").read_text() == "new"
    git("fsck", "--strict", folder=own_home.checkpoint_store)


def test_a_store_that_grew_too_large_loses_the_oldest(own_home: Home, work: Path) -> None:
    small = Checkpoints(own_home, 50, most_bytes=1_000_000)
    for number in range(8):
        (work / "file").write_bytes(os.urandom(300_000))
        keep(small, work, f"change {number}")
    left = reasons(small, work)
    assert left[0] == "change 7"
    assert 1 <= len(left) < 8
    assert small.prune().left_bytes <= 1_000_000
