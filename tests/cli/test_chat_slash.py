"""Slash commands of `hermes chat` through a pipe: which lines are one, and what each does."""

from pathlib import Path

import pytest

from hermes_agent.cli import slash
from tests.cli.conversations import connect, sessions
from tests.conftest import Hermes
from tests.openai_server import Call, Say, Use, serve

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("/help", slash.Typed("/help", "")),
        ("/HELP", slash.Typed("/help", "")),
        ("/search  two words ", slash.Typed("/search", "two words")),
        ("/serch", slash.Unknown("/serch")),
        ("/etc/hosts is broken", None),
        ("/etc/hosts", None),
        ("/serch docker", None),
        ("/tmp is full", None),
        ("a /help", None),
        ("/", None),
        ("/2", None),
    ],
)
def test_only_a_known_name_is_a_command(said: str, expected: slash.Typed | slash.Unknown | None) -> None:
    assert slash.read(said) == expected


def test_slash_commands_search_and_quit(hermes: Hermes) -> None:
    hermes("chat", "-q", "The deploy runs on docker.")
    outcome = hermes("chat", input="/search docker\n/quit\nxyzzy\n")
    assert ">>>docker<<<" in outcome.stdout
    assert hermes("sessions", "search", "xyzzy").exit_code == 1


def test_an_unknown_command_is_answered_with_the_nearest(hermes: Hermes) -> None:
    outcome = hermes("chat", input="/serch\n/xyzzyq\n")
    assert "There is no command /serch.\nHint: Did you mean /search?" in outcome.stderr
    assert "/help lists the commands." in outcome.stderr
    assert sessions(hermes) == []


def test_help_names_every_command(hermes: Hermes) -> None:
    shown = hermes("chat", input="/help\n").stdout
    assert all(name in shown for name in slash.COMMANDS)


def test_every_command_can_be_typed_at_once(hermes: Hermes) -> None:
    lines = [name for name in slash.COMMANDS if name not in ("/quit", "/exit")]
    outcome = hermes("chat", input="\n".join(lines))
    assert "Traceback" not in outcome.stderr
    assert sessions(hermes) == []


def test_undo_takes_back_the_last_exchange(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Say("One."), Say("Two."), Say("Three.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", input="first\nsecond xyzzy\n/undo\nthird\n")
    assert "Taken back: second xyzzy" in outcome.stdout
    told = str(server.requests[2].json["messages"])
    assert "first" in told and "third" in told and "xyzzy" not in told
    assert hermes("sessions", "search", "xyzzy").exit_code == 1
    assert "There is nothing to take back" in hermes("chat", input="/undo\n").stderr


def test_new_begins_another_conversation(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Say("Yes.")) as server:
        connect(monkeypatch, server)
        hermes("chat", input="first\n/new\nsecond\n")
    assert sorted(str(session["end_reason"]) for session in sessions(hermes)) == ["agent_close", "new_command"]
    assert len(server.requests[1].json["messages"]) == len(server.requests[0].json["messages"])


def test_resume_leaves_one_conversation_and_goes_on_with_another(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Say("Yes.")) as server:
        connect(monkeypatch, server)
        hermes("chat", "-q", "first")
        identity = str(sessions(hermes)[0]["id"])
        outcome = hermes("chat", input=f"second\n/sessions\n/resume {identity}\nthird\n/resume nothing\n/resume\n")
    assert identity in outcome.stdout and "first" in outcome.stdout
    assert "No session is called 'nothing'" in outcome.stderr and "Which conversation?" in outcome.stderr
    counts = {str(session["id"]): session["message_count"] for session in sessions(hermes)}
    assert sorted(counts.values(), key=str) == [2, 4] and counts[identity] == 4


def test_the_model_changes_inside_a_conversation(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Say("Yes.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", input="first\n/model other-2\nsecond\n/model no:such\n/model\n")
    assert [request.json["model"] for request in server.requests] == ["scripted-1", "other-2"]
    assert "other-2 answers" in outcome.stdout
    assert server.requests[1].json["messages"][0] == server.requests[0].json["messages"][0]


def test_memory_shows_the_notes_and_how_full_they_are(hermes: Hermes) -> None:
    hermes("notes", "add", "--target", "user", "Ada prefers metric units.")
    shown = hermes("chat", input="/memory\n").stdout
    assert "USER.md  1%" in shown and "- Ada prefers metric units." in shown and "MEMORY.md  0%" in shown


def test_a_note_that_is_nearly_full_is_said_at_the_start(hermes: Hermes) -> None:
    hermes("notes", "add", "--target", "user", "Ada likes long sentences. " * 50)
    assert "USER.md is nearly full: 9" in hermes("chat", input="/quit\n").stderr


def test_rollback_lists_shows_and_restores_copies(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    file = folder / "a.txt"
    file.write_text("before\n")
    with serve(Use(Call("write_file", '{"path": "a.txt", "content": "after\\n"}')), Say("Done.")) as server:
        connect(monkeypatch, server)
        hermes("chat", "-q", "Change it.")
    assert file.read_text() == "after\n"
    outcome = hermes("chat", input="/rollback\n/rollback diff 1\n/rollback 1 a.txt\n/rollback x\n/rollback 99\n")
    assert "  1  20" in outcome.stdout
    assert "-before" in outcome.stdout and "+after" in outcome.stdout
    assert file.read_text() == "before\n"
    assert "'x' is not the number of a checkpoint" in outcome.stderr
    assert outcome.stderr.count("Error: ") == 2


def test_a_session_is_resumed_by_its_number(hermes: Hermes) -> None:
    hermes("chat", "-q", "My name is Ada.")
    told = hermes("chat", input="/sessions\n/resume 1\n")
    assert " 1. " in told.stdout
    assert "Going on with " in told.stdout
