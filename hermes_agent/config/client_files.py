"""Where other agents keep the list of their MCP servers."""

import os
from pathlib import Path

from hermes_agent.config.paths import expand

PLACES = {
    "claude-code": ".mcp.json",
    "cursor": "~/.cursor/mcp.json",
    "codex": "~/.codex/config.toml",
    "hermes": "~/.hermes/config.yaml",
}
"""By client; one without `~` belongs to a project, and lies in its folder."""


def place_of(client: str, folder: Path) -> Path:
    """Return the file of a client; `folder` is the project's."""
    codex_home = os.environ.get("CODEX_HOME")
    if client == "codex" and codex_home:
        return expand(codex_home) / "config.toml"
    return expand(PLACES[client], relative_to=folder)


def beside(file: Path) -> Path:
    """Return where a copy of a file goes before it is changed; a copy that is there stays."""
    number = 1
    while (copy := file.with_name(f"{file.name}.{number}.bak")).exists():
        number += 1
    return copy
