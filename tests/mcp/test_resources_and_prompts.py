"""Notes and skills as resources, and the prompts that a client's user picks."""

import asyncio

import mcp
import pytest
from mcp.types import ResourceTemplateReference, TextContent, TextResourceContents

from hermes_agent.app import App
from tests.mcp.clients import over_stdio


async def read(client: mcp.Client, address: str) -> str:
    (contents,) = (await client.read_resource(address)).contents
    assert isinstance(contents, TextResourceContents)
    return contents.text


async def prompt(client: mcp.Client, name: str, **arguments: str) -> str:
    (message,) = (await client.get_prompt(name, arguments)).messages
    assert message.role == "user" and isinstance(message.content, TextContent)
    return message.content.text


def test_notes_and_skills_are_listed_and_read(app: App) -> None:
    async def act() -> None:
        async with over_stdio("--read-only") as client:
            listed = [str(one.uri) for one in (await client.list_resources()).resources]
            assert listed[:4] == [f"hermes://notes/{name}" for name in ("soul", "user", "memory", "workspace")]
            assert listed[4:] == ["hermes://skills/deploy"]
            assert await read(client, "hermes://notes/user") == "Is called Mira."
            assert "make deploy" in await read(client, "hermes://skills/deploy")
            templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
            assert templates == [
                "hermes://notes/{note}",
                "hermes://skills/{name}",
                "hermes://skills/{name}/{+file}",
            ]
            reference = ResourceTemplateReference(type="ref/resource", uri="hermes://skills/{name}")
            completed = await client.complete(reference, {"name": "name", "value": "de"})
            assert completed.completion.values == ["deploy"]

    asyncio.run(act())


@pytest.mark.parametrize(
    "address",
    [
        "hermes://notes/nothing",
        "hermes://skills/nothing",
        "hermes://skills/deploy/references/nothing.md",
        "hermes://skills/deploy/../../state.db",
        "hermes://skills/..%2f..%2fstate.db",
        "file:///etc/passwd",
    ],
)
def test_what_is_no_resource_is_an_error_of_the_protocol(app: App, address: str) -> None:
    async def act() -> None:
        async with over_stdio("--read-only") as client:
            with pytest.raises(mcp.MCPError, match="no resource|no skill|no file"):
                await client.read_resource(address)
            assert await read(client, "hermes://notes/user")

    asyncio.run(act())


def test_a_task_begins_with_what_is_recalled_for_it(app: App) -> None:
    async def act() -> None:
        async with over_stdio("--read-only") as client:
            assert [one.name for one in (await client.list_prompts()).prompts] == ["start_task", "wrap_up"]
            begun = await prompt(client, "start_task", task="Upgrade the database of Atlas.")
            assert begun.startswith("<memory-context>\n") and "Atlas runs on Postgres 16." in begun
            assert "</memory-context>\n\nUpgrade the database of Atlas." in begun
            assert "remember" in await prompt(client, "wrap_up")
            with pytest.raises(mcp.MCPError, match="task is empty"):
                await prompt(client, "start_task")
            with pytest.raises(mcp.MCPError, match="no prompt"):
                await prompt(client, "dance")

    asyncio.run(act())
