"""`hermes sessions` as a person uses it."""

import json
from collections.abc import Iterator

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import sessions
from tests.conftest import Hermes

DAY = 86_400 * clock.MICROSECONDS
APRIL = clock.from_seconds(1_776_157_920)  # 2026-04-14 09:12 UTC


@pytest.fixture
def memory(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """A memory with two conversations: one of April 2026, one of today."""
    monkeypatch.setenv("HERMES_DISPLAY_TIME_ZONE", "Europe/London")
    app = App(own_home, load(own_home))
    memory = app.memory
    memory.begin(NewSession(id="20260414_091200_aaaaaa", started_at=APRIL, title="Atlas launch"))
    memory.append(
        "20260414_091200_aaaaaa",
        NewMessage("user", "How do we do the docker deployment?", said_at=APRIL),
        NewMessage("assistant", "With compose.", said_at=APRIL + 1, tool_calls=[{"name": "shell"}]),
        NewMessage("tool", "compose up\x1b[31m red", said_at=APRIL + 2, tool_name="shell"),
    )
    memory.begin(NewSession(id="20261101_000000_bbbbbb", source="telegram"))
    memory.append("20261101_000000_bbbbbb", NewMessage("user", "我们讨论机器学习"))
    yield memory
    app.close()


def test_an_empty_home_lists_nothing(hermes: Hermes) -> None:
    assert hermes("sessions", "list").stdout == "No conversations.\n"
    assert hermes("sessions", "list", "--json").stdout == "[]\n"


def test_a_list_shows_the_last_active_first(hermes: Hermes, memory: Memory) -> None:
    lines = hermes("sessions", "list").stdout.splitlines()
    assert lines[0].split() == ["ID", "LAST", "ACTIVE", "MESSAGES", "SOURCE", "TITLE", "OR", "FIRST", "WORDS"]
    assert lines[1].startswith("20261101_000000_bbbbbb") and lines[1].endswith("telegram  我们讨论机器学习")
    assert lines[2] == "20260414_091200_aaaaaa  2026-04-14 10:12  3         cli       Atlas launch"


def test_a_list_can_be_narrowed_by_source_and_date(hermes: Hermes, memory: Memory) -> None:
    def ids(*options: str) -> list[str]:
        return [row["id"][-6:] for row in json.loads(hermes("sessions", "list", "--json", *options).stdout)]

    assert ids() == ["bbbbbb", "aaaaaa"]
    assert ids("--source", "telegram") == ["bbbbbb"]
    assert ids("--since", "yesterday") == ["bbbbbb"]
    assert ids("--until", "2026-04-14") == ["aaaaaa"]
    assert ids("--since", "2026-04", "--until", "2026-04") == ["aaaaaa"]
    assert ids("--until", "2026-04-13") == []


def test_a_date_that_is_none_is_refused(hermes: Hermes) -> None:
    outcome = hermes("sessions", "list", "--since", "qwertz")
    assert outcome.exit_code == 2
    assert outcome.stderr.startswith("Error: 'qwertz' is not a date.\nHint: Write 2026-04-14")


def test_a_session_is_shown_by_the_start_of_its_id_or_its_title(hermes: Hermes, memory: Memory) -> None:
    by_id = hermes("sessions", "show", "20260414")
    assert by_id.stdout == hermes("sessions", "show", "Atlas launch").stdout
    assert "Atlas launch\n20260414_091200_aaaaaa  cli  began 2026-04-14 10:12:00  3 messages\n" in by_id.stdout
    assert "How do we do the docker deployment?" in by_id.stdout
    assert "compose up red" in by_id.stdout, "no terminal colours out of the archive"


def test_a_session_is_shown_as_json(hermes: Hermes, memory: Memory) -> None:
    shown = json.loads(hermes("sessions", "show", "20260414", "--json").stdout)
    assert shown["title"] == "Atlas launch"
    assert shown["started_at"] == "2026-04-14T09:12:00Z"
    assert [message["role"] for message in shown["messages"]] == ["user", "assistant", "tool"]


def test_an_unknown_session_is_an_error(hermes: Hermes) -> None:
    outcome = hermes("sessions", "show", "nothing")
    assert outcome.exit_code == 2
    assert outcome.stderr == "Error: No session is called 'nothing'.\nHint: List them with: hermes sessions list\n"


def test_a_search_marks_what_it_found(hermes: Hermes, memory: Memory) -> None:
    outcome = hermes("sessions", "search", "docker", "deployment")
    assert outcome.exit_code == 0
    assert outcome.stdout.splitlines() == [
        "20260414_091200_aaaaaa  2026-04-14 10:12  cli  Atlas launch",
        "  user: How do we do the >>>docker<<< >>>deployment<<<?",
    ]


def test_a_search_without_hits_says_why_and_fails(hermes: Hermes, memory: Memory) -> None:
    outcome = hermes("sessions", "search", "xyzzy")
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert outcome.stderr.startswith("No message matches. Try other words")


def test_a_search_prints_the_tools_answer_as_json(hermes: Hermes, memory: Memory) -> None:
    answer = json.loads(hermes("sessions", "search", "机器", "--json", "--detail", "full").stdout)
    assert answer["mode"] == "discover" and answer["count"] == 1
    assert answer["results"][0]["messages"][0]["content"] == "我们讨论机器学习"


def test_a_search_finds_tool_output_by_role(hermes: Hermes, memory: Memory) -> None:
    assert hermes("sessions", "search", "red").exit_code == 1
    assert "compose up >>>red<<<" in hermes("sessions", "search", "red", "--role", "tool").stdout


def test_browse_shows_how_conversations_began(hermes: Hermes, memory: Memory) -> None:
    assert "How do we do the docker deployment?" in hermes("sessions", "browse").stdout
    assert json.loads(hermes("sessions", "browse", "--json").stdout)["mode"] == "browse"


def test_stats_count_the_archive(hermes: Hermes, memory: Memory) -> None:
    counted = json.loads(hermes("sessions", "stats", "--json").stdout)
    assert (counted["sessions"], counted["messages"]) == (2, 4)
    assert counted["by_role"] == {"assistant": 1, "tool": 1, "user": 2}
    printed = hermes("sessions", "stats").stdout
    assert printed.startswith("Sessions: 2\n  cli: 1\n  telegram: 1\nMessages: 4\n")


def test_renaming_is_journalled_with_before_and_after(hermes: Hermes, memory: Memory) -> None:
    assert (
        hermes("sessions", "rename", "20260414", "Atlas  \n start").stdout
        == "20260414_091200_aaaaaa: Atlas start\n"
    )
    (entry,) = json.loads(hermes("memory", "log", "--json", "--kind", "session.renamed").stdout)
    assert (entry["before"], entry["after"]) == ("Atlas launch", "Atlas start")
    assert hermes("sessions", "rename", "20260414", "--clear").stdout == "20260414_091200_aaaaaa: no title\n"
    assert hermes("sessions", "rename", "20260414").exit_code == 2


def test_a_title_that_is_taken_is_refused(hermes: Hermes, memory: Memory) -> None:
    outcome = hermes("sessions", "rename", "20261101", "Atlas launch")
    assert outcome.exit_code == 2
    assert "belongs to session 20260414_091200_aaaaaa" in outcome.stderr


def test_deleting_asks_first(hermes: Hermes, memory: Memory) -> None:
    assert hermes("sessions", "delete", "20260414", input="n\n").stdout == "Nothing was deleted.\n"
    assert hermes("sessions", "delete", "20260414", input="").exit_code == 2
    asked = hermes("sessions", "delete", "20260414", input="y\n")
    assert asked.stdout == "Deleted 1 session.\n"
    assert "Delete 1 session with 3 messages for good?" in asked.stderr
    assert hermes("sessions", "search", "docker").exit_code == 1
    (entry,) = json.loads(hermes("memory", "log", "--json").stdout)
    assert entry["kind"] == "session.deleted"
    assert "docker" not in json.dumps(entry)


def test_pruning_takes_only_ended_and_quiet_sessions(hermes: Hermes, memory: Memory) -> None:
    assert hermes("sessions", "prune", "--dry-run").stdout == "0 sessions ended and quiet for 90 days.\n"
    with memory.store.write() as connection:
        sessions.end(connection, "20260414_091200_aaaaaa", "done", at=APRIL + 3)
    dry = hermes("sessions", "prune", "--older-than", "30", "--dry-run")
    assert dry.stdout == "1 session ended and quiet for 30 days.\n  20260414_091200_aaaaaa\n"
    assert hermes("sessions", "prune", "--older-than", "30", "--yes").stdout == "Deleted 1 session.\n"
    assert len(json.loads(hermes("sessions", "list", "--json").stdout)) == 1


def test_exports_and_browsing_can_be_narrowed_too(hermes: Hermes, memory: Memory) -> None:
    def exported(*options: str) -> list[str]:
        lines = hermes("sessions", "export", *options).stdout.splitlines()
        return [json.loads(line)["id"][-6:] for line in lines]

    assert exported() == ["aaaaaa", "bbbbbb"]
    assert exported("--since", "yesterday") == ["bbbbbb"]
    assert exported("--until", "2026-04-14") == ["aaaaaa"]
    assert exported("--source", "telegram") == ["bbbbbb"]
    assert hermes("sessions", "export", "--session", "Atlas launch", "--source", "cli").exit_code == 2
    browsed = json.loads(hermes("sessions", "browse", "--source", "telegram", "--json").stdout)
    assert [row["session_id"][-6:] for row in browsed["results"]] == ["bbbbbb"]


def test_changes_can_be_reported_as_json(hermes: Hermes, memory: Memory) -> None:
    assert json.loads(hermes("sessions", "rename", "20260414", "New", "--json").stdout)["title"] == "New"
    assert json.loads(hermes("sessions", "prune", "--dry-run", "--json").stdout) == {"deleted": 0, "sessions": []}
    assert json.loads(hermes("sessions", "delete", "20260414", "--yes", "--json").stdout) == {"deleted": 1}
