"""A handler without a machine of its own: PostgreSQL, an empty home for each process, one turn for each call."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid5

import pytest

from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.errors import SettingError, Transient, UsageError
from hermes_agent.ids import new_uid
from hermes_agent.public.handler import MESSAGES, handle, respond
from hermes_agent.records.archive import Json
from hermes_agent.store import sole
from tests.postgres import server_address

_CALL = """
import json, sys
from hermes_agent.public.handler import handle
print(json.dumps(handle(json.loads(sys.argv[1]), seconds=float(sys.argv[2]))))
"""
_FUNCTION = """
import json, runpy, sys
handler = runpy.run_path(sys.argv[1])["handler"]
print(json.dumps(handler(json.loads(sys.argv[2]), None)))
"""
_DEPLOYED = Path(__file__).parents[2] / "deploy" / "serverless" / "function.py"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
    monkeypatch.setenv("HERMES_MEMORY_SCHEMA", f"s{new_uid().replace('-', '')}")
    monkeypatch.delenv("HERMES_HOME")


def _call(event: Mapping[str, Json], seconds: float = 20) -> dict[str, Json]:
    """Call the handler in a process of its own, as a platform does whose machines come and go."""
    command = [sys.executable, "-c", _CALL, json.dumps(event), str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.usefixtures("server")
def test_each_call_is_a_turn_and_the_next_machine_knows_what_was_said() -> None:
    told = _call({"message": "My name is Ada and I live in Oslo", "id": "m1"})
    assert "Ada" in str(told["answer"])
    asked = _call({"message": "Where do I live?", "id": "m2"})
    assert "Oslo" in str(asked["answer"]) and asked["session"] != told["session"]
    again = _call({"message": "And my name?", "id": "m3", "session": told["session"]})
    assert again["session"] == told["session"]


@pytest.mark.usefixtures("server")
def test_the_same_message_again_is_answered_again_and_kept_once() -> None:
    first = _call({"message": "I keep bees", "id": "m1"})
    again = _call({"message": "I keep bees", "id": "m1"})
    assert again["answer"] == first["answer"] and again["is_repeated"] is True
    assert again["session"] == first["session"]


@contextmanager
def _being_answered(message: str) -> Iterator[None]:
    """Hold a message as the call does that answers it."""
    home = paths.home_at(os.environ["HOME"])
    with (
        closing(App(home, load(home))) as app,
        sole.alone(app.store, f"message {uuid5(MESSAGES, message)}") as is_ours,
    ):
        assert is_ours
        yield


@pytest.mark.usefixtures("server")
def test_a_call_that_comes_while_the_message_is_answered_is_refused() -> None:
    with _being_answered("m1"), pytest.raises(Transient, match="being answered already"):
        handle({"message": "I keep bees", "id": "m1"})
    assert _call({"message": "I keep bees", "id": "m1"})["answer"]


@pytest.mark.usefixtures("server")
def test_without_a_message_the_due_work_is_done() -> None:
    _call({"message": "I keep bees", "id": "m1"}, seconds=0)
    worked = _call({})
    assert "answer" not in worked and isinstance(worked["jobs"], dict) and worked["jobs"]["waiting"] == 0


def _deployed(event: Mapping[str, Json]) -> tuple[int, dict[str, Json]]:
    """Call the function that is deployed, in a process of its own; return the status and what it answers."""
    command = [sys.executable, "-c", _FUNCTION, str(_DEPLOYED), json.dumps(event)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["headers"] == {"content-type": "application/json"}
    return answer["statusCode"], json.loads(answer["body"])


@pytest.mark.usefixtures("server")
def test_the_function_that_is_deployed_answers_a_request() -> None:
    status, answer = _deployed({"body": json.dumps({"message": "I keep bees", "id": "m1"})})
    assert status == 200 and answer["session"]


@pytest.mark.usefixtures("server")
def test_the_function_that_is_deployed_does_the_due_work() -> None:
    status, answer = _deployed({})
    assert status == 200 and list(answer) == ["jobs"]


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("body", "status", "sentence"),
    [
        ("", 400, "The body is no JSON."),
        ("What?", 400, "The body is no JSON."),
        ("[" * 100_000, 400, "The body is no JSON."),
        ('["What?"]', 400, "The body is no JSON object."),
        ('{"message": 5}', 400, "`message` is text."),
        (
            r'{"message": "x", "id": "\ud800"}',
            400,
            "`id` has half a character: a surrogate without its other half.",
        ),
        ('{"message": "What?", "session": "nosuch"}', 404, "No session is called 'nosuch'."),
    ],
)
def test_a_request_that_is_none_gets_a_status_and_a_sentence(body: str, status: int, sentence: str) -> None:
    assert respond(body) == (status, {"error": sentence})


@pytest.mark.usefixtures("server")
def test_a_request_that_comes_while_the_message_is_answered_is_to_come_again() -> None:
    with _being_answered("m1"):
        status, answer = respond('{"message": "I keep bees", "id": "m1"}')
    assert (status, answer) == (503, {"error": "This message is being answered already."})


def test_without_a_server_nothing_is_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HERMES_MEMORY_BACKEND", raising=False)
    with pytest.raises(SettingError, match="nothing would be kept"):
        handle({"message": "hello"})


@pytest.mark.parametrize(
    ("event", "name"),
    [({"message": 3}, "message"), ({"message": "x", "id": "y" * 201}, "id"), ({"session": []}, "session")],
)
def test_what_is_no_event_is_refused(event: Mapping[str, object], name: str) -> None:
    with pytest.raises(UsageError, match=f"^`{name}` "):
        handle(event)


def test_an_id_with_half_a_character_is_refused() -> None:
    with pytest.raises(UsageError, match="half a character"):
        handle({"message": "I keep bees", "id": "\ud800"})
