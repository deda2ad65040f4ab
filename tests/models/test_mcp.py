"""MCP servers: real ones, as programs and over HTTP, sound and broken."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from mcp.types import Tool as ListedTool

from hermes_agent.agent.toolbox import LONGEST_RESULT, Toolbox
from hermes_agent.agent.tools.mcp import tools_of
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.config import files
from hermes_agent.config.load import UnsetVariable, load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import MCP_SERVERS
from hermes_agent.errors import SettingError
from hermes_agent.models import mcp_servers, mcp_wire
from hermes_agent.models.mcp import McpTools, Waits
from hermes_agent.models.mcp_servers import AddressServer, CommandServer, McpServer
from hermes_agent.records.talk import ToolCall

PROGRAM = Path(__file__).with_name("stdio_server.py")
LOCAL = CommandServer("local", sys.executable, [str(PROGRAM)], {"FLAVOUR": "mint"})


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs") / "deeper" / "mcp.log"


@pytest.fixture(scope="module")
def servers(log: Path) -> Iterator[McpTools]:
    with McpTools([LOCAL], log) as connected:
        yield connected


@pytest.fixture
def toolbox(servers: McpTools) -> Toolbox:
    return box(servers)


def box(servers: McpTools) -> Toolbox:
    return Toolbox({tool.spec.name: tool for tool in tools_of(servers, Overflow(None))})


def call(name: str, arguments: str = "{}") -> ToolCall:
    return ToolCall("call_1", name, arguments)


def test_tools_are_offered_under_the_name_of_their_server(toolbox: Toolbox) -> None:
    names = [spec.name for spec in toolbox.specs]
    assert [name for name in names if "strange" not in name] == [
        *("mcp_local_add", "mcp_local_end", "mcp_local_fail"),
        *("mcp_local_much", "mcp_local_picture", "mcp_local_variable"),
    ]
    spec = toolbox.tools["mcp_local_add"].spec
    assert spec.description == "Add two numbers."
    assert spec.parameters["type"] == "object"
    assert spec.parameters["required"] == ["left", "right"]


def test_a_tool_is_called_without_asking_anybody(toolbox: Toolbox) -> None:
    adding = call("mcp_local_add", '{"left": 2, "right": 3}')
    assert toolbox.question(adding) is None
    result = toolbox.run(adding)
    assert (result.text, result.source_class, result.is_error) == ("5", "tool", False)


def test_a_name_no_vendor_accepts_is_brought_into_form_and_still_works(toolbox: Toolbox) -> None:
    [name] = [spec.name for spec in toolbox.specs if "strange" in spec.name]
    assert name.startswith("mcp_local_strange_name_with_spaces_")
    assert toolbox.run(call(name)).text == "strange"


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("mcp_local_fail", "{}", "Error executing tool fail"),
        ("mcp_local_add", '{"left": "two"}', "validation error"),
        ("mcp_local_add", '{"left": {"deep": [1]}, "right": null}', "validation error"),
    ],
)
def test_what_a_tool_gets_wrong_is_said_to_the_model(
    toolbox: Toolbox, name: str, arguments: str, words: str
) -> None:
    result = toolbox.run(call(name, arguments))
    assert result.is_error
    assert words in result.text


def test_what_is_no_text_is_named(toolbox: Toolbox) -> None:
    assert toolbox.run(call("mcp_local_picture")).text.startswith("[image/png, ")


def test_long_output_is_cut(toolbox: Toolbox) -> None:
    assert len(toolbox.run(call("mcp_local_much")).text) < LONGEST_RESULT + 500


def test_a_server_gets_its_own_variables_and_none_of_our_keys(
    toolbox: Toolbox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert toolbox.run(call("mcp_local_variable", '{"name": "FLAVOUR"}')).text == "mint"
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    with McpTools([LOCAL], tmp_path / "mcp.log") as fresh:
        assert box(fresh).run(call("mcp_local_variable", '{"name": "OPENAI_API_KEY"}')).text == "(not set)"


def test_a_server_that_dies_is_said_and_started_again(toolbox: Toolbox) -> None:
    result = toolbox.run(call("mcp_local_end"))
    assert result.is_error
    assert "The MCP server local stopped in the middle of it. The next call starts it again" in result.text
    assert toolbox.run(call("mcp_local_add", '{"left": 1, "right": 1}')).text == "2"


def test_what_servers_write_to_standard_error_goes_into_the_log(servers: McpTools, log: Path) -> None:
    servers.tools()
    assert "a line on standard error" in log.read_text()


def test_broken_servers_are_sentences_and_the_others_work(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        port = listening.getsockname()[1]
    broken: list[McpServer] = [
        CommandServer("gone", "/no/such/program"),
        CommandServer("ends", sys.executable, ["-c", "raise SystemExit(3)"]),
        CommandServer("mute", sys.executable, ["-c", "import sys; sys.stdin.read()"]),
        CommandServer("noisy", sys.executable, ["-c", "import sys; sys.stdout.write('hello\\n' * 9)"]),
        AddressServer("away", f"http://127.0.0.1:{port}/mcp"),
        AddressServer("nonsense", "http://[broken/mcp"),
    ]
    with McpTools([*broken, LOCAL], tmp_path / "mcp.log", Waits(connect_seconds=8)) as servers:
        assert {tool.server for tool in servers.tools()} == {"local"}
        assert [problem.partition(" did not come up: ")[0] for problem in servers.problems] == [
            f"The MCP server {server.name}" for server in broken
        ]
        assert servers.problems[0] == "The MCP server gone did not come up: /no/such/program was not found."
        assert servers.problems[2] == "The MCP server mute did not come up: no answer within 8 seconds."


def test_no_server_means_no_tool_and_no_work(tmp_path: Path) -> None:
    with McpTools([], tmp_path / "mcp.log") as servers:
        assert list(servers.tools()) == []


def test_leaving_ends_the_servers_that_were_started(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    script = f"import os, pathlib, runpy; pathlib.Path({str(told)!r}).write_text(str(os.getpid())); "
    script += f"runpy.run_path({str(PROGRAM)!r}, run_name='__main__')"
    with McpTools([CommandServer("local", sys.executable, ["-c", script])], tmp_path / "mcp.log") as servers:
        servers.tools()
        process = Path("/proc") / told.read_text()
        assert not Path("/proc/self").exists() or process.exists()
    assert not process.exists()


def test_a_server_over_http_gets_its_headers_and_answers(tmp_path: Path) -> None:
    program = Path(__file__).with_name("http_server.py")
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        url = running.stdout.readline().strip()
        try:
            server = AddressServer("web", url, {"X-Greeting": "hello"})
            with McpTools([server], tmp_path / "mcp.log") as servers:
                assert box(servers).run(call("mcp_web_header", '{"name": "x-greeting"}')).text == "hello"
                assert servers.problems == []
        finally:
            running.terminate()


def listed(*names: str) -> list[ListedTool]:
    return [ListedTool(name=name, input_schema={"type": "object"}) for name in names]


def test_names_are_unique_short_and_of_plain_characters() -> None:
    tools = mcp_wire.offered({"a": listed("b_c", "x" * 100), "a_b": listed("c", "größe"), "z": listed("x" * 100)})
    names = [tool.spec.name for tool in tools]
    assert len(set(names)) == len(tools) == 5
    assert names == sorted(names)
    assert all(len(name) <= 64 and name.isascii() for name in names)
    assert "mcp_a_b_c" in names


def test_the_top_of_a_schema_has_no_combinators() -> None:
    schema = {"anyOf": [{"required": ["a"]}], "properties": {"a": {"anyOf": [{"type": "string"}]}}, "$schema": "x"}
    assert mcp_wire.parameters(schema) == {"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}]}}}
    assert mcp_wire.parameters({"type": "object", "properties": 5}) == {"type": "object", "properties": {}}


def test_servers_come_from_the_settings_with_their_variables(
    own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {
        "web": {"url": "https://mcp.example/mcp", "headers": {"Authorization": "Bearer ${SOME_TOKEN}"}},
        "files": {"command": "npx", "args": ["-y", "server"], "env": {"TOKEN": "${SOME_TOKEN}"}},
    }
    files.write(own_home, MCP_SERVERS, entries)
    with pytest.raises(UnsetVariable, match="SOME_TOKEN"):
        mcp_servers.read(load(own_home))
    monkeypatch.setenv("SOME_TOKEN", "abc")
    found = mcp_servers.read(load(own_home))
    assert found == [
        CommandServer("files", "npx", ["-y", "server"], {"TOKEN": "abc"}),
        AddressServer("web", "https://mcp.example/mcp", {"Authorization": "Bearer abc"}),
    ]
    assert "abc" not in repr(found)


def test_the_form_other_programs_print_is_understood(own_home: Home) -> None:
    own_home.root.mkdir()
    own_home.config_yaml.write_text("mcp_servers:\n  time:\n    command: uvx\n    args: [mcp-server-time]\n")
    assert mcp_servers.read(load(own_home)) == [CommandServer("time", "uvx", ["mcp-server-time"])]


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{a b: {command: x}}", "servers named with up to 40 letters, digits, - and _"),
        ("{a: {}}", "servers with a command or a url, and a has neither"),
        ("{a: {command: ''}}", "servers with a command or a url, and a has neither"),
        ("{a: {command: x, cwd: y}}", "servers with command, args, env, and a has 'cwd'"),
        ("{a: {url: x, args: []}}", "servers with url, headers, and a has 'args'"),
        ("{a: {command: x, args: y}}", "servers whose args is a list of text, and a has something else there"),
        ("{a: {command: x, args: [1]}}", "servers whose args is a list of text, and a has something else there"),
        ("{a: {command: x, env: {K: 5}}}", "servers whose env is names with text, and a has something else there"),
        ("[a]", "names with values"),
    ],
)
def test_a_wrong_entry_is_named_and_its_secrets_are_not_shown(own_home: Home, entry: str, message: str) -> None:
    own_home.root.mkdir()
    own_home.config_yaml.write_text(f"mcpServers: {entry}\n")
    with pytest.raises(SettingError) as caught:
        load(own_home).check()
    assert caught.value.message.startswith(f"mcpServers must be {message}, not ")
