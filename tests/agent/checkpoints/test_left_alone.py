"""What checkpoints leave alone: excluded, ignored, large and special files, and every repository but their own."""

import os
from pathlib import Path

import pytest

from hermes_agent.agent import survey
from hermes_agent.agent.checkpoints import Checkpoints
from tests.agent.checkpoints.snapshots import git, keep, state


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
