"""A whole conversation with a model behind real HTTP: what goes over the wire, what is kept of it."""

import json
from pathlib import Path

import pytest

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.agent.events import Recalled, ToolFinished
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.recall.block import OPENING
from tests.conftest import Hermes
from tests.openai_server import Call, Received, Say, Server, Use, serve

NOTES = json.dumps(
    {
        "target": "user",
        "operations": [
            {"action": "add", "content": "Name: Ada"},
            {"action": "add", "content": "Prefers metric units"},
        ],
    }
)


def point_at(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_BASE_URL", server.url)
    monkeypatch.setenv("HERMES_MODEL", "scripted")


def conversation(home: Home, folder: Path) -> Conversation:
    return Conversation(App(home, load(home)).desk, Opening("cli", folder))


def prefix_grows(requests: list[Received]) -> bool:
    """Tell whether each request has the bytes of the one before, up to where that one's messages end."""
    bodies = [request.body for request in requests]
    return all(
        later.startswith(up_to_messages_end(earlier)) and offered(earlier) == offered(later)
        for earlier, later in zip(bodies, bodies[1:], strict=False)
    )


def up_to_messages_end(body: bytes) -> bytes:
    """Return a body's bytes from its beginning to behind the last message, without the closing bracket."""
    text = body.decode()
    start = text.index('"messages"') + len('"messages"')
    start += text[start:].index("[")
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[: end - 1].rstrip().encode()


def offered(body: bytes) -> object:
    return json.loads(body).get("tools")


def test_the_conversation_of_the_readme(
    own_home: Home, tmp_path: Path, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Use(Call("memory", NOTES)), Say("Noted, ", "Ada."), Say("Your name is Ada.")) as server:
        point_at(server, monkeypatch)
        told = hermes("chat", "-q", "My name is Ada and I prefer metric units.")
        assert (told.exit_code, told.stdout) == (0, "Noted, Ada.\n")
        assert (own_home.memories / "USER.md").read_text() == "Name: Ada\n§\nPrefers metric units"
        asked = hermes("chat", "-q", "What is my name?")
        assert (asked.exit_code, asked.stdout) == (0, "Your name is Ada.\n")
        header = server.requests[2].json["messages"][0]
        assert "Name: Ada" in header["content"]


def test_the_prefix_is_stable_also_after_notes_were_written(
    own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Use(Call("memory", NOTES)), Say("Noted."), Say("Ada."), Say("Metric.")) as server:
        point_at(server, monkeypatch)
        talk = conversation(own_home, tmp_path)
        events = talk.ask("My name is Ada and I prefer metric units.").events
        assert [event.result.is_error for event in events if isinstance(event, ToolFinished)] == [False]
        session_id = talk.ask("What is my name?").session_id
        # A second process goes on with it.
        again = conversation(own_home, tmp_path)
        again.resume(session_id)
        again.ask("And my units?")
        assert len(server.requests) == 4
        assert prefix_grows(server.requests)


def test_recalled_memory_is_fenced_in_front_of_the_message_and_nowhere_else(
    own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(Say("I will remember the zeppelin."), Say("It is green."), Say("Yes.")) as server:
        point_at(server, monkeypatch)
        conversation(own_home, tmp_path).ask("My zeppelin is green.")
        talk = conversation(own_home, tmp_path)
        response = talk.ask("Which colour is my zeppelin?")
        assert [(item.who, item.text) for item in response.memories] == [
            ("user", "My zeppelin is green."),
            ("assistant", "I will remember the zeppelin."),
        ]
        assert any(isinstance(event, Recalled) for event in response.events)
        sent = server.requests[1].json["messages"][-1]
        assert sent["role"] == "user"
        assert sent["content"].startswith(OPENING)
        assert sent["content"].endswith("\n\nWhich colour is my zeppelin?")
        talk.ask("Are you sure?")
        assert prefix_grows(server.requests[1:])
        memory = talk.desk.memory
        said = [message for message in memory.messages(response.session_id) if message.role == "user"][0]
        assert said.content == "Which colour is my zeppelin?"
        assert said.sent == sent["content"]
        found = memory.session_search({"query": '"is green"', "limit": 10})
        results = found["results"]
        assert isinstance(results, list)
        assert [result["session_id"] for result in results] != []
        assert response.session_id not in [
            result["session_id"] for result in results if result["matched_role"] == "user"
        ]


def test_recall_can_be_turned_off(own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_MEMORY_RETRIEVAL_ENABLED", "false")
    with serve(Say("Yes.")) as server:
        point_at(server, monkeypatch)
        conversation(own_home, tmp_path).ask("My zeppelin is green.")
        response = conversation(own_home, tmp_path).ask("Which colour is my zeppelin?")
        assert response.memories == []
        assert server.requests[1].json["messages"][-1]["content"] == "Which colour is my zeppelin?"
