"""Where the file tools may go."""

import os
from pathlib import Path

import pytest

from hermes_agent.agent.tools.workspace import Place, Workspace
from hermes_agent.config.paths import Home
from hermes_agent.errors import ToolError

HOME_HINT = "belongs to the agent's own home"


def read(workspace: Workspace, path: str) -> bytes:
    with workspace.open(workspace.to_read(path)) as file:
        return file.read()


@pytest.mark.parametrize("path", ["a.txt", "./a.txt", "sub/../a.txt", "sub/./../a.txt", "link.txt"])
def test_every_way_to_a_file_inside_leads_there(workspace: Workspace, folder: Path, path: str) -> None:
    (folder / "sub").mkdir()
    (folder / "a.txt").write_text("A")
    (folder / "link.txt").symlink_to("a.txt")
    assert read(workspace, path) == b"A"
    assert workspace.to_read(path).shown == "a.txt"


def test_an_absolute_path_inside_is_fine(workspace: Workspace, folder: Path) -> None:
    (folder / "a.txt").write_text("A")
    assert read(workspace, str(folder / "a.txt")) == b"A"


@pytest.mark.parametrize(
    "path", ["../out.txt", "sub/../../out.txt", "out", "out/../out.txt", "~/x", "/etc/passwd", "/"]
)
def test_outside_is_refused_with_the_way_to_allow_it(workspace: Workspace, folder: Path, path: str) -> None:
    outside = folder.parent / "out.txt"
    outside.write_text("secret")
    (folder / "out").symlink_to(outside)
    (folder / "sub").mkdir()
    for check in (workspace.to_read, workspace.to_write):
        with pytest.raises(ToolError) as refused:
            check(path)
        assert "outside the working folder" in refused.value.message
        assert "tools.folders" in (refused.value.hint or "")


def test_an_allowed_folder_is_open_too(folder: Path, home: Home) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "b.txt").write_text("B")
    workspace = Workspace(folder, [other], home.root)
    assert read(workspace, "../other/b.txt") == b"B"
    assert workspace.to_read("../other/b.txt").shown == str(other / "b.txt")


@pytest.mark.parametrize(
    "name", [".env", "state.db", "config.yaml", "SOUL.md", "profiles/work/.env", "new.txt", ""]
)
def test_the_home_is_closed_even_inside_the_working_folder(home: Home, name: str) -> None:
    workspace = Workspace(home.root.parent, [home.root], home.root, home.outputs)
    for check in (workspace.to_read, workspace.to_write):
        with pytest.raises(ToolError) as refused:
            check(str(home.root / name))
        assert HOME_HINT in refused.value.message
        assert "`memory`" in (refused.value.hint or "")


def test_a_link_into_the_home_is_closed(workspace: Workspace, folder: Path, home: Home) -> None:
    (folder / "notes").symlink_to(home.root)
    with pytest.raises(ToolError, match=HOME_HINT):
        workspace.to_read("notes/.env")


def test_the_home_is_known_by_what_it_is_and_not_only_by_its_name(folder: Path, home: Home) -> None:
    # Where case does not count, another spelling leads into the home; a checked place stands for that here.
    workspace = Workspace(home.root.parent, (), home.root)
    with pytest.raises(ToolError, match=HOME_HINT):
        workspace.open(Place(home.root.parent, (home.root.name, ".env"), "x"))
    with pytest.raises(ToolError, match=HOME_HINT):
        workspace.write(Place(home.root.parent, (home.root.name, ".env"), "x"), b"")


def test_kept_outputs_may_be_read_but_not_written(workspace: Workspace, home: Home) -> None:
    home.outputs.mkdir()
    kept = home.outputs / "tool-1.txt"
    kept.write_text("long")
    assert read(workspace, str(kept)) == b"long"
    with pytest.raises(ToolError, match=HOME_HINT):
        workspace.to_write(str(kept))
    with pytest.raises(ToolError, match=HOME_HINT):
        workspace.to_read(str(home.outputs / ".." / ".." / ".env"))


def test_a_store_elsewhere_can_be_closed(folder: Path, home: Home) -> None:
    store = folder / "memory.db"
    store.write_bytes(b"SQLite")
    workspace = Workspace(folder, (), home.root, closed=[store])
    with pytest.raises(ToolError, match=HOME_HINT):
        workspace.to_write("memory.db")


