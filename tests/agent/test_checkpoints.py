"""A folder is kept before it is changed, and comes back as it was: names, bytes, modes, links."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_agent import clock
from hermes_agent.agent import survey
from hermes_agent.agent.checkpoints import Checkpoints, Pruned
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError, NotFound, UsageError
from tests.counts import count
from tests.proof.processes import ROOT, environment, seeded, spin

State = dict[str, tuple[int, bytes | str | None]]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def checkpoints(own_home: Home) -> Checkpoints:
    return Checkpoints(own_home, 50)


def state(folder: Path) -> State:
    """Return everything in a folder but repositories: modes, bytes, and where links lead."""
    found: State = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if ".git" in path.relative_to(folder).parts:
            continue
        mode = stat.S_IMODE(path.lstat().st_mode)
        if path.is_symlink():
            found[name] = (0, str(path.readlink()))
        else:
            found[name] = (mode, path.read_bytes() if path.is_file() else None)
    return found


def keep(checkpoints: Checkpoints, folder: Path, reason: str = "a change") -> None:
    assert checkpoints.for_turn().before_change(folder, reason) is None


def reasons(checkpoints: Checkpoints, folder: Path) -> list[str]:
    return [snapshot.reason for snapshot in checkpoints.list(folder)]


def git(*arguments: str, folder: Path) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


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


def test_what_is_excluded_is_neither_kept_nor_touched(checkpoints: Checkpoints, work: Path) -> None:
    excluded = [
        ".env",
        ".env.local",
        "node_modules/x.js",
        ".venv/bin/python",
        "film.mp4",
        "all.tar.gz",
        "server.pem",
    ]
    for name in [*excluded, "file", ".env.example"]:
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text("old")
    keep(checkpoints, work)
    assert checkpoints.list(work)[0].files == 2
    for name in excluded:
        (work / name).write_text("new")
    (work / "later.zip").write_text("new")
    assert checkpoints.diff(work, 1) == ""
    restored = checkpoints.restore(work, 1)
    assert (restored.written, restored.removed) == ([], [])
    assert {(work / name).read_text() for name in [*excluded, "later.zip"]} == {"new"}


def test_ignored_files_are_left_alone_also_when_the_rules_changed(checkpoints: Checkpoints, work: Path) -> None:
    (work / ".gitignore").write_text("*.log\n/build/\n")
    (work / "a.log").write_text("old")
    (work / "file").write_text("old")
    keep(checkpoints, work)
    (work / ".gitignore").write_text("file\n")
    (work / "a.log").write_text("new")
    (work / "file").write_text("new")
    restored = checkpoints.restore(work, 1)
    # At that time *.log was ignored; now `file` is, so what it holds could not be kept first.
    assert restored.written == [".gitignore"]
    assert restored.left == ["file (it is not in the checkpoint taken before this rollback)"]
    assert ((work / "a.log").read_text(), (work / "file").read_text()) == ("new", "new")


def test_a_large_file_is_left_out_and_left_alone(checkpoints: Checkpoints, work: Path) -> None:
    large = b"x" * (survey.LARGEST_FILE_BYTES + 1)
    (work / "was large").write_bytes(large)
    (work / "gets large").write_text("small")
    (work / "file").write_text("old")
    keep(checkpoints, work)
    assert checkpoints.list(work)[0].files == 2
    (work / "was large").write_text("small now")
    (work / "gets large").write_bytes(large)
    (work / "file").write_text("new")
    restored = checkpoints.restore(work, 1)
    assert restored.written == ["file"]
    assert restored.removed == []
    assert restored.left == ["gets large (it is not in the checkpoint taken before this rollback)"]
    assert (work / "was large").read_text() == "small now"
    assert (work / "gets large").read_bytes() == large


def test_special_files_are_passed_over(checkpoints: Checkpoints, work: Path) -> None:
    os.mkfifo(work / "pipe")
    (work / "file").write_text("old")
    keep(checkpoints, work)
    assert checkpoints.list(work)[0].files == 1
    checkpoints.restore(work, 1)
    assert (work / "pipe").exists()


def test_the_projects_own_repository_is_not_touched(checkpoints: Checkpoints, work: Path) -> None:
    git("init", "-q", folder=work)
    (work / "file").write_text("old")
    git("add", "file", folder=work)
    repository = {path: path.read_bytes() for path in (work / ".git").rglob("*") if path.is_file()}
    keep(checkpoints, work)
    (work / "file").write_text("new")
    checkpoints.diff(work, 1)
    checkpoints.restore(work, 1)
    assert {path: path.read_bytes() for path in (work / ".git").rglob("*") if path.is_file()} == repository
    assert (work / "file").read_text() == "old"


def test_repositories_inside_are_kept_as_folders(checkpoints: Checkpoints, work: Path) -> None:
    for name in ("inner", "inner/deeper"):
        git("init", "-q", name, folder=work)
        (work / name / "file").write_text("old")
        (work / name / ".gitignore").write_text("ignored\n")
        (work / name / "ignored").write_text("ignored")
    before = state(work)
    keep(checkpoints, work)
    assert checkpoints.list(work)[0].files == 4
    (work / "inner" / "file").unlink()
    (work / "inner" / "deeper" / "file").write_text("new")
    (work / "inner" / "deeper" / "new").write_text("new")
    checkpoints.restore(work, 1)
    assert state(work) == before


def test_attributes_of_the_project_change_no_byte(checkpoints: Checkpoints, work: Path) -> None:
    (work / ".gitattributes").write_text(
        "* text=auto eol=crlf ident\n*.txt filter=broken working-tree-encoding=UTF-16\n*.lf text eol=lf\n"
    )
    for name in ("a.txt", "b.lf", "c"):
        (work / name).write_bytes(b"$Id$ one\r\ntwo\nthree\r\n")
    before = state(work)
    keep(checkpoints, work)
    for name in ("a.txt", "b.lf", "c"):
        (work / name).write_text("changed")
    checkpoints.restore(work, 1)
    assert state(work) == before


def test_the_owners_git_has_no_say(
    checkpoints: Checkpoints, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = tmp_path / "hooks" / "reference-transaction"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    (tmp_path / "home" / ".gitconfig").write_text(
        "[commit]\n gpgsign = true\n[gpg]\n program = /bin/false\n[init]\n defaultObjectFormat = sha256\n"
        f"[core]\n autocrlf = true\n excludesFile = {tmp_path}/all\n hooksPath = {hook.parent}\n"
    )
    (tmp_path / "all").write_text("*\n")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    (work / "file").write_bytes(b"a\r\nb\n")
    keep(checkpoints, work)
    (work / "file").write_text("new")
    assert checkpoints.restore(work, 1).written == ["file"]
    assert (work / "file").read_bytes() == b"a\r\nb\n"
    assert not (tmp_path / "elsewhere").exists()


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


def test_what_a_killed_git_left_locked_stops_nothing(own_home: Home, work: Path) -> None:
    few = Checkpoints(own_home, 2)
    for number in range(3):
        (work / "file").write_text(str(number))
        keep(few, work, f"change {number}")
    few.prune()
    index = next(own_home.checkpoint_index("x").parent.iterdir())
    for lock in ("packed-refs.lock", "HEAD.lock", "config.lock"):
        (own_home.checkpoint_store / lock).touch()
    index.with_name(f"{index.name}.lock").touch()
    for number in range(3, 6):
        (work / "file").write_text(str(number))
        keep(few, work, f"change {number}")
    few.prune()
    assert reasons(few, work) == ["change 5", "change 4"]


def test_a_damaged_index_is_made_anew(checkpoints: Checkpoints, own_home: Home, work: Path) -> None:
    (work / "file").write_text("old")
    keep(checkpoints, work, "first")
    for index in own_home.checkpoint_index("x").parent.iterdir():
        index.write_bytes(b"DIRC garbage")
    (work / "file").write_text("new")
    keep(checkpoints, work, "second")
    assert reasons(checkpoints, work) == ["second", "first"]


KEEPER = """
import sys
from pathlib import Path
from hermes_agent.agent.checkpoints import Checkpoints, Pruned
from hermes_agent.config.paths import active_home
checkpoints, folder = Checkpoints(active_home(), 1000), Path(sys.argv[1])
for number in range(int(sys.argv[2])):
    for name in range(20):
        (folder / f"{sys.argv[3]}{name}").write_text(f"{sys.argv[3]} {number} {name}")
    said = checkpoints.keep(folder, f"{sys.argv[3]} {number}")
    sys.stdout.write(f"{number} {said or 'kept'}\\n")
    sys.stdout.flush()
