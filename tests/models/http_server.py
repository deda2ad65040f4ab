"""A real MCP server over HTTP for the tests: prints its address, then serves."""

import socket
import sys

import uvicorn
from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("tests")


@server.tool()
def header(name: str, ctx: Context) -> str:
    """Return a header of the request."""
    return str((ctx.headers or {}).get(name, "(none)"))


if __name__ == "__main__":
    listening = socket.create_server(("127.0.0.1", 0))
    sys.stdout.write(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp\n")
    sys.stdout.flush()
    config = uvicorn.Config(server.streamable_http_app(), log_level="error")
    uvicorn.Server(config).run(sockets=[listening])
