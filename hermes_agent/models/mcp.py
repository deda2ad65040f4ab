"""The tools of MCP servers: listed once, called when a model wants them.

Servers are connected when their tools are first asked for, all at once and for a limited time; one that
does not come up is a sentence in `problems`, not a failure. Each is held by a task of its own on the
bridge's loop, for a connection must be closed by the task that opened it. A server that died is connected
again by the next call; the tools stay as first listed, because the prompt's prefix depends on them.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
import httpx2
import mcp
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult
from mcp.types import Tool as ListedTool

from hermes_agent.config.addresses import is_loopback
from hermes_agent.errors import ToolError
from hermes_agent.models import bridge, mcp_wire
from hermes_agent.models.mcp_servers import CommandServer, McpServer
from hermes_agent.models.mcp_wire import OfferedTool, ToolAnswer
from hermes_agent.records.archive import Json
from hermes_agent.text import secrets
from hermes_agent.text.clean import preview

_MOST_PAGES = 50
_LARGEST_LOG = 1_000_000
# The SDK lets a server end by itself for two seconds, then makes it.
_CLOSING_SECONDS = 10.0

# What the SDK and what is under it raise; a failure of its inner tasks comes as a group.
_FAILURES = (
    OSError,
    ValueError,
    RuntimeError,
    ExceptionGroup,
    mcp.MCPError,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    anyio.EndOfStream,
)


@dataclass(frozen=True, slots=True)
class Waits:
    """How long a server may take: to come up (a package may have to be fetched first), and to answer a call."""

    connect_seconds: float = 10.0
    call_seconds: float = 120.0


USUAL_WAITS = Waits()


class McpTools:
    """The tools of a home's MCP servers; leaving the block, or `close`, ends the servers that were started."""

    def __init__(self, servers: Sequence[McpServer], log: Path, waits: Waits = USUAL_WAITS) -> None:
        self._connections = {server.name: _Connection(server, log, waits) for server in servers}
        self._offered: Sequence[OfferedTool] | None = None
        self._lock = threading.Lock()
        self.problems: Sequence[str] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def tools(self) -> Sequence[OfferedTool]:
        """Return what the servers offer, always in the same order; the first time they are connected for it."""
        with self._lock:
            if self._offered is None:
                found = bridge.shared().run(_open_all(self._connections)) if self._connections else {}
                listed = {name: tools for name, tools in found.items() if not isinstance(tools, ToolError)}
                self.problems = [tools.message for tools in found.values() if isinstance(tools, ToolError)]
                self._offered = mcp_wire.offered(listed)
            return self._offered

    def call(self, tool: OfferedTool, arguments: Mapping[str, Json]) -> ToolAnswer:
        """Call a tool; a `ToolError` says what to do when the server cannot answer."""
        connection = self._connections[tool.server]
        return mcp_wire.answer(bridge.shared().run(connection.call(tool.name, dict(arguments))))

    def close(self) -> None:
        """End every connection; a later call makes it again."""
        if self._connections:
            bridge.shared().run(_close_all(self._connections))


async def _open_all(connections: "Mapping[str, _Connection]") -> dict[str, list[ListedTool] | ToolError]:
    outcomes = await asyncio.gather(*(_opened(connection) for connection in connections.values()))
    return dict(zip(connections, outcomes, strict=True))


async def _opened(connection: "_Connection") -> list[ListedTool] | ToolError:
    try:
        return await connection.open()
    except ToolError as error:
        return error


async def _close_all(connections: "Mapping[str, _Connection]") -> None:
    await asyncio.gather(*(connection.close() for connection in connections.values()))