"""


def keeper(folder: Path, times: int, name: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", KEEPER, str(folder), str(times), name],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment(),
    )


def test_a_process_killed_while_keeping_leaves_whole_snapshots_and_the_next_one_works(
    own_home: Home, work: Path
) -> None:
    checkpoints = Checkpoints(own_home, 1_000)
    chance = seeded("checkpoints")
    told: list[str] = []
    for attempt in range(count(5, 40)):
        process = keeper(work, 1_000, f"run{attempt}")
        assert process.stdout is not None
        for line in process.stdout:
            told.append(f"run{attempt} {line.split()[0]}")
            assert line.endswith(" kept\n")
            if chance.random() < 0.3:
                break
        spin(chance.uniform(0, 0.06))
        process.kill()
        process.communicate()
        (work / "file").write_text(str(attempt))
        keep(checkpoints, work, f"after {attempt}")
        told.append(f"after {attempt}")
    assert set(told) <= set(reasons(checkpoints, work))
    git("fsck", "--strict", folder=own_home.checkpoint_store)
    before = state(work)
    for snapshot in checkpoints.list(work):
        git("ls-tree", "-r", snapshot.hash, folder=own_home.checkpoint_store)
    shutil.rmtree(work)
    work.mkdir()
    checkpoints.restore(work, 1)
    assert state(work) == before


def test_two_processes_at_once_lose_nothing(own_home: Home, work: Path) -> None:
    checkpoints = Checkpoints(own_home, 1_000)
    times = count(8, 40)
    running = [keeper(work, times, name) for name in ("a", "b")]
    for process in running:
        printed, _ = process.communicate()
        assert printed == "".join(f"{number} kept\n" for number in range(times))
    found = reasons(checkpoints, work)
    # A state that another process has kept just before needs no snapshot of its own.
    assert set(found) <= {f"{name} {number}" for name in "ab" for number in range(times)}
    assert len(found) > times
    git("fsck", "--strict", folder=own_home.checkpoint_store)


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
