"""The folders of skills, as a user finds them: links, archives, files that hermes would not write itself."""

import json
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.memory.test_skills import document


@pytest.fixture
def skill(hermes: Hermes, own_home: Home) -> Path:
    """The folder of a skill with a script, known to the store."""
    place = own_home.skills / "deploy"
    (place / "scripts").mkdir(parents=True)
    (place / "SKILL.md").write_text(document())
    (place / "scripts" / "run.sh").write_text("echo from-skill\n")
    assert hermes("skills", "list").exit_code == 0
    return place


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A folder that is none of hermes's business."""
    place = tmp_path / "outside"
    place.mkdir()
    (place / "run.sh").write_text("echo MINE\n")
    return place


def problems(hermes: Hermes) -> dict[str, str | None]:
    listed = json.loads(hermes("skills", "list", "--json").stdout)
    return {Path(one["path"]).parent.name: one["problem"] for one in listed}


def test_an_undo_writes_nothing_through_a_link(hermes: Hermes, skill: Path, outside: Path) -> None:
    (skill / "scripts" / "run.sh").unlink()
    (skill / "scripts").rmdir()
    (skill / "scripts").symlink_to(outside)
    hermes("skills", "list")
    assert hermes("memory", "undo").exit_code == 0
    assert (outside / "run.sh").read_text() == "echo MINE\n"
    assert not (skill / "scripts").is_symlink()
    assert (skill / "scripts" / "run.sh").read_text() == "echo from-skill\n"


def test_an_undo_replaces_a_file_that_is_a_link(hermes: Hermes, skill: Path, outside: Path) -> None:
    script = skill / "scripts" / "run.sh"
    script.unlink()
    script.symlink_to(outside / "run.sh")
    hermes("skills", "list")
    assert hermes("memory", "undo").exit_code == 0
    assert (outside / "run.sh").read_text() == "echo MINE\n"
    assert not script.is_symlink() and script.read_text() == "echo from-skill\n"


def test_a_skill_does_not_come_back_through_a_link_that_has_its_place(
    hermes: Hermes, skill: Path, outside: Path
) -> None:
    assert hermes("skills", "delete", "deploy").exit_code == 0
    skill.symlink_to(outside)
    assert hermes("skills", "restore", "deploy").exit_code == 0
    assert sorted(path.name for path in outside.iterdir()) == ["run.sh"]
    assert not skill.is_symlink() and (skill / "SKILL.md").read_text() == document()


def test_a_written_file_keeps_its_mode(hermes: Hermes, skill: Path) -> None:
    script = skill / "scripts" / "run.sh"
    script.chmod(0o750)
    script.write_text("echo by hand\n")
    hermes("skills", "list")
    assert hermes("memory", "undo").exit_code == 0
    assert script.read_text() == "echo from-skill\n"
    assert script.stat().st_mode & 0o777 == 0o750
