"""The outcome of a turn as JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from hermes_agent.agent.events import Response, ToolFinished
from hermes_agent.agent.toolbox import parse_arguments
from hermes_agent.records.archive import Json


def response_json(response: Response, tools: Sequence[Mapping[str, Json]], *, is_kept: bool) -> dict[str, Json]:
    """Write a response with the tools that were called on the way; an incognito one has no session."""
    return {
        "text": response.text,
        "session_id": response.session_id if is_kept else None,
        "ending": response.ending,
        "usage": asdict(response.usage),
        "memories": [asdict(item) for item in response.memories],
        "tools": list(tools),
    }


def tool_json(event: ToolFinished) -> dict[str, Json]:
    """Write which tool was called, with what, and whether it failed."""
    arguments = parse_arguments(event.call.arguments)
    given: Json = event.call.arguments if arguments is None else arguments
    return {"name": event.call.name, "arguments": given, "is_error": event.result.is_error}
