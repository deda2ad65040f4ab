"""A chat with a server elsewhere at a real terminal: questions, Ctrl-C, and commands that ask."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.memory import facts, tokens
from hermes_agent.store.sessions import Listing
from hermes_agent.web.server import Server
from hermes_agent.web.site import build
from tests import openai_server
from tests.openai_server import Call, Hang, Say, Use
from tests.terminal import open_chat


@contextmanager
def served(home: Home, laptop: Path, *script: openai_server.Step) -> Iterator[App]:
    """Serve the home with a model that follows a script; programs that are started meanwhile are on the laptop."""
    with openai_server.serve(*script) as model, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HERMES_WEB_PORT", "0")
        patch.setenv("HERMES_BASE_URL", model.url)
        with closing(App(home, load(home))) as app, closing(Server(build(app), app.settings)) as server:
            server.start()
            shown = tokens.create(app.store, "laptop", "admin").shown
            patch.setenv("HERMES_HOME", str(laptop))
            patch.setenv("HERMES_SERVER", server.address)
            patch.setenv("HERMES_TOKEN", shown)
            yield app


def test_a_tool_is_allowed_from_the_laptop(own_home: Home, tmp_path: Path) -> None:
    tool = Use(Call("shell", json.dumps({"command": "echo made > x"})))
    with served(own_home, tmp_path / "laptop", tool, Say("It is", " made.")) as app:
        with open_chat("chat") as terminal:
            terminal.ready()
            terminal.type("Make it.\r")
            terminal.expect("[y]es")
            terminal.type("y\r")
            terminal.expect("It is made.")
            terminal.ready()
        assert (app.home.workspace / "x").read_text() == "made\n"


def test_ctrl_c_stops_the_answer_there_and_the_chat_goes_on(own_home: Home, tmp_path: Path) -> None:
    with served(own_home, tmp_path / "laptop", Hang("Half an ans"), Say("Whole.")) as app:
        with open_chat("chat") as terminal:
            terminal.ready()
            terminal.type("Tell me.\r")
            terminal.expect("Half an ans")
            terminal.type("\x03")
            terminal.expect("Stopped. What was said is kept.")
            terminal.ready()
            terminal.type("Again.\r")
            terminal.expect("Whole.")
            terminal.ready()
        (listed,) = app.memory.sessions(Listing(), 5)
        said = [message.content for message in app.memory.window(listed.session.id)]
        assert said == ["Tell me.", "Half an ans", "Again.", "Whole."]


def test_a_command_asks_at_the_laptop_and_tables_have_its_width(own_home: Home, tmp_path: Path) -> None:
    with served(own_home, tmp_path / "laptop", Say("-")) as app:
        facts.add(app.store, "It rains.")
        with open_chat("memory", "reset") as terminal:
            terminal.expect("[y/N]")
            terminal.type("y\r")
            terminal.expect("backup first?")
            terminal.type("n\r")
            assert terminal.end() == 0
        assert facts.recent(app.store, 5) == []
        with open_chat("token", "list", columns=60) as terminal:
            assert terminal.end() == 0
        assert "laptop" in terminal.text
        assert max(len(line) for line in terminal.text.splitlines()) <= 60
