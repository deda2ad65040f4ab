"""Both generations of the protocol are served: that with a handshake, and that in which each request is whole."""

import asyncio
import os

import httpx2
import mcp
import pytest
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from hermes_agent.app import App
from tests.mcp.clients import HERMES, call, refused, serving

MODES = ["legacy", "auto", "2026-07-28"]
INFO = mcp.Implementation(name="era", version="1")


@pytest.mark.parametrize("mode", MODES)
def test_over_stdio(app: App, mode: str) -> None:
    async def act() -> None:
        started = mcp.StdioServerParameters(command=HERMES, args=["mcp"], env=dict(os.environ))
        async with mcp.Client(stdio_client(started), client_info=INFO, mode=mode) as client:
            await call(client, "remember", text="Zephyr runs on Redis.")
            assert "not allowed" in await refused(client, "manage_skill", action="delete", name="deploy")

    asyncio.run(act())
    assert app.memory.log(1, kind="fact.imported")[0].actor == "mcp:era"


@pytest.mark.parametrize("mode", MODES)
def test_over_http(app: App, mode: str) -> None:
    async def act(url: str) -> None:
        async with (
            httpx2.AsyncClient(headers={"Authorization": "Bearer r"}, timeout=30) as web,
            mcp.Client(streamable_http_client(url, http_client=web), client_info=INFO, mode=mode) as client,
        ):
            assert len((await client.list_tools()).tools) > 5
            await call(client, "recall", task="Which database does Atlas use?")
            assert "not allowed" in await refused(client, "remember", text="Zephyr runs on Redis.")

    with serving(app.home) as url:
        asyncio.run(act(url))
