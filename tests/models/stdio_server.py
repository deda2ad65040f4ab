"""A real MCP server for the tests, run as a program of its own and spoken to through its input and output."""

import os
import sys

from mcp.server.mcpserver import Image, MCPServer

server = MCPServer("tests")


@server.tool()
def add(left: int, right: int) -> int:
    """Add two numbers."""
    return left + right


@server.tool()
def fail() -> str:
    """Fail."""
    raise ValueError("this always fails")


@server.tool()
def variable(name: str) -> str:
    """Return a variable of the server's environment."""
    return os.environ.get(name, "(not set)")


@server.tool(name="strange.name/with spaces")
def strange() -> str:
    """Have a name that no vendor accepts."""
    return "strange"


@server.tool()
def picture() -> Image:
    """Return something that is not text."""
    return Image(data=b"\x89PNG", format="png")


@server.tool()
def much() -> str:
    """Return more than a model should read."""
    return "x" * 100_000


@server.tool()
def end() -> str:
    """End the server in the middle of a call."""
    os._exit(3)


if __name__ == "__main__":
    sys.stderr.write("a line on standard error\n")
    sys.stderr.flush()
    server.run()
