"""The official client library, connected to our server as users connect it: a process of its own, or HTTP."""

import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, MutableMapping
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp
import uvicorn
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.mcp import http
from hermes_agent.mcp.access import Access

HERMES = str(Path(sys.executable).with_name("hermes"))
TOKENS: Mapping[str, Access] = {
    "r": Access("read", "reader"),
    "w": Access("write", "writer"),
    "a": Access("admin", "owner"),
}


@asynccontextmanager
async def over_stdio(*flags: str, name: str = "tests", errors: Path | None = None) -> AsyncIterator[mcp.Client]:
    """Start `hermes mcp` and connect to it; what it says beside the protocol goes into `errors`."""
    started = mcp.StdioServerParameters(command=HERMES, args=["mcp", *flags], env=dict(os.environ))
    info = mcp.Implementation(name=name, version="1")
    with (errors or Path(os.devnull)).open("w") as log:
        async with mcp.Client(stdio_client(started, log), client_info=info) as client:
            yield client


@asynccontextmanager
async def over_http(url: str, token: str) -> AsyncIterator[mcp.Client]:
    """Connect to a running server with a token."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as web,
        mcp.Client(streamable_http_client(url, http_client=web)) as client,
    ):
        yield client


@contextmanager
def serving(home: Home) -> Iterator[str]:
    """Serve a home over HTTP on a free port, as the daemon does it; yield the address."""
    with closing(App(home, load(home))) as app, socket.create_server(("127.0.0.1", 0)) as listening:
        door = http.asgi_app(app, _access_of)
        mounted = Starlette(routes=[Route("/mcp", _Guard(door))], lifespan=lambda _: door.running())
        server = uvicorn.Server(uvicorn.Config(mounted, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
        finally:
            server.should_exit = True
            thread.join()


class _Guard:
    """Stands for the web door: without a token nothing gets through."""

    def __init__(self, inside: ASGIApp) -> None:
        self._inside = inside

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = _token(scope) in TOKENS
        await (self._inside if known else Response(status_code=401))(scope, receive, send)


# Any: what stands in an ASGI scope.
def _access_of(scope: MutableMapping[str, Any]) -> Access:
    return TOKENS[_token(scope)]


def _token(scope: MutableMapping[str, Any]) -> str:
    headers: dict[bytes, bytes] = dict(scope["headers"])
    return headers.get(b"authorization", b"").decode().removeprefix("Bearer ")


# Any: whatever a client may send, and what an answer holds.
async def call(client: mcp.Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool that succeeds; return its structured answer, which the library has compared with the schema."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None and text_of(result)
    return dict(result.structured_content)


async def refused(client: mcp.Client, tool: str, **arguments: Any) -> str:
    """Call a tool that refuses; return what it says."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result
    said = text_of(result)
    assert "Traceback" not in said and "failed inside" not in said, said
    return said


def text_of(result: CallToolResult) -> str:
    """Return the text of an answer."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text
