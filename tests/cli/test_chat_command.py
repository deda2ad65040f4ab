"""`hermes chat` from the command line and through a pipe: what is printed where, what is kept, how it ends."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.cli.conversations import HERMES, ROOT, connect, messages, sessions
from tests.conftest import Hermes
from tests.openai_server import Call, Fail, Say, Use, serve

pytestmark = pytest.mark.usefixtures("folder")


# Without a language model.


def test_what_was_said_is_known_in_a_later_session(hermes: Hermes) -> None:
    first = hermes("chat", input="My name is Ada and I prefer metric units.\n")
    assert first.exit_code == 0
    second = hermes("chat", input="What is my name?\nWhat is my phone number?\n")
    name, phone = second.stdout.split("\n\n", 1)
    assert "Ada" in name
    assert "Ada" not in phone


def test_one_question_is_answered_from_the_command_line(hermes: Hermes) -> None:
    hermes("chat", "-q", "I live in Graz.")
    assert "Graz" in hermes("chat", "-q", "Where do I live?").stdout


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("My cat is called Biscuit.", "What is my cat called?"),
        ("My boss Eve lives in Bonn.", "Where does my boss live?"),
    ],
)
def test_a_search_is_shown_as_the_question_it_is_for(hermes: Hermes, told: str, question: str) -> None:
    hermes("chat", "-q", told)
    shown = hermes("chat", "-q", question).stderr
    assert f"· session_search  {question}\n" in shown
    assert "died" not in shown and " OR " not in shown


def test_the_first_line_says_who_answers_and_keeps_out_of_the_output(hermes: Hermes) -> None:
    outcome = hermes("chat", input="I live in Graz.\n")
    assert "hermes model set" in outcome.stderr.splitlines()[0]
    assert "hermes model set" not in outcome.stdout


def test_every_line_is_kept_with_its_answer(hermes: Hermes) -> None:
    hermes(input="one\n\n   \ntwo\n/help\n")
    (session,) = sessions(hermes)
    assert [message["content"] for message in messages(hermes) if message["role"] == "user"] == ["one", "two"]
    assert session["end_reason"] == "agent_close"
    assert session["source"] == "cli"


def test_a_last_line_without_a_line_end_counts(hermes: Hermes) -> None:
    hermes("chat", input="one\ntwo")
    assert [message["content"] for message in messages(hermes) if message["role"] == "user"] == ["one", "two"]


def test_an_empty_input_starts_no_session(hermes: Hermes) -> None:
    assert hermes("chat", input="").exit_code == 0
    assert hermes("chat", input="\n  \n").exit_code == 0
    assert sessions(hermes) == []


def test_bytes_that_are_no_text_are_no_reason_to_stop(hermes: Hermes) -> None:
    data = b"\xef\xbb\xbffirst\r\nnul \x00 here\nbroken \xff\xfe bytes\nlast"
    done = subprocess.run(
        [*HERMES, "chat"], input=data, capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True
    )
    assert b"Traceback" not in done.stderr
    said = [message["content"] for message in messages(hermes) if message["role"] == "user"]
    assert said == ["first", "nul \x00 here", "broken \ufffd\ufffd bytes", "last"]


def test_a_dash_reads_the_whole_pipe_as_one_message(hermes: Hermes) -> None:
    assert hermes("chat", "-q", "-", input="one\n\n two\n").exit_code == 0
    assert messages(hermes)[0]["content"] == "one\n\n two"
    assert hermes("chat", "-q", "-", input=" \n").exit_code == 2


def test_nothing_to_say_is_refused(hermes: Hermes) -> None:
    outcome = hermes("chat", "-q", "  ")
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("Error: There is nothing to say.\nHint: ")


# With a model on the other side of real HTTP.


def test_the_output_is_the_answer_alone(hermes: Hermes, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "notes.txt").write_text("a\nb\n")
    reading = Use(Call("read_file", '{"path": "notes.txt"}'), text="Let me look.")
    with serve(reading, Say("It has ", "two lines.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", "-q", "How long is notes.txt?")
    assert (outcome.exit_code, outcome.stdout) == (0, "It has two lines.\n")
    assert "· read_file  notes.txt\n  ✓ " in outcome.stderr


def test_answers_in_a_pipe_have_an_empty_line_between_them(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Say("First.\n"), Say("Second."), Say("Third.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", input="1\n2\n3\n")
    assert outcome.stdout == "First.\n\nSecond.\n\nThird.\n"
    assert "answers: baseUrl is set." in outcome.stderr.splitlines()[0]


def test_json_is_one_object_a_line(hermes: Hermes, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "notes.txt").write_text("a\n")
    steps = (Say("One."), Use(Call("read_file", '{"path": "notes.txt"}')), Say("Two."), Fail(400, "No."))
    with serve(*steps) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", "--json", input="1\n2\n/usage\n3\n")
    first, second, command, failure = map(json.loads, outcome.stdout.splitlines())
    assert (first["text"], first["ending"], first["tools"], first["memories"]) == ("One.", "answered", [], [])
    assert first["usage"]["input"] == 100
    assert first["session_id"] == second["session_id"] == sessions(hermes)[0]["id"]
    assert second["tools"] == [{"name": "read_file", "arguments": {"path": "notes.txt"}, "is_error": False}]
    assert command["command"] == "/usage" and "tokens" in command["text"]
    assert set(failure) == {"error", "hint"}
    assert outcome.exit_code != 0


def test_one_answer_can_be_json(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Say("Yes.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", "--json", "-q", "Well?")
    assert json.loads(outcome.stdout)["text"] == "Yes."


def test_an_error_is_told_and_the_next_message_is_answered(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Fail(401, "Bad key."), Say("Here I am.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", input="one\ntwo\n")
    assert outcome.stdout == "Here I am.\n"
    assert "\nError: " in outcome.stderr and "\nHint: " in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert outcome.exit_code == 1


def test_an_error_of_the_only_answer_is_the_exit_code(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Fail(401, "Bad key.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", "-q", "one")
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert outcome.stderr.startswith("Error: ")


def test_a_command_that_needs_a_yes_is_refused_when_nobody_can_say_it(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    with serve(Use(Call("shell", '{"command": "touch made"}')), Say("I may not.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", "-q", "Make a file.")
    assert outcome.stdout == "I may not.\n"
    assert "Nobody is there to be asked" in outcome.stderr and "touch made" in outcome.stderr
    assert not (folder / "made").exists()


def test_escapes_of_a_model_never_reach_the_terminal(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31mred\x1b[0m"
    with serve(Use(Call(f"no{evil}tool", json.dumps({"path": evil}))), Say(evil)) as server:
        connect(monkeypatch, server)
        plain, as_json = hermes("chat", "-q", "1"), hermes("chat", "--json", "-q", "2")
    for outcome in (plain, as_json):
        assert not set("\x1b\x07\x9b") & set(outcome.stdout + outcome.stderr)
    assert "red" in plain.stdout
    assert json.loads(as_json.stdout)["text"] == evil


def test_a_secret_is_taken_out_and_said(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-" + "proj-" + "Ab1" * 20
    with serve(Say("Fine.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", "-q", f"My key is {secret}")
    assert "was taken out before anything was kept." in outcome.stderr
    assert secret not in str(messages(hermes)) and secret.encode() not in server.requests[-1].body


def test_incognito_keeps_nothing_and_says_so_twice(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Say("Hello.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", "--incognito", input="I am Ada.\nAnd who are you?\n/undo\n/remember\n")
        as_json = hermes("chat", "--incognito", "--json", "-q", "Hello")
    assert len(server.requests[1].json["messages"]) > len(server.requests[0].json["messages"])
    assert "nothing of this conversation is kept" in outcome.stderr.lower()
    assert outcome.stderr.endswith("Nothing of this conversation was kept.\n")
    assert outcome.stderr.count("Nothing of an incognito conversation is kept") == 2
    assert json.loads(as_json.stdout)["session_id"] is None
    assert sessions(hermes) == []


def test_a_conversation_goes_on_by_id_title_and_as_the_latest(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Say("Good.")) as server:
        connect(monkeypatch, server)
        hermes("chat", "-q", "first")
        identity = str(sessions(hermes)[0]["id"])
        hermes("sessions", "rename", identity, "The plan")
        assert hermes("chat", "--resume", identity, "-q", "second").exit_code == 0
        assert hermes("chat", "--resume", "The plan", "-q", "third").exit_code == 0
        outcome = hermes("chat", "--continue", "-q", "fourth")
    assert identity in outcome.stderr and "The plan" in outcome.stderr
    said = [message["content"] for message in messages(hermes) if message["role"] == "user"]
    assert said == ["first", "second", "third", "fourth"]
    prompts = [request.json["messages"][0] for request in server.requests]
    assert all(prompt == prompts[0] for prompt in prompts)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--resume", "nothing like it"), "No session is called"),
        (("--continue",), "There is no conversation yet"),
        (("--continue", "--resume", "x"), "do not go together"),
        (("--incognito", "--continue"), "incognito"),
        (("--model", "nobody:nothing"), "nobody"),
    ],
)
def test_what_cannot_be_is_said_at_the_start(hermes: Hermes, arguments: tuple[str, ...], words: str) -> None:
    outcome = hermes("chat", "-q", "Hello", *arguments)
    assert outcome.exit_code in (1, 2)
    assert outcome.stderr.startswith("Error: ") and words in outcome.stderr
    assert sessions(hermes) == []


def test_a_model_is_chosen_for_one_run(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Say("From the server.")) as server:
        connect(monkeypatch, server)
        assert hermes("chat", "--model", "other-2", "-q", "Hello").stdout == "From the server.\n"
        assert server.requests[0].json["model"] == "other-2"
        assert "From the server." not in hermes("chat", "--model", "embedded", "-q", "Hello").stdout
        assert len(server.requests) == 1


def test_the_history_and_the_prompt_are_not_loaded_for_one_answer(own_home: Home) -> None:
    script = (
        "import atexit, sys\n"
        "atexit.register(lambda: sys.stderr.write(' '.join(sys.modules)))\n"
        "from hermes_agent.cli.main import run; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "chat", "-q", "Hello"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
    )
    loaded = {name.split(".")[0] for name in done.stderr.split()}
    assert not {"prompt_toolkit", "rich", "pydantic_ai"} & loaded
    assert not own_home.chat_history.exists()


def test_a_note_that_cannot_be_read_is_told_of_once_and_the_chat_goes_on(hermes: Hermes, own_home: Home) -> None:
    hermes("chat", "-q", "My name is Ada.")
    (own_home.memories / "MEMORY.md").write_bytes(b"abc\xff")
    told = hermes("chat", input="What is my name?\nThe gate code is 4711.\n")
    assert told.exit_code == 0
    assert "Your name is Ada." in told.stdout
    assert told.stderr.count("MEMORY.md cannot be read (it is not valid UTF-8); it was left as it is.\n") == 1
    assert "4711" in hermes("sessions", "search", "4711").stdout


def test_the_chats_options_stand_at_the_door_too(hermes: Hermes) -> None:
    hermes("-q", "My name is Ada.")
    assert "Your name is Ada." in hermes("-p", "default", "-q", "What is my name?").stdout
    assert hermes("--bogus").exit_code == 2


def test_a_name_of_half_a_character_is_no_session(hermes: Hermes) -> None:
    for arguments in (("chat", "--resume", "\udcff", "-q", "hi"), ("sessions", "show", "\udcff")):
        failed = hermes(*arguments)
        assert (failed.exit_code, "Traceback" in failed.stderr) == (2, False)


def test_a_conversation_that_was_removed_meanwhile_begins_anew_and_says_so_once(hermes: Hermes) -> None:
    chat = subprocess.Popen(
        [sys.executable, "-m", "hermes_agent", "chat"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ),
        text=True,
    )
    assert chat.stdin is not None and chat.stdout is not None
    chat.stdin.write("I live in Graz.\n")
    chat.stdin.flush()
    chat.stdout.readline()
    deadline = time.monotonic() + 60
    while len(messages(hermes)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    (session,) = sessions(hermes)
    assert hermes("memory", "forget", "--session", str(session["id"]), "--yes").exit_code in (0, 1)
    _, told = chat.communicate("I play the cello.\nI play the flute.\n", timeout=60)
    assert chat.returncode == 0
    assert told.count("The conversation was removed meanwhile: a new one begins.") == 1
    assert [one["content"] for one in messages(hermes) if one["role"] == "user"] == [
        "I play the cello.",
        "I play the flute.",
    ]
