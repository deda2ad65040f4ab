"""`hermes checkpoints`, as a user types it."""

import json
from pathlib import Path

import pytest

from hermes_agent.agent.checkpoints import Checkpoints
from hermes_agent.config.paths import Home
from tests.conftest import Hermes


@pytest.fixture
def work(tmp_path: Path, own_home: Home) -> Path:
    """A folder with two checkpoints."""
    folder = tmp_path / "work"
    folder.mkdir()
    checkpoints = Checkpoints(own_home, 50)
    for number in (1, 2):
        assert checkpoints.keep(folder, f"write_file {number}.txt") is None
        (folder / f"{number}.txt").write_text("x")
    return folder


def test_no_checkpoints_is_said_plainly(hermes: Hermes, tmp_path: Path) -> None:
    assert hermes("checkpoints", "list").stdout == "No checkpoints.\n"
    assert hermes("checkpoints", "list", str(tmp_path)).stdout == f"No checkpoints of {tmp_path}.\n"
    assert hermes("checkpoints", "list", "--json").stdout == "[]\n"
    assert hermes("checkpoints", "prune").stdout == "Dropped 0 checkpoints, freed 0.0 kB; 0.0 kB are left.\n"


def test_folders_and_their_checkpoints_are_listed(hermes: Hermes, work: Path) -> None:
    lines = hermes("checkpoints", "list").stdout.splitlines()
    assert lines[0].split() == ["FOLDER", "CHECKPOINTS", "NEWEST"]
    assert lines[1].split()[:2] == [str(work), "2"]
    lines = hermes("checkpoints", "list", str(work)).stdout.splitlines()
    assert lines[0].split() == ["N", "TAKEN", "FILES", "BEFORE"]
    assert [line.split()[0] for line in lines[1:]] == ["1", "2"]
    assert lines[1].endswith("1      write_file 2.txt")


def test_the_working_folder_is_a_dot(hermes: Hermes, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(work)
    listed = json.loads(hermes("checkpoints", "list", ".", "--json").stdout)
    assert [(one["number"], one["reason"], one["files"]) for one in listed] == [
        (1, "write_file 2.txt", 1),
        (2, "write_file 1.txt", 0),
    ]
    assert listed[0]["at"].endswith("Z")
    assert len(listed[0]["hash"]) == 40


def test_folders_are_listed_as_json(hermes: Hermes, work: Path) -> None:
    [listed] = json.loads(hermes("checkpoints", "list", "--json").stdout)
    assert (listed["folder"], listed["checkpoints"]) == (str(work), 2)
    assert listed["oldest_at"] < listed["newest_at"]


def test_prune_keeps_a_week_unless_told_otherwise(hermes: Hermes, work: Path) -> None:
    assert json.loads(hermes("checkpoints", "prune", "--json").stdout)["dropped"] == 0
    outcome = hermes("checkpoints", "prune", "--days", "0")
    assert outcome.exit_code == 0
    assert outcome.stdout.startswith("Dropped 2 checkpoints, freed ")
    assert hermes("checkpoints", "list").stdout == "No checkpoints.\n"


def test_a_machine_without_git_is_an_error_with_a_hint(
    hermes: Hermes, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(work))
    outcome = hermes("checkpoints", "list")
    assert outcome.exit_code == 1
    assert outcome.stderr == "Error: git is not installed.\nHint: Install git: checkpoints are made with it.\n"
