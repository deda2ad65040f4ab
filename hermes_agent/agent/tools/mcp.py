"""The tools of the owner's MCP servers, as the toolbox takes them.

Nobody is asked before a call: who names a server in the settings lets the agent use it. What comes back is
the words of a stranger, and marked as a tool's.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.models.mcp import McpTools
from hermes_agent.models.mcp_wire import OfferedTool
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import ToolSpec


@dataclass(frozen=True, slots=True)
class McpTool:
    """One tool of a server."""

    servers: McpTools
    offered: OfferedTool
    overflow: Overflow

    @property
    def spec(self) -> ToolSpec:
        """What the model sees."""
        return self.offered.spec

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing: the owner named the server."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Call the server."""
        answer = self.servers.call(self.offered, arguments)
        return ToolResult(self.overflow.shorten(answer.text), "tool", answer.is_error)


def tools_of(servers: McpTools, overflow: Overflow) -> list[McpTool]:
    """Return every tool the servers offer; what did not come up is in `servers.problems`."""
    return [McpTool(servers, offered, overflow) for offered in servers.tools()]
