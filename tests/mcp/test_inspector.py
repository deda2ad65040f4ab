"""The MCP inspector's command line, another implementation of the protocol, lists and calls every tool.

It comes from npm, so this is the one test that may load something: it is left out where node is missing or npm
cannot reach its registry. Over HTTP every tool is called, over stdio a few unless everything is proved: there each
call is a process of node that starts a process of ours.
"""

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

from hermes_agent.app import App
from hermes_agent.mcp.tools.every import TOOLS
from tests.mcp.clients import HERMES, serving
from tests.mcp.test_tools import GOOD

# The last one that runs on node 20, which Debian has.
PACKAGE = "@modelcontextprotocol/inspector@0.21.2"
FEW = ("recall", "remember", "change_notes")


@pytest.fixture
def inspector(tmp_path: Path) -> Path:
    """Install the inspector into a folder of this test; what npm loads is kept for the next run."""
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed: the inspector's command line cannot be tried")
    cache = Path(tempfile.gettempdir()) / f"hermes-tests-npm-{os.getuid()}"
    command = [npm, "install", "--no-audit", "--no-fund", "--prefer-offline", "--cache", str(cache), PACKAGE]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        pytest.skip(f"npm could not install {PACKAGE}: {done.stderr.strip()[-300:]}")
    return tmp_path / "node_modules" / ".bin" / "mcp-inspector"


# Any: what an answer of the protocol holds.
def ask(inspector: Path, server: list[str], method: str, *more: str) -> dict[str, Any]:
    """Ask the server one thing through the inspector."""
    command = [str(inspector), "--cli", *server, "--method", method, *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr + done.stdout
    answer = json.loads(done.stdout)
    assert isinstance(answer, dict)
    return answer


def called(inspector: Path, server: list[str], tool: str) -> None:
    """Call a tool with good arguments."""
    arguments = [
        part
        for name, value in GOOD[tool].items()
        for part in ("--tool-arg", f"{name}={value if isinstance(value, str) else json.dumps(value)}")
    ]
    answer = ask(inspector, server, "tools/call", "--tool-name", tool, *arguments)
    assert not answer.get("isError") and answer["structuredContent"], (tool, answer)


def test_the_inspector_lists_and_calls_every_tool(inspector: Path, app: App) -> None:
    stdio = [HERMES, "mcp", "serve", "--as-owner"]
    assert [tool["name"] for tool in ask(inspector, stdio, "tools/list")["tools"]] == list(TOOLS)
    for tool in FEW:
        called(inspector, stdio, tool)
    assert ask(inspector, stdio, "resources/list")["resources"]
    assert ask(inspector, stdio, "prompts/list")["prompts"]
    with serving(app.home) as url:
        web = [url, "--transport", "http", "--header", "Authorization: Bearer a"]
        assert [tool["name"] for tool in ask(inspector, web, "tools/list")["tools"]] == list(TOOLS)
        for tool in TOOLS:
            called(inspector, web, tool)


@pytest.mark.proof
def test_the_inspector_calls_every_tool_over_stdio(inspector: Path, app: App) -> None:
    for tool in TOOLS:
        called(inspector, [HERMES, "mcp", "--as-owner"], tool)
