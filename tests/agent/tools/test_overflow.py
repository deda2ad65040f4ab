"""Outputs that are too long to show."""

import re
from pathlib import Path

from hermes_agent.agent.toolbox import LONGEST_RESULT
from hermes_agent.agent.tools.files import ReadFile
from hermes_agent.agent.tools.overflow import KEPT_FILES, Overflow
from hermes_agent.agent.tools.workspace import Workspace
from hermes_agent.config.paths import Home
from tests.agent.tools.calls import call

LONG = "".join(f"line {number}\n" for number in range(10_000))


def test_a_short_text_stays_as_it_is(overflow: Overflow, home: Home) -> None:
    assert overflow.shorten("x" * LONGEST_RESULT) == "x" * LONGEST_RESULT
    assert not home.outputs.exists()


def test_the_pointer_leads_to_what_was_left_out(overflow: Overflow, workspace: Workspace) -> None:
    short = overflow.shorten(LONG)
    assert LONGEST_RESULT < len(short) < LONGEST_RESULT + 500
    assert short.startswith("line 0\n")
    assert short.endswith("line 9999\n")
    pointer = re.search(r'read_file\(path="([^"]+)", offset=(\d+)\)', short)
    assert pointer is not None
    rest = call(ReadFile(workspace, overflow), path=pointer.group(1), offset=int(pointer.group(2)), limit=1)
    first_shown = int(pointer.group(2))
    assert rest.text.startswith(f"{first_shown:>6}\tline {first_shown - 1}\n")
    assert Path(pointer.group(1)).read_text() == LONG
    assert Path(pointer.group(1)).stat().st_mode & 0o077 == 0


def test_words_of_the_web_stay_words_of_the_web(overflow: Overflow, workspace: Workspace, folder: Path) -> None:
    pointer = re.search(r'path="([^"]+)"', overflow.shorten(LONG, "web"))
    assert pointer is not None
    assert call(ReadFile(workspace, overflow), path=pointer.group(1)).source_class == "web"
    (folder / "web-page.txt").write_text("ours")
    assert call(ReadFile(workspace, overflow), path="web-page.txt").source_class == "tool"


def test_a_home_behind_a_link_makes_no_difference(home: Home, folder: Path) -> None:
    alias = folder.parent / "alias"
    alias.symlink_to(home.root)
    overflow = Overflow(alias / "cache" / "outputs")
    workspace = Workspace(folder, (), alias, alias / "cache" / "outputs")
    pointer = re.search(r'path="([^"]+)"', overflow.shorten(LONG, "web"))
    assert pointer is not None
    assert call(ReadFile(workspace, overflow), path=pointer.group(1)).source_class == "web"


def test_secrets_are_neither_kept_nor_shown(overflow: Overflow, home: Home) -> None:
    key = "ghp_" + "aB3dE6gH9j" * 4
    short = overflow.shorten(f"token {key[:40]}\n{LONG}")
    (kept,) = home.outputs.iterdir()
    assert key[:40] not in short
    assert key[:40] not in kept.read_text()


def test_only_the_latest_are_kept(overflow: Overflow, home: Home) -> None:
    for number in range(KEPT_FILES + 5):
        overflow.shorten(f"{number}\n" + LONG, "web" if number % 2 else "tool")
    kept = {int(file.read_text().partition("\n")[0]) for file in home.outputs.iterdir()}
    assert len(kept) == KEPT_FILES
    assert KEPT_FILES + 4 in kept


def test_without_a_folder_nothing_is_kept(home: Home) -> None:
    short = Overflow(None).shorten(LONG)
    assert "The rest was not kept; ask for less." in short
    assert not home.outputs.exists()


def test_a_folder_that_cannot_be_written_costs_only_the_rest(home: Home) -> None:
    home.outputs.write_text("in the way")
    assert "The rest was not kept" in Overflow(home.outputs).shorten(LONG)
