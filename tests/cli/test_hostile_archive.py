"""What came in from a file may hold anything; every command goes on working and steers no terminal."""

import json
import os
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes

EVIL = "e\x1b]0;title\x07v\x1b[35mil\r\x9b2J"


def bring(hermes: Hermes, folder: Path, *sessions: dict[str, object]) -> None:
    file = folder / "sessions.jsonl"
    file.write_text("".join(json.dumps(session) + "\n" for session in sessions))
    outcome = hermes("sessions", "import", str(file))
    assert outcome.exit_code == 0, outcome.stderr


def session(identity: str, **more: object) -> dict[str, object]:
    said = [{"role": "user", "content": f"hello {identity}", "timestamp": 1.0}]
    return {"id": identity, "started_at": 1.0, "source": "cli", "messages": said, **more}


COMMANDS = (
    ("sessions", "list"),
    ("sessions", "list", "--json"),
    ("sessions", "browse"),
    ("sessions", "browse", "--json"),
    ("sessions", "search", "hello", "--detail", "full"),
    ("sessions", "search", "hello", "--json"),
    ("sessions", "stats"),
    ("sessions", "export", "--format", "markdown"),
    ("memory", "log"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_stored_escapes_never_reach_a_terminal(hermes: Hermes, tmp_path: Path, command: tuple[str, ...]) -> None:
    bring(hermes, tmp_path, session(EVIL, title=EVIL, source=EVIL, user_id=EVIL, model=EVIL))
    outcome = hermes(*command)
    assert outcome.exit_code == 0, outcome.stderr
    assert not set("\x1b\x07\r\x9b") & set(outcome.stdout + outcome.stderr)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_lone_surrogate_breaks_no_command(hermes: Hermes, tmp_path: Path, command: tuple[str, ...]) -> None:
    bring(hermes, tmp_path, session("\ud800s", title="\udfff t"), session("other"))
    assert hermes(*command).exit_code == 0


@pytest.mark.parametrize("reader", ["rules", "trained"])
def test_half_an_emoji_in_a_message_does_not_stop_learning(hermes: Hermes, tmp_path: Path, reader: str) -> None:
    said = ["My cat \ud83d is called Otto.", "Ich wohne in M\ud83dnchen.", "Always use tabs \ud83d, never spaces."]
    messages = [{"role": "user", "content": text, "timestamp": 1.0} for text in said]
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(session("half", messages=messages)) + "\n")
    assert hermes("config", "set", "memory.learning.reader", reader).exit_code == 0
    assert hermes("sessions", "import", "--own", str(file)).exit_code == 0
    outcome = hermes("jobs", "run")
    assert outcome.exit_code == 0 and "Traceback" not in outcome.stderr
    assert "Otto" in hermes("memory", "facts", "list").stdout
    states = {job["state"] for job in json.loads(hermes("jobs", "list", "--json").stdout)}
    assert states == {"done"}


def test_times_at_the_ends_of_the_calendar_can_be_shown(
    hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(hermes, tmp_path, session("last", started_at=253402300799), session("first", started_at=-62135596800))
    for zone in ("Asia/Tokyo", "America/New_York"):
        monkeypatch.setenv("HERMES_DISPLAY_TIME_ZONE", zone)
        assert hermes("sessions", "list").exit_code == 0
        assert hermes("sessions", "show", "last").exit_code == 0
    assert "0001-01-01" in hermes("sessions", "show", "first").stdout


def test_counts_beyond_all_measure_are_added_up(hermes: Hermes, tmp_path: Path) -> None:
    bring(hermes, tmp_path, *(session(name, input_tokens=2**63 - 1) for name in "ab"))
    assert hermes("sessions", "stats").exit_code == 0


@pytest.mark.parametrize("number", ["9" * 400, "1e999", "-1e999"])
def test_a_time_beyond_all_measure_is_a_broken_entry(hermes: Hermes, tmp_path: Path, number: str) -> None:
    file = tmp_path / "sessions.jsonl"
    file.write_text(f'{{"id": "a", "started_at": {number}, "messages": []}}\n')
    outcome = hermes("sessions", "import", str(file))
    assert outcome.exit_code == 2
    assert "line 1" in outcome.stderr


def test_what_is_no_file_is_refused_and_not_waited_for(hermes: Hermes, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert hermes("sessions", "import", str(pipe)).exit_code == 2
    assert hermes("import", str(pipe)).exit_code != 0
    assert hermes("sessions", "import", "/dev/zero").exit_code == 2


def test_what_is_dated_in_the_future_does_not_outdo_what_is_said_now(
    hermes: Hermes, own_home: Home, tmp_path: Path
) -> None:
    ahead = 4_000_000_000.0  # in 2096
    said = [{"role": "user", "content": "I live in Nuuk.", "timestamp": ahead}]
    file = tmp_path / "own.jsonl"
    file.write_text(json.dumps(session("ahead", started_at=ahead, ended_at=ahead + 9, messages=said)) + "\n")
    assert hermes("sessions", "import", "--own", str(file)).exit_code == 0
    assert hermes("jobs", "run").exit_code == 0
    (nuuk,) = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    assert nuuk["said_at"] < "2096"
    assert hermes("chat", "-q", "Where do I live?").stdout.startswith("You live in Nuuk.")
    assert hermes("memory", "fact", "add", "I live in Bonn").exit_code == 0
    assert hermes("chat", "-q", "Where do I live?").stdout.startswith("You live in Bonn.")
    listed = hermes("memory", "facts", "list").stdout
    assert "Bonn" in listed and "Nuuk" not in listed
    note = own_home.user_note.read_text()
    assert "Bonn" in note and "Nuuk" not in note
