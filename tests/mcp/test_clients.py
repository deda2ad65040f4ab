"""The configuration of other agents: our entry goes in, and nothing else changes."""

import json
import tomllib

import pytest

from hermes_agent.config import jsonc, yamltext
from hermes_agent.errors import UsageError
from hermes_agent.mcp.clients import CLIENTS, Address, Client, Command, entry_for, merged, written

SERVER = Command("/usr/bin/hermes", ["mcp"], {"HERMES_HOME": "/home/mira/ü"})
OTHER = Command("/usr/bin/hermes", ["mcp", "--read-only"], {})
WEB = Address("https://memory.example/mcp", "HERMES_TOKEN")
FORMER: dict[Client, str] = {
    "claude-code": '{\n    "mcpServers": {"time": {"command": "uvx"}},\n    "other": [1, 2]\n}\n',
    "cursor": '{\n  // by hand\n  "mcpServers": {\n    "time": {"command": "uvx"}, // the clock\n  }\n}\n',
    "codex": '# a\nmodel = "o3"\n\n[mcp_servers.time]\ncommand = "uvx"\n\n# b\n[projects."/x"]\ntrust = 1\n',
    "hermes": "# mine\nmodel: x  # the model\nmcp_servers:\n  time:\n    command: uvx\nlast: 1\n",
}


def read(client: Client, text: str) -> dict[str, object]:
    value: object
    if client == "codex":
        value = tomllib.loads(text)
    else:
        value = yamltext.parse(text) if client == "hermes" else jsonc.parse(text)
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("server", [SERVER, WEB], ids=["stdio", "http"])
@pytest.mark.parametrize("client", CLIENTS)
def test_the_entry_goes_in_and_the_rest_stays(client: Client, server: Command | Address) -> None:
    former, entry = FORMER[client], entry_for(client, server)
    text = merged(client, former, "hermes", entry)
    before, after = read(client, former), read(client, text)
    key = "mcpServers" if "mcpServers" in after else "mcp_servers"
    servers, known = after.pop(key), before.pop(key)
    assert isinstance(servers, dict) and servers.pop("hermes") == entry
    assert (after, servers) == (before, known)
    for line in former.splitlines():
        if "#" in line or "//" in line:
            assert line in text
    assert merged(client, text, "hermes", entry) == text, "a second time changes nothing"


@pytest.mark.parametrize("client", CLIENTS)
def test_another_entry_of_that_name_is_replaced(client: Client) -> None:
    first = merged(client, FORMER[client], "hermes", entry_for(client, SERVER))
    second = merged(client, first, "hermes", entry_for(client, OTHER))
    third = merged(client, second, "hermes", entry_for(client, SERVER))
    assert read(client, third) == read(client, first)
    assert "--read-only" in second and "--read-only" not in third


@pytest.mark.parametrize("client", CLIENTS)
def test_an_empty_file_becomes_one_with_the_entry(client: Client) -> None:
    entry = entry_for(client, SERVER)
    (servers,) = read(client, written(client, "hermes-work", entry)).values()
    assert servers == {"hermes-work": entry}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("text", ["{", "[1", "a: [", "[[[", "\t:\n - }", '"text"'])
def test_what_cannot_be_read_is_left_alone(client: Client, text: str) -> None:
    with pytest.raises(UsageError):
        merged(client, text, "hermes", entry_for(client, SERVER))


def test_a_list_where_servers_should_be_is_not_written_over() -> None:
    with pytest.raises(UsageError, match="by hand|cannot"):
        merged("codex", 'mcp_servers = { time = { command = "x" } }\n', "hermes", entry_for("codex", SERVER))


def test_the_token_itself_is_never_written() -> None:
    forms = {client: json.dumps(entry_for(client, WEB)) for client in CLIENTS}
    assert "Bearer ${HERMES_TOKEN}" in forms["claude-code"] and "Bearer ${HERMES_TOKEN}" in forms["hermes"]
    assert "Bearer ${env:HERMES_TOKEN}" in forms["cursor"]
    assert '"bearer_token_env_var": "HERMES_TOKEN"' in forms["codex"]
