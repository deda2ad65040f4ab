"""How other agents are told of this server: the entry of their configuration, and a file with the entry put in.

Pure functions from text to text. An edit leaves the rest of the file as it is, comments too, and is compared: what
was read before and what is read afterwards differ in our entry alone.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal, get_args

from hermes_agent.config import jsonc, yamltext
from hermes_agent.config.broken import BrokenText
from hermes_agent.errors import UsageError

Client = Literal["claude-code", "cursor", "codex", "hermes"]
CLIENTS: tuple[Client, ...] = get_args(Client)
Entry = dict[str, object]
_KEYS: dict[Client, str] = {
    "claude-code": "mcpServers",
    "cursor": "mcpServers",
    "codex": "mcp_servers",
    "hermes": "mcp_servers",
}


@dataclass(frozen=True, slots=True)
class Command:
    """A server that the client starts."""

    command: str
    args: Sequence[str]
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Address:
    """A server that runs already; the token is in a variable of the client's environment, never in a file."""

    url: str
    token_env: str


def entry_for(client: Client, server: Command | Address) -> Entry:
    """Write how a client reaches the server, in that client's own words."""
    if isinstance(server, Command):
        env: Entry = {"env": dict(server.env)} if server.env else {}
        return {"command": server.command, "args": list(server.args), **env}
    if client == "codex":
        return {"url": server.url, "bearer_token_env_var": server.token_env}
    variable = f"env:{server.token_env}" if client == "cursor" else server.token_env
    kind: Entry = {"type": "http"} if client == "claude-code" else {}
    return {**kind, "url": server.url, "headers": {"Authorization": f"Bearer ${{{variable}}}"}}


def written(client: Client, name: str, entry: Entry) -> str:
    """Return the entry as a file that holds nothing else."""
    return merged(client, "", name, entry)


def merged(client: Client, text: str, name: str, entry: Entry) -> str:
    """Return a client's configuration with the entry in it; the same text if it is in it already."""
    key = _KEYS[client]
    before = _read(client, text)
    if _servers(before, key).get(name) == entry:
        return text
    try:
        after = _put(client, text, (key, name), entry)
        is_right = _read(client, after) == _wanted(before, key, name, entry)
    except (BrokenText, tomllib.TOMLDecodeError):
        is_right = False
    if not is_right:
        raise UsageError(
            "The configuration is written in a way that cannot be edited safely; nothing was changed.",
            hint=f"Put the entry in by hand: hermes mcp install {client}",
        )
    return after


def _put(client: Client, text: str, path: tuple[str, str], entry: Entry) -> str:
    if client == "codex":
        return _put_toml(text, path, entry)
    put = yamltext.put if client == "hermes" else jsonc.put
    return put(text if text.strip() or client == "hermes" else "{}\n", path, entry)


def _put_toml(text: str, path: tuple[str, str], entry: Entry) -> str:
    """Put a table at the end, or in the place of the one that is there."""
    head = ".".join(_toml_key(part) for part in path)
    tables = {name: value for name, value in entry.items() if isinstance(value, dict)}
    plain = {name: value for name, value in entry.items() if name not in tables}
    lines = [f"[{head}]", *_toml_lines(plain)]
    for name, value in tables.items():
        lines += [f"[{head}.{_toml_key(name)}]", *_toml_lines(value)]
    block = "\n".join(lines) + "\n"
    # The table with its own tables, up to the next one, without the comments in front of that.
    there = re.compile(
        rf"^\[{re.escape(head)}\][^\n]*\n(?:(?!\[(?!{re.escape(head)}\.)|#)[^\n]*(?:\n|\Z))*", re.MULTILINE
    )
    if there.search(text):
        return there.sub(lambda _: block + "\n", text, count=1)
    return f"{text.rstrip()}\n\n{block}" if text.strip() else block


def _toml_lines(values: Mapping[str, object]) -> list[str]:
    # A string or a list of strings is written in TOML as it is in JSON.
    return [f"{_toml_key(name)} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]


def _toml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _read(client: Client, text: str) -> Entry:
    try:
        value: object
        if client == "codex":
            value = tomllib.loads(text)
        else:
            value = (yamltext.parse if client == "hermes" else jsonc.parse)(text)
    except (BrokenText, tomllib.TOMLDecodeError) as error:
        raise UsageError(
            f"The configuration cannot be read: {error}.", hint="Mend it, or put the entry in by hand."
        ) from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UsageError("The configuration holds no list of servers.", hint="Put the entry in by hand.")
    return value


def _servers(value: Entry, key: str) -> Mapping[str, object]:
    servers = value.get(key)
    return servers if isinstance(servers, dict) else {}


def _wanted(before: Entry, key: str, name: str, entry: Entry) -> Entry:
    after = deepcopy(before)
    after[key] = {**_servers(before, key), name: entry}
    return after