class _Connection:
    """One server, and the task that holds the way to it open. Everything here runs on the bridge's loop."""

    def __init__(self, server: McpServer, log: Path, waits: Waits) -> None:
        self._server = server
        self._log = log
        self._waits = waits
        self._client: mcp.Client | None = None
        self._holder: asyncio.Task[None] | None = None
        self._leaving = asyncio.Event()

    async def open(self) -> list[ListedTool]:
        """Connect and return the server's tools; ToolError with the reason when that fails."""
        await self.close()
        self._leaving = asyncio.Event()
        ready: asyncio.Future[list[ListedTool]] = asyncio.get_running_loop().create_future()
        self._holder = asyncio.create_task(self._hold(ready))
        try:
            async with asyncio.timeout(self._waits.connect_seconds):
                return await ready
        except TimeoutError:
            await self.close()
            raise self._failed(f"no answer within {self._waits.connect_seconds:g} seconds") from None

    async def call(self, tool: str, arguments: dict[str, Json]) -> CallToolResult:
        """Call a tool, connecting first if the way to the server was lost."""
        if self._client is None:
            await self.open()
        client = self._client
        assert client is not None
        name = self._server.name
        is_lost = False
        try:
            async with asyncio.timeout(self._waits.call_seconds):
                return await client.call_tool(tool, arguments)
        except TimeoutError:
            failed = ToolError(
                f"The MCP server {name} did not answer within {self._waits.call_seconds:g} seconds.",
                hint="Ask for less at once, or go on without it.",
            )
        except mcp.MCPError as error:
            is_lost = error.code == mcp.types.CONNECTION_CLOSED
            failed = _stopped(name) if is_lost else _refused(name, _reason(error))
        except _FAILURES:
            is_lost = True
            failed = _stopped(name)
        if is_lost:
            await self.close()
        raise failed

    async def close(self) -> None:
        """Let the holding task end its server, also one that never came up."""
        holder, client = self._holder, self._client
        self._holder = self._client = None
        if holder is None:
            return
        self._leaving.set()
        if client is None:
            holder.cancel()
        await asyncio.wait([holder], timeout=_CLOSING_SECONDS)

    async def _hold(self, ready: asyncio.Future[list[ListedTool]]) -> None:
        leaving = self._leaving
        try:
            async with _connected(self._server, self._log) as client:
                tools = await _list(client)
                self._client = client
                if not ready.done():
                    ready.set_result(tools)
                await leaving.wait()
        except _FAILURES as error:
            if not ready.done():
                ready.set_exception(self._failed(_reason(error)))
        finally:
            if self._leaving is leaving:
                self._client = None

    def _failed(self, reason: str) -> ToolError:
        return ToolError(f"The MCP server {self._server.name} did not come up: {reason}.")


@asynccontextmanager
async def _connected(server: McpServer, log: Path) -> AsyncIterator[mcp.Client]:
    info = mcp.Implementation(name="hermes-agent", version=version("hermes-agent"))
    if isinstance(server, CommandServer):
        # The SDK hands a server only the harmless part of our environment, and what its entry names.
        started = mcp.StdioServerParameters(command=server.command, args=list(server.args), env=dict(server.env))
        log.parent.mkdir(parents=True, exist_ok=True)
        is_large = log.exists() and log.stat().st_size > _LARGEST_LOG
        with log.open("w" if is_large else "a", encoding="utf-8") as errors:
            async with mcp.Client(stdio_client(started, errors), client_info=info) as client:
                yield client
    else:
        timeout = httpx2.Timeout(30.0, read=300.0)
        trusts_proxies = not is_loopback(server.url)
        async with (
            httpx2.AsyncClient(headers=dict(server.headers), timeout=timeout, trust_env=trusts_proxies) as http,
            mcp.Client(streamable_http_client(server.url, http_client=http), client_info=info) as client,
        ):
            yield client


async def _list(client: mcp.Client) -> list[ListedTool]:
    """Return the server's tools from all pages; a server that never ends its list is cut off."""
    tools: list[ListedTool] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    return tools


def _refused(name: str, reason: str) -> ToolError:
    hint = "Change the arguments, or go on without it."
    return ToolError(f"The MCP server {name} refused: {reason}.", hint=hint)


def _stopped(name: str) -> ToolError:
    return ToolError(
        f"The MCP server {name} stopped in the middle of it.",
        hint="The next call starts it again; whether this one had an effect is not known.",
    )


def _reason(error: BaseException) -> str:
    """Return the cause in a few words, from the innermost error of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError) and error.filename:
        return f"{error.filename} was not found"
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return preview(secrets.redact(words)[0], 200).rstrip(".") or type(error).__name__
