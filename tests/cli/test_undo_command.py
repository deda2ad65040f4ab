"""`hermes memory undo`, `diff` and `log` as their owner uses them."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.memory.memory import Memory
from hermes_agent.store import journal
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.conftest import Hermes
from tests.learning import learn
from tests.recall.conversations import talk


@pytest.fixture(autouse=True)
def in_utc(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are shown in UTC, and nothing follows a command in the background."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    assert hermes("config", "set", "display.timeZone", "UTC").exit_code == 0


@pytest.fixture
def memory(own_home: Home) -> Iterator[Memory]:
    """The memory of the home that the commands work in; somebody moved from Lyon to Oslo in January 2026."""
    own_home.root.mkdir(exist_ok=True)
    store = Store(Sqlite(own_home.state_db), "default")
    made = Memory(store, "default")
    for session, saying, day in (("first", "I live in Lyon.", 1), ("second", "I moved to Oslo.", 5)):
        talk(made, session, saying, day=day)
        learn(store, session)
    yield made
    store.close()


# Any: JSON as a program reads it.
def shown(hermes: Hermes, *arguments: str) -> Any:
    return json.loads(hermes("memory", *arguments, "--json").stdout)


def facts(hermes: Hermes) -> str:
    return hermes("memory", "facts", "list", "--all").stdout


@pytest.mark.usefixtures("memory")
def test_a_change_is_undone_by_the_number_or_the_uid_that_the_log_gives(hermes: Hermes) -> None:
    before = facts(hermes)
    _, learned, first = shown(hermes, "log")
    assert [line.split()[2:4] for line in hermes("memory", "log").stdout.splitlines()] == [
        ["entry:3", "fact.superseded"],
        ["entry:2", "fact.learned"],
        ["entry:1", "fact.learned"],
    ]
    outcome = hermes("memory", "undo", "entry:2")
    assert (outcome.exit_code, outcome.stdout, outcome.stderr) == (
        0,
        "Undone: fact:002 was learned: “User lives in Oslo”.\n",
        f"To make it again: hermes memory undo {shown(hermes, 'log', '-n', '1')[0]['uid']}\n",
    )
    assert facts(hermes) == "[fact:001] User lives in Lyon (confidence: high)\n"
    assert hermes("memory", "undo", "4").stdout == "Made again: fact:002 was learned: “User lives in Oslo”.\n"
    assert facts(hermes) == before
    assert hermes("memory", "undo", "5").stdout == "Undone: fact:002 was learned: “User lives in Oslo”.\n"
    again = shown(hermes, "undo", "6")
    assert [entry["kind"] for entry in again["undone"]] == ["fact.undone"]
    assert facts(hermes) == before
    refused = hermes("memory", "undo", first["uid"])
    assert (refused.exit_code, refused.stderr) == (
        1,
        "Error: It cannot be undone: fact:001 was learned: “User lives in Lyon”."
        " A later change builds on it: fact:002 was learned: “User lives in Oslo”."
        f" Undo that first: hermes memory undo {learned['uid']}\n",
    )
    assert facts(hermes) == before


@pytest.mark.usefixtures("memory")
def test_everything_since_a_moment_is_undone_at_once(hermes: Hermes, own_home: Home) -> None:
    hermes("notes", "add", "Deploys run on Fridays")
    own_home.memory_note.write_text("Deploys run on Fridays\n§\nby hand")
    before = facts(hermes)
    outcome = hermes("memory", "undo", "--since", "10 minutes ago")
    assert outcome.stdout.splitlines() == [
        "Undone: MEMORY.md was edited by hand: 1 entry added, 0 removed.",
        "Undone: Added to MEMORY.md: Deploys run on Fridays",
        "Undone: fact:002 was learned: “User lives in Oslo”.",
        "Undone: fact:001 was learned: “User lives in Lyon”.",
    ]
    assert own_home.memory_note.read_text() == ""
    assert facts(hermes).startswith("There are no facts.")
    (entry,) = shown(hermes, "log", "-n", "1")
    assert (entry["kind"], entry["text"]) == ("memory.undone", "Undone: 4 changes.")
    assert outcome.stderr == f"To make them again: hermes memory undo {entry['uid']}\n"
    assert hermes("memory", "undo").stderr == "Error: There is no change to undo.\n"
    assert hermes("memory", "undo", entry["uid"]).exit_code == 0
    assert own_home.memory_note.read_text() == "Deploys run on Fridays\n§\nby hand"
    assert facts(hermes) == before
    assert hermes("memory", "undo", "--since", "tomorrow").stderr == "Error: Nothing has changed since then.\n"


@pytest.mark.usefixtures("memory")
def test_a_moment_that_is_not_understood_undoes_nothing(hermes: Hermes) -> None:
    before = facts(hermes)
    for phrase in ("at 9", "hour 2", "today at 9", "a few minutes ago"):
        outcome = hermes("memory", "undo", "--since", phrase)
        assert (outcome.exit_code, outcome.stderr.splitlines()[0]) == (2, f"Error: {phrase!r} is not a date.")
    for phrase in ("10 minutes from now", "in 5 min"):
        assert hermes("memory", "undo", "--since", phrase).stderr == "Error: Nothing has changed since then.\n"
    assert facts(hermes) == before
    assert hermes("memory", "undo", "--since", "5 min ago").exit_code == 0
    assert facts(hermes).startswith("There are no facts.")


def test_a_turn_is_undone_with_what_was_learned_of_it(hermes: Hermes, own_home: Home) -> None:
    assert hermes("memory", "undo", "--turn").stderr == "Error: There was no turn yet.\n"
    hermes("chat", "-q", "My name is Ada.")
    hermes("chat", "-q", "I live in Lyon.")
    store = Store(Sqlite(own_home.state_db), "default")
    with store.read() as connection:
        turns = journal.recent(connection, 9, kind="turn")
    for turn in turns:
        learn(store, turn.session_id or "")
    store.close()
    before = own_home.user_note.read_text()
    assert "Ada" in before and "Lyon" in before
    outcome = hermes("memory", "undo", "--turn")
    assert (outcome.exit_code, len(outcome.stdout.splitlines())) == (0, 2), "the note and the fact"
    assert own_home.user_note.read_text() == before.partition("\n§\n")[0]
    assert facts(hermes) == "[fact:002] User's name is Ada (confidence: high)\n"
    assert "is undone already" in hermes("memory", "undo", "--turn").stderr
    latest, earlier = turns
    assert isinstance(earlier.after, dict)
    assert hermes("memory", "undo", "--turn", str(earlier.after["message"])).exit_code == 0
    assert facts(hermes).startswith("There are no facts.")
    assert own_home.user_note.read_text() == ""
    for wrong in (latest.uid[:-6] + "000000", "9999", "entry:1", "x"):
        assert "is no turn" in hermes("memory", "undo", "--turn", wrong).stderr
    hermes("chat", "-q", "Good morning!")
    assert "is undone already: “I live in Lyon” was" in hermes("memory", "undo", "--turn").stderr
    (greeting,) = shown(hermes, "events", "--kind", "turn", "-n", "1")
    assert "That turn changed nothing" in hermes("memory", "undo", "--turn", greeting["uid"]).stderr


@pytest.mark.usefixtures("memory")
def test_one_way_to_name_changes_is_enough(hermes: Hermes) -> None:
    outcome = hermes("memory", "undo", "1", "--since", "yesterday")
    assert (outcome.exit_code, outcome.stderr.splitlines()[0]) == (2, "Error: Name one: an ID, --turn or --since.")
    assert hermes("memory", "undo", "--since", "soonish").exit_code == 2


@pytest.mark.usefixtures("memory")
def test_a_fact_that_is_undone_is_not_found_until_the_undo_is_undone(hermes: Hermes) -> None:
    def found() -> str:
        assert hermes("jobs", "run").exit_code == 0
        outcome = hermes("memory", "search", "Oslo", "--type", "facts")
        assert "Not everything could be looked at" not in outcome.stderr, "every fact has its vector"
        return outcome.stdout

    assert "[fact:002]" in found() and "[fact:001]" not in found()
    undone = shown(hermes, "undo")
    assert "[fact:002]" not in found()
    hermes("memory", "undo", undone["uid"])
    assert "[fact:002]" in found() and "[fact:001]" not in found()
    assert hermes("db", "check").exit_code == 0


@pytest.mark.usefixtures("memory")
def test_two_moments_are_compared(hermes: Hermes) -> None:
    hermes("notes", "add", "one")
    hermes("memory", "fact", "pin", "2")
    hermes("notes", "replace", "one", "two")
    hermes("memory", "fact", "add", "Deploys run on Fridays")
    assert hermes("memory", "diff", "entry:1", "entry:3").stdout.splitlines() == [
        "+ [fact:002] User lives in Oslo",
        "- [fact:001] User lives in Lyon (superseded)",
    ]
    assert hermes("memory", "diff", "entry:4").stdout.splitlines() == [
        "+ [fact:003] Deploys run on Fridays",
        "~ [fact:002] User lives in Oslo: is_pinned no → yes",
        "--- MEMORY.md",
        "+++ MEMORY.md",
        "@@ -1 +1 @@",
        "-one",
        "+two",
    ]
    assert hermes("memory", "diff", "entry:3", "entry:1").stdout.splitlines() == [
        "- [fact:002] User lives in Oslo",
        "~ [fact:001] User lives in Lyon: valid_to 2026-01-06 00:00:01 → none, state superseded → current,"
        f" ended_at {shown(hermes, 'fact', 'show', '1')['ended_at'][:19].replace('T', ' ')} → none",
    ]
    told = shown(hermes, "diff", "yesterday", "today")
    assert [fact["id"] for fact in told["facts"]["added"]] == ["fact:001", "fact:002", "fact:003"]
    assert (told["facts"]["ended"], told["facts"]["changed"]) == ([], [])
    assert [(note["note"], note["before"], note["after"]) for note in told["notes"]] == [("MEMORY.md", "", "two")]
    (pinned,) = shown(hermes, "diff", "entry:4", "entry:5")["facts"]["changed"]
    assert (pinned["id"], pinned["before"], pinned["after"]) == (
        "fact:002",
        {"is_pinned": False},
        {"is_pinned": True},
    )


@pytest.mark.usefixtures("memory")
def test_what_was_undone_does_not_differ(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "Deploys run on Fridays")
    hermes("memory", "undo")
    assert hermes("memory", "diff", "entry:3").stdout == "Nothing differs.\n"
    assert hermes("memory", "diff", "entry:3", "entry:4").stdout == "+ [fact:003] Deploys run on Fridays\n"
    assert hermes("memory", "diff", "entry:99").exit_code == 2
    assert hermes("memory", "diff", "soonish").exit_code == 2
