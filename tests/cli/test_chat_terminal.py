"""`hermes` at a real pseudo-terminal: typing, streaming, stopping, asking, leaving."""

import json
import os
import signal
import stat
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.counts import count
from tests.openai_server import Call, Fail, Hang, Say, Use, serve
from tests.terminal import Terminal, open_chat

CTRL_C = "\x03"
CTRL_D = "\x04"
ALT_ENTER = "\x1b\r"
PASTE = "\x1b[200~{}\x1b[201~"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty working folder."""
    made = tmp_path / "work"
    made.mkdir()
    return made


def said(hermes: Hermes) -> list[str]:
    """Return what the user said in the only session."""
    return [str(message["content"]) for message in messages(hermes) if message["role"] == "user"]


def messages(hermes: Hermes) -> list[dict[str, object]]:
    (session,) = json.loads(hermes("sessions", "list", "--json").stdout)
    found = json.loads(hermes("sessions", "show", session["id"], "--json").stdout)["messages"]
    assert isinstance(found, list)
    return found


def end_reason(hermes: Hermes) -> str:
    (session,) = json.loads(hermes("sessions", "list", "--json").stdout)
    return str(session["end_reason"])


def answer(terminal: Terminal, keys: str, words: str) -> str:
    """Type something and wait for words of the answer and the next prompt."""
    terminal.type(keys)
    shown = terminal.expect(words)
    return shown + terminal.ready()


def test_a_chat_without_a_model_from_the_first_line_to_the_last(hermes: Hermes, own_home: Home) -> None:
    with open_chat() as terminal:
        assert "hermes model set" in terminal.ready()
        answer(terminal, "My name is Ada.\r", "Ada")
        terminal.type("/quit\r")
        assert terminal.end() == 0
    with open_chat("chat") as terminal:
        terminal.ready()
        answer(terminal, "What is my name?\r", "Ada")
        terminal.type(CTRL_D)
        assert terminal.end() == 0
    assert "Traceback" not in terminal.text
    assert "My name is Ada." in own_home.chat_history.read_text()
    assert stat.S_IMODE(own_home.chat_history.stat().st_mode) == 0o600


def test_markdown_is_streamed_and_escapes_are_left_out() -> None:
    text = "# Title\n\nSome **bold** words.\n\n- one\n- two\x1b]0;owned\x07\x1b[2J\n\nThe end."
    with serve(Say(*text)) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        assert "answers: baseUrl is set." in terminal.ready()
        shown = answer(terminal, "Well?\r", "The end.")
        assert "Some bold words." in shown and " • one" in shown
        assert "**" not in shown and "# Title" not in shown
        assert b"owned" not in terminal.raw and b"\x1b[2J" not in terminal.raw


def test_several_lines_are_typed_and_pasted(hermes: Hermes) -> None:
    with serve(Say("Understood.")) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        answer(terminal, f"one{ALT_ENTER}two\r", "Understood.")
        answer(terminal, "three\\\rfour\r", "Understood.")
        answer(terminal, PASTE.format("five\nsix") + "\r", "Understood.")
        terminal.type(CTRL_D)
        assert terminal.end() == 0
    assert said(hermes) == ["one\ntwo", "three\nfour", "five\nsix"]


def test_ctrl_c_stops_the_answer_and_keeps_what_was_said(hermes: Hermes) -> None:
    script = (Hang("Half an answer"), Say("And on."))
    with serve(*script) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        terminal.type("Tell me\r")
        terminal.expect("Half an answer")
        answer(terminal, CTRL_C, "Stopped. What was said is kept.")
        assert server.left.wait(60)
        answer(terminal, "Go on\r", "And on.")
        terminal.type(CTRL_D)
        assert terminal.end() == 0
    kept = messages(hermes)
    assert [message["content"] for message in kept] == ["Tell me", "Half an answer", "Go on", "And on."]
    assert kept[1]["finish_reason"] == "interrupted"
    assert end_reason(hermes) == "agent_close"


def test_ctrl_c_clears_the_line_and_twice_on_an_empty_one_says_how_to_leave(hermes: Hermes) -> None:
    with serve(Say("Yes.")) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        terminal.type("rubbish")
        terminal.expect("rubbish")
        answer(terminal, f"{CTRL_C}sense\r", "Yes.")
        answer(terminal, CTRL_C + CTRL_C, "Ctrl-D or /quit ends the chat.")
        terminal.type(CTRL_D)
        assert terminal.end() == 0
    assert said(hermes) == ["sense"]


def test_commands_are_completed_with_their_help() -> None:
    with open_chat() as terminal:
        terminal.ready()
        terminal.type("/se")
        terminal.expect("find conversations")
        terminal.type(f"{CTRL_C}/sta")
        terminal.expect("show model, conversation, notes and jobs")
        answer(terminal, "\t\r", "Profile")


def test_tools_are_shown_folded_and_a_command_runs_after_a_yes(hermes: Hermes, folder: Path) -> None:
    calls = [Use(Call("shell", json.dumps({"command": f"echo made > {name}"}))) for name in ("a", "b", "b", "c")]
    script = (calls[0], calls[1], calls[2], calls[3], Say("All done."))
    with serve(*script) as server, open_chat(folder=folder, HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        terminal.type("Go\r")
        assert "echo made > a" in terminal.expect("[a]lways for this command in this conversation:")
        terminal.type("n\r")
        terminal.expect("✗ The owner did not allow this.")
        terminal.expect("[a]lways")
        terminal.type("a\r")
        terminal.expect("· shell  echo made > b")
        terminal.expect("✓ ")
        terminal.expect("· shell  echo made > b")  # asked once, answered for the whole conversation
        assert "echo made > c" in terminal.expect("[a]lways")
        terminal.type("\r")  # nothing means no
        terminal.expect("All done.")
        terminal.ready()
        terminal.type(CTRL_D)
        assert terminal.end() == 0
    assert sorted(path.name for path in folder.iterdir()) == ["b"]


def test_ctrl_c_at_a_question_stops_the_turn(hermes: Hermes, folder: Path) -> None:
    with (
        serve(Use(Call("shell", '{"command": "touch made"}')), Say("On.")) as server,
        open_chat(folder=folder, HERMES_BASE_URL=server.url) as terminal,
    ):
        terminal.ready()
        terminal.type("Go\r")
        terminal.expect("[a]lways for this command in this conversation:")
        answer(terminal, CTRL_C, "Stopped.")
        answer(terminal, "And?\r", "On.")
        terminal.type(CTRL_D)
        assert terminal.end() == 0
    assert not (folder / "made").exists()


ASKED_AGAIN_AND_AGAIN = """
from hermes_agent.cli.asking import PlainPrompt
keyboard, times = PlainPrompt(), 0
while times < {times}:
    try:
        keyboard.ask(f"Question {{times}}?")
    except KeyboardInterrupt:
        times += 1
        print("Stopped.")
