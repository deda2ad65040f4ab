"""`hermes chat` from the command line and through a pipe: what is printed where, what is kept, how it ends."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hermes_agent.agent.review import Proposal
from hermes_agent.cli import slash
from hermes_agent.cli.suggest import choose, is_sentence
from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.openai_server import Call, Fail, Hang, Say, Server, Use, serve

HERMES = [sys.executable, "-c", "from hermes_agent.cli.main import run; run()"]
ROOT = Path(__file__).resolve().parents[2]


def connect(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    """Let a scripted server be the model."""
    monkeypatch.setenv("HERMES_BASE_URL", server.url)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    made = tmp_path / "work"
    made.mkdir()
    monkeypatch.chdir(made)
    return made


@pytest.fixture(autouse=True)
def working_folder(folder: Path) -> Iterator[None]:
    yield


def sessions(hermes: Hermes) -> list[dict[str, object]]:
    found = json.loads(hermes("sessions", "list", "--json").stdout)
    assert isinstance(found, list)
    return found


def messages(hermes: Hermes) -> list[dict[str, object]]:
    """Return the messages of the only session."""
    (session,) = sessions(hermes)
    shown = json.loads(hermes("sessions", "show", str(session["id"]), "--json").stdout)
    found = shown["messages"]
    assert isinstance(found, list)
    return found


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


# Slash commands.


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


# Proposals for the notes.


@pytest.mark.parametrize(
    "said",
    [
        "What should I add to your memory from today's conversation?",
        "what should i add to your memory from today’s conversation",
        "“What should I add to your memory from today's conversation?”",
        "  What should I add to your memory  from today`s conversation ?! ",
    ],
)
def test_the_question_for_proposals_is_known_in_every_spelling(said: str) -> None:
    assert is_sentence(said)


def test_other_questions_are_none_for_proposals() -> None:
    assert not is_sentence("What should I add to your memory?")
    assert not is_sentence("What should I add to your memory from today's conversation, Ada?")


@pytest.mark.parametrize(
    ("answer", "chosen"),
    [("y", "ab"), ("YES\n", "ab"), ("1", "a"), ("2, 1", "ab"), ("3", ""), ("", ""), ("n", ""), ("y 1", "")],
)
def test_proposals_are_chosen_by_a_yes_or_by_numbers(answer: str, chosen: str) -> None:
    proposals = [Proposal("user", "a"), Proposal("memory", "b")]
    assert "".join(proposal.text for proposal in choose(proposals, answer)) == chosen


PROPOSED = json.dumps(
    {
        "target": "user",
        "operations": [{"action": "add", "content": "Name: Ada"}, {"action": "add", "content": "Metric"}],
    }
)


@pytest.mark.parametrize("asked", ["/remember", "What should I add to your memory from today's conversation?"])
def test_remember_in_a_pipe_proposes_and_writes_nothing(
    hermes: Hermes, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    with serve(Say("Hello Ada."), Use(Call("memory", PROPOSED)), Say("Nothing more.")) as server:
        connect(monkeypatch, server)
        outcome = hermes("chat", input=f"I am Ada.\n{asked}\n")
    assert "1. USER.md: Name: Ada\n2. USER.md: Metric\n" in outcome.stdout
    assert "hermes memory suggest --yes" in outcome.stdout
    assert "Ada" not in hermes("notes", "show").stdout
    assert [message["role"] for message in messages(hermes)] == ["user", "assistant"]


def test_memory_suggest_writes_after_a_yes(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (Use(Call("memory", PROPOSED)), Say("Nothing more."))
    with serve(Say("Hello Ada."), *steps, *steps, *steps) as server:
        connect(monkeypatch, server)
        hermes("chat", "-q", "I am Ada.")
        proposed = json.loads(hermes("memory", "suggest", "--json").stdout)
        assert [row["file"] for row in proposed["proposals"]] == ["USER.md", "USER.md"]
        assert "hermes memory suggest --yes" in hermes("memory", "suggest").stdout
        assert "Ada" not in hermes("notes", "show").stdout
        assert "2 entries added to USER.md" in hermes("memory", "suggest", "--yes").stdout
    assert "Name: Ada" in hermes("notes", "show").stdout
    assert "'owner'" in str(json.loads(hermes("memory", "log", "--kind", "note.changed", "--json").stdout))


def test_what_is_noted_already_is_not_proposed(hermes: Hermes) -> None:
    hermes("chat", "-q", "My name is Ada.")
    assert "I found nothing in this conversation that I would add" in hermes("memory", "suggest").stdout


# Signals.


@pytest.mark.parametrize(
    ("number", "code", "reason"),
    [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"), (signal.SIGHUP, 129, "terminated")],
)
def test_a_signal_keeps_what_was_said_and_ends_the_session(
    hermes: Hermes, number: signal.Signals, code: int, reason: str
) -> None:
    with serve(Hang("Half an answer")) as server:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "HERMES_BASE_URL": server.url}
        process = subprocess.Popen(
            [*HERMES, "chat", "-q", "Tell me"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
        wait_for_request(server, process)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=60)
        assert server.left.wait(60)
    assert process.returncode == code, stderr
    assert b"Traceback" not in stderr
    (session,) = sessions(hermes)
    assert session["end_reason"] == reason
    assert [message["role"] for message in messages(hermes)] == ["user", "assistant"]


def wait_for_request(server: Server, process: "subprocess.Popen[bytes]") -> None:
    """Wait until the model was asked."""
    while not server.requests:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
            raise AssertionError(process.communicate()[1])


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


def test_a_session_is_resumed_by_its_number(hermes: Hermes) -> None:
    hermes("chat", "-q", "My name is Ada.")
    told = hermes("chat", input="/sessions\n/resume 1\n")
    assert " 1. " in told.stdout
    assert "Going on with " in told.stdout


def test_a_name_of_half_a_character_is_no_session(hermes: Hermes) -> None:
    for arguments in (("chat", "--resume", "\udcff", "-q", "hi"), ("sessions", "show", "\udcff")):
        failed = hermes(*arguments)
        assert (failed.exit_code, "Traceback" in failed.stderr) == (2, False)
