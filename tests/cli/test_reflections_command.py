"""`hermes memory reflections`: a task that failed teaches the next one like it; its owner sees and deletes it."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.cli.conversations import connect
from tests.conftest import Hermes
from tests.learn.claimed import hand_in
from tests.openai_server import Call, Say, Use, serve

TASK = "Read the settings of the web shop"
WRONG, RIGHT = (Use(Call("read_file", json.dumps({"path": path}))) for path in ("config.toml", "settings.toml"))


@pytest.fixture
def done(hermes: Hermes, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Hermes:
    """A home in which a task was done whose first call failed."""
    (folder / "settings.toml").write_text("port = 80\n")
    with serve(WRONG, RIGHT, Say("The port is 80.")) as server:
        connect(monkeypatch, server)
        assert hermes("chat", "-q", TASK).exit_code == 0
    monkeypatch.delenv("HERMES_BASE_URL")
    return hermes


@pytest.fixture
def taught(done: Hermes) -> Hermes:
    """The same, and the task was reflected on without a model."""
    assert done("jobs", "run").exit_code == 0
    return done


def test_a_light_model_words_the_lesson(done: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = {"text": "The settings are in settings.toml, not in config.toml.", "evidence": [1, 2]}
    reflecting = Use(Call("reflect", json.dumps({"worked": [], "differently": [lesson]})))
    with serve(hand_in(), reflecting) as server:
        connect(monkeypatch, server)
        assert done("jobs", "run").exit_code == 0
    (found,) = json.loads(done("memory", "reflections", "list", "--json").stdout)
    assert (found["differently"], found["written_by"]) == ([lesson["text"]], "scripted-1")


def test_the_lesson_of_a_task_is_in_front_of_the_next_one_like_it(
    taught: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Say("It is 80.")) as server:
        connect(monkeypatch, server)
        taught("chat", "-q", "Please read the web shop settings again")
        (request,) = [one for one in server.requests if "messages" in one.json]
    sent = json.dumps(request.json["messages"])
    assert "reflection (reflection:001" in sent
    assert "read_file config.toml failed" in sent
    assert "read_file settings.toml worked" in sent


def test_lessons_are_listed_shown_and_in_a_file(taught: Hermes, own_home: Home) -> None:
    listed = taught("memory", "reflections", "list").stdout
    assert "reflection:001" in listed and TASK in listed and "settings.toml worked" in listed
    (found,) = json.loads(taught("memory", "reflections", "list", "--json").stdout)
    assert (found["id"], found["outcome"], found["state"]) == ("reflection:001", "done", "current")
    moments = [datetime.fromisoformat(found[name]) for name in ("began_at", "ended_at", "made_at")]
    assert moments == sorted(moments)
    assert TASK in taught("memory", "reflections", "show", "1").stdout
    assert TASK in own_home.reflections.read_text()
    assert "Reflections: 1" in taught("memory", "status", "--verbose").stdout


def test_lessons_are_found_by_their_words(taught: Hermes) -> None:
    assert "reflection:001" in taught("memory", "search", "--type", "reflections", "web shop").stdout
    assert "reflection:001" in taught("memory", "search", "settings.toml").stdout
    assert taught("memory", "search", "--type", "reflections", "violin").exit_code == 1


def test_a_lesson_that_was_deleted_is_gone_and_comes_back_by_undo(taught: Hermes, own_home: Home) -> None:
    assert "was deleted" in taught("memory", "reflections", "delete", "reflection:001").stdout
    assert json.loads(taught("memory", "reflections", "list", "--json").stdout) == []
    assert taught("jobs", "run").exit_code == 0
    assert TASK not in own_home.reflections.read_text()
    assert taught("memory", "undo").exit_code == 0
    assert TASK in taught("memory", "reflections", "list").stdout
    assert taught("jobs", "run").exit_code == 0
    assert TASK in own_home.reflections.read_text()


def test_several_are_deleted_as_one_change_which_one_undo_brings_back(
    taught: Hermes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(WRONG, RIGHT, Say("80.")) as server:
        connect(monkeypatch, server)
        assert taught("chat", "-q", "Draft a letter about the port").exit_code == 0
    monkeypatch.delenv("HERMES_BASE_URL")
    assert taught("jobs", "run").exit_code == 0
    assert taught("memory", "reflections", "delete", "1", "9").exit_code != 0
    assert len(json.loads(taught("memory", "reflections", "list", "--json").stdout)) == 2, "all or none"
    assert taught("memory", "reflections", "delete", "1", "2", "2").exit_code == 0
    assert json.loads(taught("memory", "reflections", "list", "--json").stdout) == []
    undone = taught("memory", "undo").stdout
    assert undone == "Undone: reflection:001, reflection:002 were deleted.\n"
    assert len(json.loads(taught("memory", "reflections", "list", "--json").stdout)) == 2


def test_an_imported_command_that_failed_is_not_taught_as_what_worked(hermes: Hermes, tmp_path: Path) -> None:
    def call(number: int, command: str) -> dict[str, object]:
        function = {"name": "terminal", "arguments": json.dumps({"command": command})}
        calls = [{"id": f"call_{number}", "type": "function", "function": function}]
        return {"role": "assistant", "content": "", "tool_calls": calls}

    def result(number: int, output: str, exit_code: int) -> dict[str, object]:
        told = json.dumps({"output": output, "exit_code": exit_code, "error": None})
        return {"role": "tool", "tool_call_id": f"call_{number}", "tool_name": "terminal", "content": told}

    said = [
        {"role": "user", "content": "Run the tests of the billing module"},
        call(1, "pytest tests/billing"),
        result(1, "sh: 1: pytest: not found", 127),
        call(2, "uv run pytest tests/billing"),
        result(2, "12 passed", 0),
        {"role": "assistant", "content": "All 12 pass."},
    ]
    exported = tmp_path / "export.json"
    times = {"started_at": 1_760_000_000, "ended_at": 1_760_000_600}
    exported.write_text(json.dumps({"id": "s1", "source": "cli", **times, "messages": said}))
    assert hermes("sessions", "import", str(exported), "--own").exit_code == 0
    hermes("jobs", "run")
    (lesson,) = json.loads(hermes("memory", "reflections", "list", "--json").stdout)
    assert lesson["differently"] == [
        "`pytest tests/billing` failed: “sh: 1: pytest: not found”; `uv run pytest tests/billing` worked."
    ]
    assert lesson["worked"] == ["It was done with `uv run pytest tests/billing`."]


def test_conversations_that_wait_are_told(done: Hermes) -> None:
    told = done("memory", "reflections", "list").stderr
    waits = "1 conversation waits for `hermes jobs run` or the daemon."
    assert told == f"No task has taught anything yet. {waits}\n"


def test_a_home_without_tasks_says_so(hermes: Hermes) -> None:
    told = hermes("memory", "reflections", "list")
    assert told.exit_code == 0 and "No task has taught anything yet" in told.stderr
    assert json.loads(hermes("memory", "reflections", "list", "--json").stdout) == []


@pytest.mark.parametrize("command", ["show", "delete"])
def test_what_is_not_there_is_an_error(hermes: Hermes, command: str) -> None:
    missing = hermes("memory", "reflections", command, "reflection:9")
    assert missing.exit_code != 0 and "There is no reflection:009" in missing.stderr
    wrong = hermes("memory", "reflections", command, "the first")
    assert wrong.exit_code == 2 and "It looks like reflection:042" in wrong.stderr
