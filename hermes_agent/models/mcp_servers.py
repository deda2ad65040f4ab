"""The MCP servers of the settings, with `${NAME}` looked up: what `models/mcp.py` connects to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hermes_agent.config.load import Settings
from hermes_agent.config.settings import MCP_SERVERS


@dataclass(frozen=True, slots=True)
class CommandServer:
    """A server that is started and spoken to through its input and output."""

    name: str
    command: str
    args: Sequence[str] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class AddressServer:
    """A server that is somewhere already."""

    name: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


McpServer = CommandServer | AddressServer


def read(settings: Settings) -> list[McpServer]:
    """Return the servers of a home, by name; SettingError when one refers to a variable that is not set."""
    entries = settings[MCP_SERVERS]
    return [_server(name, entries[name], settings) for name in sorted(entries)]


def _server(name: str, entry: Mapping[str, object], settings: Settings) -> McpServer:
    def text(value: object) -> str:
        return settings.expand(str(value), MCP_SERVERS)

    def texts(value: object) -> dict[str, str]:
        return {str(key): text(part) for key, part in value.items()} if isinstance(value, Mapping) else {}

    if "url" in entry:
        return AddressServer(name, text(entry["url"]), texts(entry.get("headers")))
    args = entry.get("args")
    return CommandServer(
        name,
        text(entry["command"]),
        [text(part) for part in args] if isinstance(args, list) else [],
        texts(entry.get("env")),
    )
