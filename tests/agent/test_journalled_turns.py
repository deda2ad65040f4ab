"""What the journal says of whole turns: a scripted model behind real HTTP, real tools, both engines."""

import json
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import HermesError
from hermes_agent.memory.events import Wanted, find
from tests.openai_server import Call, Fail, Say, Step, Use, serve
from tests.postgres import server_address

SCHEMAS = count()


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "postgres":
        monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
        monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
        monkeypatch.setenv("HERMES_MEMORY_SCHEMA", f"journalled_turns_{os.getpid()}_{next(SCHEMAS)}")


@pytest.fixture
def home(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    monkeypatch.setenv("HERMES_MODEL", "scripted")
    monkeypatch.setenv("HERMES_TOOLS_SHELL", "allow")
    monkeypatch.setenv("HERMES_TOOLS_SHELL_ALLOWED", '["touch *", "false", "ls"]')
    ensure(own_home)
    return own_home


@pytest.fixture
def talking(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator["Talking"]:
    made = Talking(home, tmp_path / "work", monkeypatch)
    yield made
    made.close()


class Talking:
    """A conversation with a scripted model, and the journal it leaves."""

    def __init__(self, home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder.mkdir()
        self.home = home
        self.folder = folder
        self.monkeypatch = monkeypatch
        self.app = App(home, load(home))

    def say(self, said: str, *script: Step, is_incognito: bool = False) -> None:
        with serve(*script) as server:
            self.monkeypatch.setenv("HERMES_BASE_URL", server.url)
            app = App(self.home, load(self.home))
            try:
                Conversation(app.desk, Opening("cli", self.folder, is_incognito=is_incognito)).ask(said)
            finally:
                app.close()

    def events(self) -> list[tuple[str, str]]:
        """Return what happened, the oldest first."""
        return [(entry.kind, entry.text) for entry in find(self.app.store, Wanted(), 99)][::-1]

    def close(self) -> None:
        self.app.close()


def use(name: str, number: int = 1, **arguments: object) -> Call:
    return Call(name, json.dumps(arguments), id=f"call_{number}")


@pytest.mark.usefixtures("engine")
def test_a_turn_is_one_line_and_so_is_each_call_that_changes_something(talking: Talking) -> None:
    talking.say(
        "Set up the site, and\ntell me about it.",
        Use(
            use("write_file", 1, path="site/index.html", content="<h1>Hi</h1>"),
            use("read_file", 2, path="site/index.html"),
            use("shell", 3, command="ls"),
            use("shell", 4, command="touch done"),
        ),
        Use(
            use("edit_file", 5, path="site/index.html", old_text="Bye", new_text="Hi"),
            use("shell", 6, command="false"),
        ),
        Say("Done."),
    )
    assert talking.events() == [
        ("tool.done", "Wrote site/index.html."),
        ("tool.done", "Ran `touch done`."),
        ("tool.failed", "Editing site/index.html failed."),
        ("tool.failed", "Running `false` failed."),
        ("turn.answered", "“Set up the site, and tell me about it” was answered, with 6 tool calls."),
    ]


def test_a_turn_that_failed_says_why(talking: Talking) -> None:
    with pytest.raises(HermesError) as raised:
        talking.say("Deploy it", Fail(401))
    ((kind, text),) = talking.events()
    assert (kind, text) == ("turn.failed", "“Deploy it” failed.")
    (entry,) = find(talking.app.store, Wanted(kind="turn.failed"), 9)
    assert entry.cause == raised.value.message


def test_a_call_that_the_owner_did_not_allow_is_told(talking: Talking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_TOOLS_SHELL", "ask")
    talking.say("Clean up", Use(use("shell", command="rm -rf build")), Say("I may not."))
    assert talking.events()[0] == ("tool.denied", "Running `rm -rf build` was not allowed by the owner.")


def test_secrets_stay_out_of_the_journal(talking: Talking) -> None:
    talking.say(
        "My password is Tr0ub4dor&3",
        Use(use("shell", command="touch password=Tr0ub4dor&3")),
        Say("Never say that."),
    )
    assert "Tr0ub4dor" not in json.dumps(talking.events())


@pytest.mark.usefixtures("engine")
def test_the_agent_records_a_decision_and_looks_it_up_in_a_later_conversation(talking: Talking) -> None:
    record = use("journal", action="record", kind="decision", text="Use Postgres", reason="SQLite locked up")
    talking.say("Which database?", Use(record), Say("Postgres."))
    with serve(Use(use("journal", action="look_up", kind="decision", since="yesterday")), Say("Locks.")) as server:
        talking.monkeypatch.setenv("HERMES_BASE_URL", server.url)
        app = App(talking.home, load(talking.home))
        Conversation(app.desk, Opening("cli", talking.folder)).ask("Why did we decide that?")
        app.close()
    (answer,) = (one for one in server.requests[-1].json["messages"] if one["role"] == "tool")
    (event,) = json.loads(answer["content"])["events"]
    assert (event["text"], event["reason"], event["by"]) == ("Use Postgres", "SQLite locked up", "agent")


def test_an_incognito_conversation_leaves_nothing_in_the_journal(talking: Talking) -> None:
    record = use("journal", 2, action="record", kind="remark", text="A secret talk")
    talking.say("Touch it", Use(use("shell", command="touch x"), record), Say("Done."), is_incognito=True)
    assert talking.events() == []
