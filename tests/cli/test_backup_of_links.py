"""What the program reads through links is in a backup, and in a copy of a profile; other links are named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes

SKILL = "---\nname: {}\ndescription: Sort the mail.\n---\n\nSort it.\n"


@pytest.fixture
def linked(hermes: Hermes, own_home: Home, tmp_path: Path) -> Home:
    """A home with a skill, a category, a note and settings behind links, and links that nobody follows."""
    checkout, category, dotfiles = tmp_path / "checkout", tmp_path / "work", tmp_path / "dotfiles"
    for folder, name in ((checkout, "sort-mail"), (category / "tidy", "tidy")):
        (folder / "scripts").mkdir(parents=True)
        (folder / "SKILL.md").write_text(SKILL.format(name))
        (folder / "scripts" / "run.sh").write_text("#!/bin/sh\n")
    (checkout / "out").symlink_to("/etc")
    dotfiles.mkdir()
    (dotfiles / "persona.md").write_text("I am calm.")
    (dotfiles / "hermes.yaml").write_text("memory:\n  poolSize: 7\n")
    hermes("memory", "fact", "add", "Rex is afraid of trains")
    (own_home.skills / "sort-mail").symlink_to(checkout)
    (own_home.skills / "work").symlink_to(category)
    (own_home.skills / "again").symlink_to(own_home.skills)
    own_home.soul.symlink_to(dotfiles / "persona.md")
    own_home.config_yaml.symlink_to(dotfiles / "hermes.yaml")
    (own_home.memories / "letters").symlink_to("/etc/hostname")
    assert hermes("chat", "-q", "My name is Ada.").exit_code == 0
    return own_home


def made(hermes: Hermes) -> dict[str, object]:
    found = json.loads(hermes("backup", "create", "--json").stdout)
    assert isinstance(found, dict)
    return found


def test_what_is_behind_links_comes_back(
    hermes: Hermes, linked: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = made(hermes)
    assert told["left_out"] == ["memories/letters", "skills/again", "skills/sort-mail/out"]
    assert "letters" in hermes("backup", "create", "-o", str(tmp_path / "b.age")).stderr
    assert "skills/again" in hermes("backup", "verify", str(told["file"])).stdout
    second = Home(tmp_path / "second", "default")
    monkeypatch.setenv("HERMES_HOME", str(second.root))
    done = hermes("backup", "restore", str(told["file"]), "--identity", str(linked.backup_key))
    assert done.exit_code == 0 and done.stderr == "", done
    hermes("chat", "-q", "Hello.")
    assert {"sort-mail", "tidy"} <= {one["name"] for one in json.loads(hermes("skills", "list", "--json").stdout)}
    assert (second.skills / "sort-mail" / "scripts" / "run.sh").exists()
    assert second.soul.read_text() == "I am calm." and not second.soul.is_symlink()
    assert hermes("config", "get", "memory.poolSize").stdout.strip() == "7"
    assert "deleted" not in hermes("memory", "log").stdout


@pytest.mark.parametrize(
    "copy",
    [
        lambda hermes, folder: hermes("profile", "clone", "default", "lab"),
        lambda hermes, folder: (
            hermes("profile", "export", "default", "-o", str(folder / "a.tar.gz")),
            hermes("profile", "import", str(folder / "a.tar.gz"), "--name", "lab"),
        ),
    ],
)
def test_a_copy_of_the_profile_has_them_too(
    hermes: Hermes, linked: Home, tmp_path: Path, copy: Callable[[Hermes, Path], object]
) -> None:
    copy(hermes, tmp_path)
    names = {one["name"] for one in json.loads(hermes("-p", "lab", "skills", "list", "--json").stdout)}
    assert {"sort-mail", "tidy"} <= names


def test_verify_misses_a_skill_that_the_memory_knows(hermes: Hermes, own_home: Home) -> None:
    hermes("skills", "create", "sort-mail", "--file", "-", input=SKILL.format("sort-mail"))
    (own_home.skills / "sort-mail" / "SKILL.md").unlink()
    (own_home.skills / "sort-mail").rmdir()
    done = hermes("backup", "verify", str(made(hermes)["file"]))
    assert done.exit_code == 1 and "the skill sort-mail is in the memory, but not among the files" in done.stdout


def test_a_file_that_cannot_be_read_is_named(hermes: Hermes, linked: Home, tmp_path: Path) -> None:
    linked.soul.unlink()
    linked.soul.symlink_to("/proc/self/mem")  # it opens, and reading it fails, also for root
    for command in (("backup", "create"), ("profile", "export", "default", "-o", str(tmp_path / "a.tar.gz"))):
        done = hermes(*command)
        assert done.exit_code != 0 and f"{linked.soul} cannot be read" in done.stderr, done
    assert list(linked.backups.iterdir()) == [] and not (tmp_path / "a.tar.gz").exists()
