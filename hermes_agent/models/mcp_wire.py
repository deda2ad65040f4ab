"""Between MCP's words and ours: what servers offer becomes tools a model may be given, results become text.

Names and schemas come from strangers: a name is brought into the form all vendors accept, and the
combinators that some refuse at the top of a schema are left out.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mcp.types import (
    AudioContent,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
)

from hermes_agent.records.archive import Json
from hermes_agent.records.talk import ToolSpec

_LONGEST_NAME = 64
_COMBINATORS = ("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$schema")
_STRANGE = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool of a server: its name there, and how a model sees it."""

    server: str
    name: str
    spec: ToolSpec


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool returned, as text."""

    text: str
    is_error: bool = False


def offered(listed: Mapping[str, Sequence[Tool]]) -> list[OfferedTool]:
    """Return the tools of all servers in the order of their names here, each name once."""
    found: dict[str, OfferedTool] = {}
    for server in sorted(listed):
        for tool in sorted(listed[server], key=lambda tool: tool.name):
            name = tool_name(server, tool.name, is_taken=False)
            if name in found:
                name = tool_name(server, tool.name, is_taken=True)
            description = tool.description or tool.title or f"{tool.name} of the MCP server {server}."
            found[name] = OfferedTool(
                server, tool.name, ToolSpec(name, description, parameters(tool.input_schema))
            )
    return [found[name] for name in sorted(found)]


def tool_name(server: str, tool: str, *, is_taken: bool) -> str:
    """Return `mcp_<server>_<tool>`; one that is too long, strange or taken gets a few letters of its own."""
    wanted = f"mcp_{server}_{tool}"
    clean = _STRANGE.sub("_", wanted)
    if clean == wanted and len(wanted) <= _LONGEST_NAME and not is_taken:
        return wanted
    mark = hashlib.sha256(f"{server}\0{tool}".encode("utf-8", "replace")).hexdigest()[:8]
    return f"{clean[: _LONGEST_NAME - len(mark) - 1]}_{mark}"


def parameters(schema: Mapping[str, Json]) -> dict[str, Json]:
    """Return a schema of type object without combinators at its top."""
    kept = {key: value for key, value in schema.items() if key not in _COMBINATORS}
    properties = kept.get("properties")
    return {**kept, "type": "object", "properties": properties if isinstance(properties, Mapping) else {}}


def answer(result: CallToolResult) -> ToolAnswer:
    """Return a result as text; what cannot be read as text is named."""
    parts = [_text(block) for block in result.content]
    if not parts and result.structured_content is not None:
        parts = [json.dumps(result.structured_content, ensure_ascii=False)]
    return ToolAnswer("\n".join(parts) or "(no output)", result.is_error)


def _text(block: ContentBlock) -> str:
    match block:
        case TextContent(text=text):
            return text
        case ImageContent(mime_type=kind) | AudioContent(mime_type=kind):
            return f"[{kind}, {len(block.data) * 3 // 4:,} bytes: not shown]"
        case EmbeddedResource(resource=TextResourceContents(text=text)):
            return text
        case EmbeddedResource(resource=resource):
            return f"[{resource.uri}: not text]"
        case ResourceLink(uri=uri):
            return f"[{uri}]"
