"""Whatever a client sends, it gets a sentence it can act on, and the server goes on."""

import asyncio
import json
from typing import Any

import mcp
import pytest

from hermes_agent.app import App
from hermes_agent.mcp.tools.every import TOOLS
from hermes_agent.memory import facts
from tests.mcp.clients import call, over_stdio, refused

SECRET = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
HUGE = "turbine " * 250_000
STRANGE: list[Any] = ["", "   ", HUGE, "a\0b", "‮evil", {"a": [1]}, [1, 2], True, -1, 10**400, 1.5, None]
SCRIPTS = ["Атлас работает на Postgres.", "アトラスは東京で動いています。", "أطلس يعمل في القاهرة.", "Atlas 🚀 ✅"]


def test_strange_arguments_end_in_an_answer(app: App) -> None:
    async def act() -> None:
        async with over_stdio("--as-owner") as client:
            for name, tool in TOOLS.items():
                schema = (await _listed(client))[name].input_schema["properties"]
                for value in STRANGE:
                    await _answered(client, name, dict.fromkeys(schema, value))
                await _answered(client, name, {"nobody": "asked"})
                assert tool.name == name
            assert await call(client, "recall", task="Which database does Atlas use?")

    asyncio.run(act())


async def _listed(client: mcp.Client) -> dict[str, mcp.Tool]:
    return {tool.name: tool for tool in (await client.list_tools()).tools}


# Any: whatever a client may send.
async def _answered(client: mcp.Client, name: str, arguments: dict[str, Any]) -> None:
    result = await client.call_tool(name, arguments)
    said = str(result.content)
    assert "Traceback" not in said and "failed inside" not in said, (name, arguments, said)
    assert len(said) < 40_000, (name, len(said))


def test_what_is_wrong_says_what_to_send_instead(app: App) -> None:
    async def act() -> None:
        async with over_stdio() as client:
            assert "task is missing" in await refused(client, "recall")
            assert "task is empty" in await refused(client, "recall", task=" ")
            assert "at most 8,000" in await refused(client, "recall", task=HUGE)
            assert "at most 2,000" in await refused(client, "remember", text=HUGE)
            assert "one of decision" in await refused(client, "record_event", kind="nonsense", text="x")
            assert "There is no fact:099" in await refused(client, "show_fact", fact="99")
            assert "no session" in await refused(client, "read_session", session_id="gone")
            assert "is not a date" in await refused(client, "recall", task="x", as_of="someday")
            assert "is too far away" in await refused(client, "list_facts", as_of="0001-01-01")
            assert "There are: recall" in await refused(client, "fly")
            one = {"action": "add", "content": HUGE}
            assert "more than the" in await refused(client, "change_notes", target="user", operations=[one])
            many = [{"action": "add", "content": f"Likes tea {number}."} for number in range(40_000)]
            assert "at most 100" in await refused(client, "change_notes", target="user", operations=many)
            assert "operations, a list" in await refused(client, "change_notes", target="user", operations="x")

    asyncio.run(act())


def test_what_no_tool_knows_is_refused_and_what_there_is_named(app: App) -> None:
    async def act() -> None:
        async with over_stdio() as client:
            for tool in (await _listed(client)).values():
                assert tool.input_schema["additionalProperties"] is False
            said = await refused(client, "search", query="Atlas", as_of="9999-99-99")
            assert "no argument 'as_of'" in said and "There are: query, types, limit, since" in said
            one = {"action": "add", "content": "Likes tea.", "why": "x"}
            said = await refused(client, "change_notes", target="user", operations=[one])
            assert "no argument 'why' in operations[0]. There are: action, content, old_text." in said
            said = await refused(client, "change_notes", target="user", operations=json.dumps([one]))
            assert "no argument 'why' in operations[0]" in said

    asyncio.run(act())


@pytest.mark.parametrize("number", [-1, 0, 10**30])
def test_a_number_out_of_range_is_refused_with_the_range(app: App, number: int) -> None:
    async def act() -> None:
        async with over_stdio() as client:
            limit = (await _listed(client))["search"].input_schema["properties"]["limit"]
            assert (limit["minimum"], limit["maximum"]) == (1, 20)
            said = await refused(client, "search", query="Atlas", limit=number)
            assert "limit, a whole number from 1 to 20" in said
            if number:
                said = await refused(client, "list_facts", offset=number)
                assert "offset, a whole number from 0 to 100000" in said

    asyncio.run(act())


@pytest.mark.parametrize("sentence", SCRIPTS)
def test_every_script_is_kept_and_found(app: App, sentence: str) -> None:
    async def act() -> None:
        async with over_stdio() as client:
            kept = await call(client, "remember", text=sentence)
            assert kept["fact"]["text"] == sentence
            found = await call(client, "search", query=sentence, types=["facts"], with_far=True)
            assert kept["fact"]["id"] in [one["id"] for one in found["matches"]]

    asyncio.run(act())


def test_a_secret_is_taken_out_before_it_is_kept(app: App) -> None:
    async def act() -> None:
        async with over_stdio() as client:
            kept = await call(
                client, "remember", text="The key of Atlas is ghp_16C7e42F292c6912E7710c838347Ae178B4a."
            )
            assert "Taken out" in kept["message"]

    asyncio.run(act())
    assert not any(SECRET in fact.text for fact in facts.recent(app.store, 9))
