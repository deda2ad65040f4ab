"""What may stand under `mcpServers`: for each name a command to start, or an address, and what belongs to it.

The form is the one that MCP servers print in their own instructions, so that it can be copied.
"""

import re
from collections.abc import Mapping

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_BY_COMMAND: dict[str, type] = {"command": str, "args": list, "env": dict}
_BY_ADDRESS: dict[str, type] = {"url": str, "headers": dict}
_SHOWN: dict[type, str] = {str: "text", list: "a list of text", dict: "names with text"}


def problem(servers: Mapping[str, Mapping[str, object]]) -> str | None:
    """Say what a sound entry would be like, naming the first one that is not; None when all are."""
    for name, entry in servers.items():
        if not _NAME.fullmatch(name):
            return "servers named with up to 40 letters, digits, - and _"
        fields = _BY_ADDRESS if "url" in entry else _BY_COMMAND
        main = "url" if "url" in entry else "command"
        if not entry.get(main):
            return f"servers with a command or a url, and {name} has neither"
        for field, value in entry.items():
            if field not in fields:
                return f"servers with {', '.join(fields)}, and {name} has {field!r}"
            if not _fits(value, fields[field]):
                return f"servers whose {field} is {_SHOWN[fields[field]]}, and {name} has something else there"
    return None


def _fits(value: object, kind: type) -> bool:
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return isinstance(value, kind) and all(isinstance(part, str) for part in parts)