@pytest.mark.parametrize("path", ["/proc/self/environ", "/dev/zero", "/sys/kernel/notes", "/dev/stdin"])
def test_files_that_are_none_are_refused_even_when_everything_is_allowed(home: Home, path: str) -> None:
    workspace = Workspace(Path("/"), (), home.root)
    with pytest.raises(ToolError, match="no ordinary file|outside"):
        workspace.to_read(path)


def test_a_pipe_is_refused_without_waiting_for_it(workspace: Workspace, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    with pytest.raises(ToolError, match="no ordinary file"):
        workspace.open(workspace.to_read("pipe"))
    with pytest.raises(ToolError, match="no ordinary file"):
        workspace.write(workspace.to_write("pipe"), b"x")


@pytest.mark.parametrize("path", ["", "  ", "a\0b", "x" * 5_000, "~nobody-of-that-name/x"])
def test_what_is_no_path_is_refused(workspace: Workspace, path: str) -> None:
    with pytest.raises(ToolError, match="no path"):
        workspace.to_read(path)


def test_a_circle_of_links_leads_nowhere(workspace: Workspace, folder: Path) -> None:
    (folder / "one").symlink_to("two")
    (folder / "two").symlink_to("one")
    with pytest.raises(ToolError):
        workspace.open(workspace.to_read("one"))


def test_a_link_put_there_after_the_check_is_not_followed(workspace: Workspace, folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("secret")
    (folder / "sub").mkdir()
    (folder / "sub" / "a.txt").write_text("A")
    place = workspace.to_write("sub/a.txt")
    (folder / "sub" / "a.txt").unlink()
    (folder / "sub").rmdir()
    (folder / "sub").symlink_to(outside)
    with pytest.raises(ToolError):
        workspace.open(place)
    with pytest.raises(ToolError):
        workspace.write(place, b"changed")
    assert (outside / "a.txt").read_text() == "secret"


def test_a_file_that_becomes_a_link_after_the_check_is_not_followed(workspace: Workspace, folder: Path) -> None:
    outside = folder.parent / "outside.txt"
    outside.write_text("secret")
    (folder / "a.txt").write_text("A")
    place = workspace.to_write("a.txt")
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to(outside)
    with pytest.raises(ToolError):
        workspace.open(place)
    with pytest.raises(ToolError):
        workspace.write(place, b"changed")
    assert outside.read_text() == "secret"


def test_writing_keeps_the_mode_and_leaves_nothing_beside(workspace: Workspace, folder: Path) -> None:
    (folder / "run.sh").write_text("old")
    (folder / "run.sh").chmod(0o751)
    workspace.write(workspace.to_write("run.sh"), b"new")
    assert (folder / "run.sh").read_text() == "new"
    assert (folder / "run.sh").stat().st_mode & 0o777 == 0o751
    assert [file.name for file in folder.iterdir()] == ["run.sh"]


def test_a_new_file_has_the_mode_that_the_umask_gives(workspace: Workspace, folder: Path) -> None:
    workspace.write(workspace.to_write("deep/er/new.txt"), b"new")
    plain = folder / "plain.txt"
    plain.touch()
    assert (folder / "deep/er/new.txt").stat().st_mode == plain.stat().st_mode


def test_a_second_name_of_a_file_outside_keeps_its_text(workspace: Workspace, folder: Path) -> None:
    outside = folder.parent / "outside.txt"
    outside.write_text("theirs")
    os.link(outside, folder / "same.txt")
    workspace.write(workspace.to_write("same.txt"), b"ours")
    assert outside.read_text() == "theirs"


def test_a_read_only_file_stays_as_it_is(workspace: Workspace, folder: Path) -> None:
    (folder / "a.txt").write_text("A")
    (folder / "a.txt").chmod(0o444)
    with pytest.raises(ToolError, match="read-only"):
        workspace.write(workspace.to_write("a.txt"), b"B")
    assert (folder / "a.txt").read_text() == "A"


@pytest.mark.parametrize(
    "path", [".git/config", ".git/hooks/pre-commit", ".GIT/x", "sub/.git/config", "link/config"]
)
def test_what_git_obeys_is_not_written(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "work"
    (folder / ".git").mkdir(parents=True)
    (folder / "link").symlink_to(folder / ".git")
    workspace = Workspace(folder, [], tmp_path / "home")
    with pytest.raises(ToolError, match="belongs to git"):
        workspace.to_write(path)
    assert workspace.to_read(".git/config").shown
