"""A file that holds what was forgotten does not bring it back, not even its title, and the report says so."""

import json
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes

SAID = "The vault in Krzbtwfingen opens with flmqvxd."
LINES = {
    "id": "talk",
    "source": "cli",
    "title": "How to open it",
    "messages": [
        {"role": "user", "content": SAID, "timestamp": 2.5},
        {"role": "assistant", "content": "Okay.", "timestamp": 3.5},
    ],
}
CLAUDE = [
    {
        "uuid": "u-1",
        "name": "How to open it",
        "created_at": "2024-03-01T10:00:00Z",
        "updated_at": "2024-03-01T10:05:00Z",
        "chat_messages": [
            {"sender": "human", "text": SAID, "created_at": "2024-03-01T10:00:01Z", "content": []},
            {"sender": "assistant", "text": "Okay.", "created_at": "2024-03-01T10:00:02Z", "content": []},
        ],
    }
]
MEM0 = {"results": [{"id": "1", "memory": SAID, "created_at": "2024-03-01T10:00:00Z"}]}


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")


def put(folder: Path, value: object) -> str:
    (folder / "theirs.json").write_text(json.dumps(value))
    return str(folder / "theirs.json")


def nothing_of_it(hermes: Hermes, home: Home) -> None:
    assert hermes("sessions", "list").stdout == "No conversations.\n"
    assert hermes("memory", "verify-deletion", "1").exit_code == 0
    assert "How to open it" not in hermes("sessions", "export").stdout


@pytest.mark.parametrize("value", [LINES, CLAUDE], ids=["ours", "claude"])
def test_a_forgotten_conversation_is_left_out_with_its_title(
    hermes: Hermes, own_home: Home, tmp_path: Path, value: object
) -> None:
    file = put(tmp_path, value)
    assert hermes("sessions", "import", file).exit_code == 0
    (session,) = json.loads(hermes("sessions", "list", "--json").stdout)
    assert hermes("memory", "forget", "--session", session["id"], "--yes").exit_code == 0
    again = hermes("sessions", "import", file)
    assert again.stdout == (
        "Imported 0 sessions; 0 new messages.\n"
        "Left out, since it was forgotten for good: 2 messages, 1 session among them whole.\n"
    )
    nothing_of_it(hermes, own_home)


def test_what_names_a_forgotten_thing_in_other_words_is_left_out(
    hermes: Hermes, own_home: Home, tmp_path: Path
) -> None:
    hermes("sessions", "import", put(tmp_path, LINES))
    assert hermes("memory", "forget", "--about", "Krzbtwfingen", "--yes").exit_code == 0
    said = [{"role": "user", "content": "So Krzbtwfingen is far away.", "timestamp": 2.5}]
    other = {**LINES, "id": "other", "title": "To Krzbtwfingen", "messages": said}
    again = hermes("sessions", "import", put(tmp_path, other))
    assert "Left out, since it was forgotten for good: 1 message" in again.stdout
    nothing_of_it(hermes, own_home)


def test_a_forgotten_memory_of_another_program_is_not_here_already(hermes: Hermes, tmp_path: Path) -> None:
    file = put(tmp_path, MEM0)
    hermes("memory", "import", file)
    assert hermes("memory", "forget", "fact:1", "--yes").exit_code == 0
    assert hermes("memory", "import", file).stdout == (
        "Imported from mem0: 0 facts; 0 were here already.\nLeft out, since it was forgotten for good: 1 fact.\n"
    )


@pytest.mark.parametrize("own", [(), ("--own",)], ids=["theirs", "own"])
def test_a_memory_that_holds_it_comes_without_it(
    hermes: Hermes, own_home: Home, tmp_path: Path, own: tuple[str, ...]
) -> None:
    hermes("sessions", "import", "--own", put(tmp_path, LINES))
    file = str(tmp_path / "memory.json")
    hermes("memory", "export", "--output", file)
    assert hermes("memory", "forget", "--session", "talk", "--yes").exit_code == 0
    came = hermes("memory", "import", file, *own).stdout
    assert "Came" not in came
    assert "Left out, since it was forgotten for good: 1 session, 2 messages." in came
    told = json.loads(hermes("memory", "import", file, *own, "--json").stdout)
    assert told["brought"]["blocked"]["messages"] == 2
    nothing_of_it(hermes, own_home)
