"""`hermes memory tidy`, as a user types it: what it says, that it can be undone, that a job does it."""

import json
from contextlib import closing

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes

DAY = 86_400_000_000
SKILL = "---\nname: deploy\ndescription: Deploy Atlas.\n---\n\nRun `make deploy`.\n"


def two_facts(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "The build host is called Otto.")
    hermes("memory", "fact", "add", "Build host is called Otto")


def test_nothing_to_tidy(hermes: Hermes) -> None:
    for arguments in (("--dry-run",), ()):
        outcome = hermes("memory", "tidy", *arguments)
        assert (outcome.exit_code, outcome.stdout) == (0, "There is nothing to tidy.\n")


def test_a_dry_run_says_what_a_run_does_and_an_undo_takes_back(hermes: Hermes) -> None:
    two_facts(hermes)
    line = "  fact:002 “Build host is called Otto” into fact:001 “The build host is called Otto.”\n"
    assert hermes("memory", "tidy", "--dry-run").stdout == f"1 fact would be merged:\n{line}"
    assert hermes("memory", "tidy").stdout == f"1 fact merged:\n{line}"
    assert hermes("memory", "tidy").stdout == "There is nothing to tidy.\n"
    shown = hermes("memory", "fact", "show", "1").stdout
    assert "Also said as: [fact:002] Build host is called Otto" in shown and "Said again: 1 time" in shown
    assert "Merged into: [fact:001]" in hermes("memory", "fact", "show", "2").stdout
    assert "fact:002 was merged into fact:001" in hermes("memory", "log").stdout
    undone = hermes("memory", "undo")
    assert undone.stdout == "Undone: fact:002 was merged into fact:001: “Build host is called Otto”.\n"
    assert len(json.loads(hermes("memory", "facts", "list", "--json").stdout)) == 2
    assert hermes("memory", "tidy").stdout == "There is nothing to tidy.\n"


def test_json_tells_the_same_to_programs(hermes: Hermes) -> None:
    two_facts(hermes)
    planned = json.loads(hermes("memory", "tidy", "--dry-run", "--json").stdout)
    assert planned["dry_run"] and [(one["merged"], one["into"]) for one in planned["facts"]] == [
        ("fact:002", "fact:001")
    ]
    made = json.loads(hermes("memory", "tidy", "--json").stdout)
    assert {**made, "dry_run": True} == planned
    assert json.loads(hermes("memory", "tidy", "--json").stdout) == {
        "dry_run": False,
        "facts": [],
        "reflections": [],
        "things": [],
        "skills": [],
        "stale_reflections": 0,
        "notes": [],
        "unreadable_notes": [],
    }


def test_a_note_that_fills_up_is_proposed_for_tidying(hermes: Hermes) -> None:
    hermes("notes", "add", "-t", "user", "x" * 1_200)
    proposal = "USER.md is 87 % full (1,200 of 1,375 characters); tidy it: hermes notes edit -t user"
    assert hermes("memory", "tidy").stdout == f"There is nothing to tidy.\n{proposal}\n"
    assert f"Nearly full: {proposal}\n" in hermes("memory", "status").stdout
    assert json.loads(hermes("memory", "status", "--json").stdout)["nearly_full_notes"] == ["user"]


def test_a_note_that_cannot_be_read_is_told(hermes: Hermes, own_home: Home) -> None:
    hermes("notes", "add", "-t", "user", "Likes tea")
    own_home.user_note.write_bytes(b"\xff\xfe\x00tea")
    assert "USER.md" in hermes("memory", "tidy").stdout
    assert "Unreadable: " in hermes("memory", "status").stdout
    assert json.loads(hermes("memory", "status", "--json").stdout)["unreadable_notes"] == ["user"]


def test_the_job_does_it_once_a_week(hermes: Hermes) -> None:
    two_facts(hermes)
    hermes("jobs", "run")
    listed = json.loads(hermes("jobs", "list", "--json").stdout)
    assert [job["state"] for job in listed if job["kind"] == "tidy"] == ["done"]
    assert len(json.loads(hermes("memory", "facts", "list", "--json").stdout)) == 1
    hermes("jobs", "run")
    listed = json.loads(hermes("jobs", "list", "--json").stdout)
    assert len([job for job in listed if job["kind"] == "tidy"]) == 1


def make_skill_of_the_agent(hermes: Hermes, home: Home) -> None:
    hermes("-q", "Save this as a skill called deploy: run make build, then make ship")
    old = clock.now() - 100 * DAY
    # By the store's own driver: two libraries of SQLite in one process take each other's locks away.
    with closing(driver().connect(home.state_db)) as connection, connection:
        connection.execute("UPDATE skills SET made_at = ?, changed_at = ?", (old, old))


def test_a_skill_nobody_uses_is_archived_and_restored(hermes: Hermes, own_home: Home) -> None:
    make_skill_of_the_agent(hermes, own_home)
    hermes("config", "set", "skills.archiveAfterDays", "0")
    assert hermes("memory", "tidy").stdout == "There is nothing to tidy.\n"
    hermes("config", "set", "skills.archiveAfterDays", "90")
    assert hermes("memory", "tidy").stdout == "1 skill archived:\n  deploy, not used for 90 days\n"
    assert json.loads(hermes("skills", "list", "--json").stdout) == []
    assert "It was not used for 90 days." in hermes("skills", "history", "deploy").stdout
    assert hermes("skills", "restore", "deploy").stdout == "The skill deploy was restored.\n"
    assert [one["name"] for one in json.loads(hermes("skills", "list", "--json").stdout)] == ["deploy"]
    assert hermes("memory", "tidy").stdout == "There is nothing to tidy.\n"


def test_a_skill_that_is_read_is_counted_and_stays(hermes: Hermes, own_home: Home) -> None:
    make_skill_of_the_agent(hermes, own_home)
    (before,) = json.loads(hermes("skills", "list", "--json").stdout)
    assert (before["used_count"], before["last_used_at"]) == (0, None)
    assert "never" in hermes("skills", "list").stdout
    hermes("skills", "show", "deploy")
    hermes("-q", "show the skill deploy")
    hermes("-q", "show the skill deploy")
    (after,) = json.loads(hermes("skills", "list", "--json").stdout)
    assert after["used_count"] == 2 and after["last_used_at"].startswith("20")
    assert hermes("memory", "tidy").stdout == "There is nothing to tidy.\n"


def test_undoing_that_a_skill_was_made_takes_its_folder_away(hermes: Hermes, own_home: Home) -> None:
    assert hermes("skills", "create", "deploy", "--file", "-", input=SKILL).exit_code == 0
    undone = hermes("memory", "undo")
    assert (undone.exit_code, undone.stdout) == (0, "Undone: The skill deploy was made.\n")
    assert json.loads(hermes("skills", "list", "--json").stdout) == []
    assert not (own_home.skills / "deploy").exists()
