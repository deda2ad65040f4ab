"""`hermes skills`, as a user types it."""

import json

from hermes_agent.config.paths import Home
from tests.conftest import Hermes


def write_skill(home: Home) -> None:
    folder = home.skills / "deploy" / "references"
    folder.mkdir(parents=True)
    (folder.parent / "SKILL.md").write_text("---\nname: deploy\ndescription: How we deploy.\n---\n1. Push.\n")
    (folder / "hosts.md").write_text("host one\n")


def test_an_empty_library_says_what_a_skill_is(hermes: Hermes) -> None:
    listed = hermes("skills", "list")
    assert (listed.exit_code, listed.stderr) == (0, "")
    assert listed.stdout.startswith("There are no skills yet.")
    assert json.loads(hermes("skills", "list", "--json").stdout) == []


def test_skills_are_listed_and_shown(hermes: Hermes, own_home: Home) -> None:
    write_skill(own_home)
    assert "deploy" in hermes("skills", "list").stdout
    assert json.loads(hermes("skills", "list", "--json").stdout)[0]["problem"] is None
    shown = hermes("skills", "show", "deploy")
    assert "1. Push." in shown.stdout
    assert "Files: references/hosts.md" in shown.stdout
    assert hermes("skills", "show", "deploy", "references/hosts.md").stdout == "host one\n"


def test_an_unknown_skill_is_an_error_with_a_hint(hermes: Hermes, own_home: Home) -> None:
    write_skill(own_home)
    failed = hermes("skills", "show", "nothing")
    assert failed.exit_code == 2
    assert failed.stderr == "Error: There is no skill 'nothing'.\nHint: There are: deploy.\n"
