"""Every tool of the server, by name."""

from collections.abc import Mapping
from typing import Any

from hermes_agent.mcp.tools import facts, journal, notes, recalling, remembering, sessions, skills
from hermes_agent.mcp.tools.tool import Tool

# Any: tools of every form.
TOOLS: Mapping[str, Tool[Any]] = {
    tool.name: tool
    for part in (recalling, sessions, facts, remembering, journal, skills, notes)
    for tool in part.TOOLS
}
