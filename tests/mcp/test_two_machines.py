"""Clients at one of two machines that share a PostgreSQL: they read what was written at the other."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import mcp
import pytest
from mcp.types import ResourceTemplateReference, TextResourceContents

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.ids import new_uid
from hermes_agent.memory import quarantine, skills
from hermes_agent.records.notes import Operation
from hermes_agent.store.postgres import schema_name
from tests.mcp.clients import call, over_http, over_stdio, refused, serving
from tests.mcp.conftest import DEPLOY
from tests.postgres import server_address

FLAGS = {"read": ["--read-only"], "write": []}


class Connect(Protocol):
    """Connects a client with a right."""

    def __call__(self, scope: str) -> AbstractAsyncContextManager[mcp.Client]: ...


@dataclass(frozen=True, slots=True)
class Machines:
    """The desk, where somebody writes, and how a client connects to the laptop."""

    desk: App
    laptop: Connect

    def write(self, entry: str) -> None:
        """Add an entry to USER.md at the desk."""
        self.desk.notebook.change("user", [Operation("add", entry)], actor="owner")

    def learn(self, name: str) -> None:
        """Make a skill at the desk."""
        folder = self.desk.library.folder
        skills.create(self.desk.store, folder, name, DEPLOY.replace("name: deploy", f"name: {name}"))


@pytest.fixture(params=["stdio", "http"])
def machines(
    request: pytest.FixtureRequest, own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Machines]:
    """Two homes that share a schema; clients come to the laptop over each of the transports."""
    monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
    monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
    monkeypatch.setenv("HERMES_MEMORY_SCHEMA", schema_name(new_uid()))
    at_desk = Home(tmp_path / "desk", "default")
    ensure(at_desk)
    with closing(App(at_desk, load(at_desk))) as desk:
        if request.param == "stdio":
            yield Machines(desk, lambda scope: over_stdio(*FLAGS[scope]))
            return
        with serving(own_home) as url:

            @asynccontextmanager
            async def with_token(scope: str) -> AsyncIterator[mcp.Client]:
                async with over_http(url, scope[0]) as client:
                    yield client

            yield Machines(desk, with_token)


async def read(client: mcp.Client, address: str) -> str:
    (contents,) = (await client.read_resource(address)).contents
    assert isinstance(contents, TextResourceContents)
    return contents.text


def test_a_note_is_read_as_it_is_on_the_other_machine(machines: Machines) -> None:
    async def act() -> None:
        async with machines.laptop("read") as client:
            machines.write("Likes tea.")
            notes = await call(client, "read_notes", note="user")
            assert [one["text"] for one in notes["notes"]] == ["Likes tea."]
            machines.write("Prefers tabs.")
            assert "Prefers tabs." in await read(client, "hermes://notes/user")
            machines.write("Owns a kettle.")
            found = await call(client, "search", query="kettle")
            assert [one["text"] for one in found["matches"]] == ["Owns a >>>kettle<<<."]
        async with machines.laptop("write") as client:
            machines.write("Sings.")
            operations = [{"action": "add", "content": "Sings."}]
            assert "says so already" in await refused(client, "change_notes", target="user", operations=operations)
            machines.write("Dances.")
            assert "says so already" in await refused(client, "remember", text="Dances.", target="user")

    asyncio.run(act())
    assert quarantine.waiting(machines.desk.store, 9) == []


def test_a_skill_is_read_as_it_is_on_the_other_machine(machines: Machines) -> None:
    async def act() -> None:
        async with machines.laptop("read") as client:
            machines.learn("sail")
            assert [one["name"] for one in (await call(client, "list_skills"))["skills"]] == ["sail"]
            machines.learn("cook")
            assert "make deploy" in (await call(client, "view_skill", name="cook"))["content"]
            machines.learn("draw")
            assert "hermes://skills/draw" in [str(one.uri) for one in (await client.list_resources()).resources]
            machines.learn("paint")
            assert "make deploy" in await read(client, "hermes://skills/paint")
            machines.learn("row")
            reference = ResourceTemplateReference(type="ref/resource", uri="hermes://skills/{name}")
            completed = await client.complete(reference, {"name": "name", "value": "r"})
            assert completed.completion.values == ["row"]
            machines.learn("weave")
            found = await call(client, "search", query="weave", types=["skills"])
            assert [one["id"] for one in found["matches"]] == ["skill:weave"]

    asyncio.run(act())
