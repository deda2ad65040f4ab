"""A server that lies, and words that are not UTF-8: one clear error, and nothing is written."""

import json
import tracemalloc
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import Hermes, Outcome
from tests.loopback import QuietHandler, listening

BEGUN = ("begun", {"turn": "t", "session_id": "s"})
CALL = {"id": "1", "name": "shell", "arguments": "{}", "purpose": ""}
ENDED = {"text": "x", "session_id": "s", "ending": "answered", "usage": {}, "memories": []}
CHATS: Mapping[str, Sequence[tuple[str, object]]] = {
    "begun without a turn": [("begun", {})],
    "begun with another shape": [("begun", [])],
    "begun with a number": [("begun", {"turn": 1, "session_id": "s"})],
    "an approval without its call": [BEGUN, ("approval", {"id": "1", "question": "?"})],
    "an approval without its id": [BEGUN, ("approval", {"call": CALL, "question": "?"})],
    "an end without its usage": [BEGUN, ("finished", {"text": "x"})],
    "an end of nothing": [BEGUN, ("finished", None)],
    "an end with an odd ending": [BEGUN, ("finished", {**ENDED, "ending": "7"})],
    "an end with an odd usage": [BEGUN, ("finished", {**ENDED, "usage": {"cents": 5}})],
    "an end with odd memories": [BEGUN, ("finished", {**ENDED, "memories": [{"a": "b"}]})],
    "a text that is none": [BEGUN, ("text", {"text": {}})],
    "memories that are none": [BEGUN, ("recalled", {"memories": 5})],
    "a tool without a call": [BEGUN, ("tool", {})],
    "a failure without a word": [BEGUN, ("failed", {"detail": ["a"], "hint": {"b": 1}})],
}
RUNS: Mapping[str, Sequence[object]] = {
    "an exit in words": [{"exit": "abc"}],
    "an exit of nothing": [{"exit": None}],
    "an exit that is no code": [{"exit": 10**30}],
    "a negative exit": [{"exit": -5}],
    "no exit": [{"run": "1"}],
    "what is no base64": [{"stdout": "!!!"}, {"exit": 0}],
    "what is not even ASCII": [{"stdout": "é"}, {"exit": 0}],
    "another shape of output": [{"stdout": [1]}, {"exit": 0}],
}


class Liar(QuietHandler):
    """Answers with what the token names."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        told = self.headers["Authorization"].removeprefix("Bearer ")
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        if told == "a line without an end":
            with suppress(OSError):  # whoever reads leaves
                while True:
                    self.wfile.write(b"A" * (1 << 20))
        if self.path == "/api/chat":
            for name, data in CHATS[told]:
                self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())
        else:
            lines = RUNS.get(told) or [{"file": "f", "data": b64encode(b"half").decode()}, {"exit": 1}]
            self.wfile.write(b"".join(json.dumps(line).encode() + b"\n" for line in lines))


def ask(hermes: Hermes, told: str, *words: str) -> Outcome:
    with listening(Liar) as port, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HERMES_TOKEN", told)
        return hermes("--server", f"http://127.0.0.1:{port}", *words)


@pytest.mark.parametrize("told", CHATS)
def test_an_event_that_is_not_as_it_should_be_is_one_error(hermes: Hermes, told: str) -> None:
    outcome = ask(hermes, told, "chat", "-q", "x")
    assert outcome.exit_code == 1 and "answers, but not as hermes does" in outcome.stderr, outcome


@pytest.mark.parametrize("words", [("status",), ("chat", "-q", "x", "-r", "abc")])
@pytest.mark.parametrize("told", RUNS)
def test_a_line_that_is_not_as_it_should_be_is_one_error(
    hermes: Hermes, told: str, words: tuple[str, ...]
) -> None:
    outcome = ask(hermes, told, *words)
    wanted = "broke off" if told == "no exit" else "answers, but not as hermes does"
    assert outcome.exit_code == 1 and wanted in outcome.stderr, outcome


def test_a_file_of_a_command_that_failed_does_not_appear(hermes: Hermes, tmp_path: Path) -> None:
    target = tmp_path / "memory.json"
    assert ask(hermes, "a failure", "memory", "export", "--output", str(target)).exit_code == 1
    assert list(tmp_path.glob("*memory.json*")) == []


@pytest.mark.parametrize("words", [("status",), ("chat", "-q", "x"), ("chat", "-q", "x", "-r", "abc")])
def test_a_line_without_an_end_does_not_fill_the_memory(hermes: Hermes, words: tuple[str, ...]) -> None:
    tracemalloc.start()
    outcome = ask(hermes, "a line without an end", *words)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert outcome.exit_code == 1 and "answers, but not as hermes does" in outcome.stderr, outcome
    assert most < 500_000_000


def test_a_file_without_an_end_is_not_read_for_ever(hermes: Hermes) -> None:
    outcome = ask(hermes, "no exit", "memory", "import", "/dev/zero")
    assert outcome.exit_code == 2 and "/dev/zero is too large" in outcome.stderr, outcome
    assert "takes 47.9 MB with a command" in outcome.stderr


def test_a_place_that_cannot_be_written_is_told_before_anything_is_asked(hermes: Hermes, tmp_path: Path) -> None:
    outcome = ask(hermes, "no exit", "memory", "export", "--output", str(tmp_path / "missing" / "m.json"))
    assert outcome.exit_code == 2 and outcome.stdout == ""
    assert f"{tmp_path / 'missing' / 'm.json'} cannot be written" in outcome.stderr


def test_a_server_without_a_name_is_not_this_machine(hermes: Hermes) -> None:
    outcome = hermes("--server", "", "memory", "facts")
    assert outcome.exit_code == 2 and "--server names no server" in outcome.stderr


def test_words_that_are_not_utf_8_are_not_sent(hermes: Hermes) -> None:
    for words in (("memory", "search", "bad\udcff"), ("chat", "-q", "bad\udcff")):
        outcome = ask(hermes, "no exit", *words)
        assert outcome.exit_code == 2 and "is not UTF-8" in outcome.stderr, outcome