"""


def test_ctrl_c_is_never_slept_through() -> None:
    """Pressed as soon as the question is there, it may come before the process waits for an answer."""
    times = count(2_000, 100_000)
    with open_chat(program=ASKED_AGAIN_AND_AGAIN.format(times=times)) as terminal:
        for time in range(times):
            terminal.expect(f"Question {time}? ")
            terminal.type(CTRL_C)
            terminal.expect("Stopped.")
            terminal.forget()
        assert terminal.end() == 0


def test_an_error_is_a_sentence_and_the_chat_goes_on() -> None:
    with serve(Fail(401, "Bad key."), Say("Here.")) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        assert "Error: " in answer(terminal, "one\r", "Hint: ")
        answer(terminal, "two\r", "Here.")
    assert "Traceback" not in terminal.text


def test_remember_proposes_and_one_yes_writes_all(hermes: Hermes) -> None:
    operations = [{"action": "add", "content": "Name: Ada"}, {"action": "add", "content": "Prefers metric units"}]
    proposing = Use(Call("memory", json.dumps({"target": "user", "operations": operations})))
    script = (Say("Hello Ada."), proposing, Say("That is all."))
    with serve(*script) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        answer(terminal, "I am Ada.\r", "Hello Ada.")
        terminal.type("what should I add to your memory from today’s conversation\r")
        shown = terminal.expect("Add all?")
        assert "1. USER.md: Name: Ada" in shown and "2. USER.md: Prefers metric units" in shown
        answer(terminal, "y\r", "2 entries added to USER.md")
        terminal.type(CTRL_D)
        assert terminal.end() == 0
    assert "Prefers metric units" in hermes("notes", "show").stdout


def test_a_review_that_outlasts_the_chat_goes_back_into_the_queue(hermes: Hermes) -> None:
    with (
        serve(Say("Noted."), Hang("Let me see")) as server,
        open_chat(HERMES_BASE_URL=server.url, HERMES_MEMORY_NUDGE_INTERVAL="1") as terminal,
    ):
        terminal.ready()
        answer(terminal, "I always use tabs.\r", "Noted.")
        while len(server.requests) < 2:
            assert terminal.process.poll() is None
        terminal.type("/quit\r")
        assert terminal.end() == 0
    listed = json.loads(hermes("jobs", "list", "--json").stdout)
    (job,) = [one for one in listed if one["kind"] == "review"]
    assert (job["state"], job["attempts"], job["leased_by"]) == ("waiting", 0, None)


def test_a_review_in_the_background_is_told_before_the_next_prompt(hermes: Hermes) -> None:
    saving = Use(Call("memory", '{"target": "user", "action": "add", "content": "Name: Ada"}'))
    script = (Say("Hello."), saving, Say("Nothing more."), Say("Yes."))
    with (
        serve(*script) as server,
        open_chat(HERMES_BASE_URL=server.url, HERMES_MEMORY_NUDGE_INTERVAL="1") as terminal,
    ):
        terminal.ready()
        answer(terminal, "I am Ada.\r", "Hello.")
        while len(server.requests) < 3:
            assert terminal.process.poll() is None
        # The model has been asked for the last time; the line comes before one of the next prompts.
        while "Saved for later: USER.md: Name: Ada" not in answer(terminal, "/usage\r", "This conversation"):
            assert terminal.text.count("/usage") < 100
    assert "Name: Ada" in hermes("notes", "show").stdout


def test_a_secret_does_not_get_into_the_history(own_home: Home) -> None:
    secret = "sk-" + "proj-" + "Ab1" * 20
    with serve(Say("Fine.")) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        shown = answer(terminal, f"My key is {secret}\r", "Fine.")
        assert "was taken out before anything was kept" in shown
    assert secret not in own_home.chat_history.read_text()


def test_incognito_says_so_twice_and_leaves_no_history(hermes: Hermes, own_home: Home) -> None:
    with serve(Say("Hello.")) as server, open_chat("chat", "--incognito", HERMES_BASE_URL=server.url) as terminal:
        assert "nothing of this conversation is kept" in terminal.ready().lower()
        answer(terminal, "I am Ada.\r", "Hello.")
        terminal.type(CTRL_D)
        terminal.expect("Nothing of this conversation was kept.")
        assert terminal.end() == 0
    assert json.loads(hermes("sessions", "list", "--json").stdout) == []
    assert not own_home.chat_history.exists()


def test_resume_asks_which_conversation_and_shows_its_end(hermes: Hermes) -> None:
    with serve(Say("Good day.")) as server:
        os.environ["HERMES_BASE_URL"] = server.url
        try:
            hermes("chat", "-q", "Remember the teapot")
        finally:
            del os.environ["HERMES_BASE_URL"]
        with open_chat("chat", "--resume", HERMES_BASE_URL=server.url) as terminal:
            terminal.expect("Which one?")
            terminal.type("1\r")
            shown = terminal.ready()
            assert "Going on with" in shown and "Good day." in shown
            answer(terminal, "And now?\r", "Good day.")
    assert said(hermes) == ["Remember the teapot", "And now?"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_at_the_prompt_ends_the_session(hermes: Hermes, number: signal.Signals, code: int) -> None:
    with serve(Say("Hello.")) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        answer(terminal, "I am Ada.\r", "Hello.")
        terminal.kill(number)
        assert terminal.end() == code
    assert "Traceback" not in terminal.text
    assert end_reason(hermes) == "terminated"


def test_a_signal_during_an_answer_keeps_what_had_come(hermes: Hermes) -> None:
    with serve(Hang("Half an answer")) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        terminal.type("Tell me\r")
        terminal.expect("Half an answer")
        terminal.kill(signal.SIGTERM)
        assert terminal.end() == 143
    assert [message["content"] for message in messages(hermes)] == ["Tell me", "Half an answer"]
    assert end_reason(hermes) == "terminated"


@pytest.mark.parametrize("is_answering", [False, True])
def test_a_terminal_that_goes_away_ends_the_session(hermes: Hermes, is_answering: bool) -> None:
    with serve(Say("Hello."), Hang("Half")) as server, open_chat(HERMES_BASE_URL=server.url) as terminal:
        terminal.ready()
        answer(terminal, "I am Ada.\r", "Hello.")
        if is_answering:
            terminal.type("Tell me\r")
            terminal.expect("Half")
        assert terminal.hang_up() == 129
    assert end_reason(hermes) == "terminated"
    assert [message["content"] for message in messages(hermes)][2:] == (
        ["Tell me", "Half"] if is_answering else []
    )


def test_without_colours_the_words_are_the_same() -> None:
    with (
        serve(Say("Some **bold** `code`.")) as server,
        open_chat(HERMES_BASE_URL=server.url, NO_COLOR="1") as terminal,
    ):
        terminal.ready()
        answer(terminal, "Well?\r", "Some bold code.")
        assert b"\x1b[36m" not in terminal.raw


def test_a_dumb_terminal_gets_a_plain_prompt(hermes: Hermes) -> None:
    with serve(Say("**Hello.**")) as server, open_chat(HERMES_BASE_URL=server.url, TERM="dumb") as terminal:
        terminal.expect("> ")
        terminal.type("one \\\rtwo\r")
        terminal.expect("**Hello.**")
        for words in ("> ", "^C\n> "):
            terminal.expect(words)
            terminal.type(CTRL_C)
        terminal.expect("Ctrl-D or /quit ends the chat.")
        terminal.expect("> ")
        terminal.type(CTRL_D)
        assert terminal.end() == 0
    assert b"\x1b[" not in terminal.raw
    assert said(hermes) == ["one \ntwo"]


def test_one_answer_at_a_terminal_is_asked_for_and_streamed_there(folder: Path) -> None:
    with (
        serve(Use(Call("shell", '{"command": "touch made"}')), Say("It is **done**.")) as server,
        open_chat("chat", "-q", "Make it", folder=folder, HERMES_BASE_URL=server.url) as terminal,
    ):
        terminal.expect("[a]lways for this command in this conversation:")
        terminal.type("y\r")
        terminal.expect("It is done.")
        assert terminal.end() == 0
    assert (folder / "made").exists()


def test_what_was_typed_before_a_question_does_not_answer_it(folder: Path) -> None:
    with (
        serve(Use(Call("shell", '{"command": "touch made"}')), Say("Done.")) as server,
        open_chat(folder=folder, HERMES_BASE_URL=server.url) as terminal,
    ):
        terminal.ready()
        terminal.type("Make it\r")
        terminal.expect("Make it")
        terminal.type("y\ry\r")
        terminal.expect("[a]lways for this command in this conversation:")
        terminal.type("\r")
        terminal.expect("Done.")
        terminal.ready()
    assert not (folder / "made").exists()


def test_json_is_refused_where_a_person_types() -> None:
    with open_chat("chat", "--json") as terminal:
        terminal.expect("--json needs -q or a pipe.")
        assert terminal.end() == 2


def test_ctrl_c_at_the_start_ends_without_a_traceback() -> None:
    with open_chat() as terminal:
        terminal.begun()
        terminal.kill(signal.SIGINT)
        code = terminal.end()
    assert code in (130, -signal.SIGINT)
    assert "Traceback" not in terminal.text
