"""The tools of the external memory, as the toolbox takes them.

Nobody is asked before a call: who chose the provider lets the agent use it. What comes back is a stranger's words,
and marked as a tool's. A name of ours stays ours, and a tool that a vendor of models would refuse, all others with
it, is left out.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.memory.external import External
from hermes_agent.providers.provider import Schema
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import ToolSpec

_LONGEST_DESCRIPTION = 2_000
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class ProviderTool:
    """One tool of the external memory."""

    external: External
    spec: ToolSpec
    session_id: str
    overflow: Overflow

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing: the owner chose the provider."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Let the provider do it."""
        answer = self.external.call(self.spec.name, dict(arguments), self.session_id)
        return ToolResult(self.overflow.shorten(answer), "tool")


def tools_of(
    external: External, session_id: str, overflow: Overflow, taken: Collection[str]
) -> Iterator[ProviderTool]:
    """Yield the provider's tools but those whose names are taken; the first of one name counts."""
    used = set(taken)
    for schema in external.tools(session_id):
        name, parameters = schema["name"], _parameters(schema)
        if name in used or not _NAME.fullmatch(name) or parameters is None:
            continue
        used.add(name)
        description = str(schema.get("description") or "")[:_LONGEST_DESCRIPTION]
        yield ProviderTool(external, ToolSpec(name, description, parameters), session_id, overflow)


def _parameters(schema: Schema) -> Mapping[str, Json] | None:
    """Return what a tool takes, an object; None if that is no JSON, or of another kind."""
    given = schema.get("parameters") or {"type": "object", "properties": {}}
    if not isinstance(given, dict) or given.get("type", "object") != "object":
        return None
    try:
        json.dumps(given, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return {"properties": {}, **given, "type": "object"}
