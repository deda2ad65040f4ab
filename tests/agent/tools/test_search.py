"""The tool that looks through files."""

import os
from pathlib import Path

import pytest

from hermes_agent.agent.toolbox import LONGEST_RESULT
from hermes_agent.agent.tools.search import SearchFiles
from hermes_agent.agent.tools.workspace import Workspace
from hermes_agent.config.paths import Home
from tests.agent.tools.calls import call, refusal


@pytest.fixture
def search_files(workspace: Workspace) -> SearchFiles:
    return SearchFiles(workspace)


@pytest.fixture
def project(folder: Path) -> Path:
    files = {
        "README.md": "# Title\nTODO: write\n",
        "src/main.py": "import os\n\ndef main():\n    pass  # TODO\n",
        "src/deep/util.py": "def helper():\n    return 1\r\n",
        ".git/config": "TODO",
        "node_modules/x/index.js": "TODO",
        ".venv/lib/x.py": "TODO",
        "data.bin": "TODO\0\0",
        ".hidden": "TODO",
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


def test_matching_lines_are_shown_with_their_places(search_files: SearchFiles, project: Path) -> None:
    assert call(search_files, pattern="TODO").text.splitlines() == [
        ".hidden:1: TODO",
        "README.md:2: TODO: write",
        "src/main.py:4: pass  # TODO",
    ]


def test_a_search_can_be_narrowed(search_files: SearchFiles, project: Path) -> None:
    assert call(search_files, pattern="def ", glob="*.py").text == (
        "src/main.py:3: def main():\nsrc/deep/util.py:1: def helper():"
    )
    assert call(search_files, pattern="def ", path="src/deep").text == "src/deep/util.py:1: def helper():"
    assert (
        call(search_files, pattern="def ", path="src", glob="deep/*").text == "src/deep/util.py:1: def helper():"
    )
    assert call(search_files, pattern="return 1$", path="src/deep/util.py").text == "src/deep/util.py:2: return 1"
    assert call(search_files, pattern="(?i)todo", path="README.md").text == "README.md:2: TODO: write"


def test_nothing_found_says_how_much_was_looked_at(search_files: SearchFiles, project: Path) -> None:
    assert call(search_files, pattern="nowhere").text == (
        "No match in 4 files. 1 binary, unreadable or very large files were left out."
    )


def test_without_a_pattern_files_and_folders_are_listed(search_files: SearchFiles, project: Path) -> None:
    assert call(search_files).text.splitlines() == [
        ".hidden",
        "README.md",
        "data.bin",
        "src/",
        "src/deep/",
        "src/deep/util.py",
        "src/main.py",
    ]
    assert call(search_files, glob="*.py").text == "src/deep/util.py\nsrc/main.py"
    assert call(search_files, path="src/deep").text == "src/deep/util.py"
    assert call(search_files, path="README.md").text == "README.md"
    assert call(search_files, glob="*.rs").text == "No files in . fit the glob."


def test_a_list_cut_short_shows_the_upper_levels(search_files: SearchFiles, project: Path) -> None:
    text = call(search_files, limit=4).text
    assert (
        text == ".hidden\nREADME.md\ndata.bin\nsrc/\n[The first 4; there are more. Narrow it with path or glob.]"
    )


def test_many_matches_are_cut_with_a_word(search_files: SearchFiles, folder: Path) -> None:
    (folder / "a.txt").write_text("match\n" * 5_000)
    lines = call(search_files, pattern="match").text.splitlines()
    assert len(lines) == 101
    assert lines[-1] == "[The first 100 matches; there are more. Narrow it with path or glob.]"
    (folder / "b.txt").write_text(("match " + "y" * 500 + "\n") * 5_000)
    whole = call(search_files, pattern="match", path="b.txt", limit=10_000).text
    assert len(whole) <= LONGEST_RESULT
    assert whole.endswith("[Cut: more was found than can be shown. Narrow it with path or glob.]")


def test_of_a_long_line_the_part_around_the_match_is_shown(search_files: SearchFiles, folder: Path) -> None:
    (folder / "a.min.js").write_text("x" * 50_000 + "needle" + "y" * 50_000)
    text = call(search_files, pattern="needle").text
    assert "needle" in text
    assert len(text) < 400


def test_links_are_not_followed(search_files: SearchFiles, folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("secret")
    (folder / "in").symlink_to(outside)
    (folder / "a.txt").symlink_to(outside / "a.txt")
    assert call(search_files, pattern="secret").text == "No match in 0 files."
    assert call(search_files).text == "No files in .."
    assert "outside" in refusal(search_files, pattern="secret", path="in")


def test_the_home_inside_the_working_folder_is_left_out(home: Home) -> None:
    search_files = SearchFiles(Workspace(home.root.parent, (), home.root))
    assert call(search_files, pattern="NAME").text == "No match in 0 files."
    assert home.root.name not in call(search_files).text


def test_a_pipe_does_not_stop_a_search(search_files: SearchFiles, folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    assert call(search_files, pattern="x").text == "No match in 0 files."
    assert "no ordinary file" in refusal(search_files, pattern="x", path="pipe")


def test_names_that_are_no_text_are_shown_readably(search_files: SearchFiles, folder: Path) -> None:
    os.close(os.open(os.fsencode(folder) + b"/caf\xe9\n\x1b[31m.txt", os.O_CREAT, 0o644))
    assert call(search_files).text == "caf\ufffd .txt"


@pytest.mark.parametrize("pattern", ["(", "[a", "*", "(?P<x", "\\p{Nonsense}", "(" * 500 + ")" * 500, "\\"])
def test_what_is_no_expression_is_explained(search_files: SearchFiles, pattern: str) -> None:
    assert "pattern is no regular expression" in refusal(search_files, pattern=pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?:x{65535}){65535}",
        "((a{0,999}){999}){ 999 }",
        "a{999999999}",
        "x" * 1_001,
        "(?x)(?:x{6 5 5 3 5}){6#\n5535}",
        "(?:x{000000065535}){000000065535}",
    ],
)
def test_an_expression_that_would_fill_the_memory_is_refused(search_files: SearchFiles, pattern: str) -> None:
    assert "Use + or *" in (answer := refusal(search_files, pattern=pattern)) or "longer than" in answer


@pytest.mark.parametrize(
    "pattern", [r"\d{4}-\d{2}-\d{2}", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", ".{0,200}x.{0,200}"]
)
def test_ordinary_counts_are_fine(search_files: SearchFiles, folder: Path, pattern: str) -> None:
    (folder / "a.txt").write_text("x 2026-01-31 0123abcd-0123-0123-0123-0123456789ab")
    assert call(search_files, pattern=pattern).text.startswith("a.txt:1:")


def test_an_expression_that_would_never_end_is_stopped(workspace: Workspace, folder: Path) -> None:
    search_files = SearchFiles(workspace, seconds=0.3)
    (folder / "a.txt").write_text("match aaa\n" + "a" * 5_000 + "b\n")
    text = call(search_files, pattern="match|^(a|aa)+$").text
    assert text == "a.txt:1: match aaa\n[Stopped with 1 found: the time was up. Narrow it with path or glob.]"


def test_what_is_found_in_a_kept_output_may_be_of_the_web(workspace: Workspace, home: Home) -> None:
    home.outputs.mkdir()
    (home.outputs / "web-1.txt").write_text("needle")
    result = call(SearchFiles(workspace), pattern="needle", path=str(home.outputs))
    assert result.text.endswith("web-1.txt:1: needle")
    assert result.source_class == "web"
