"""The tools of a conversation: offered to the model, run for it, never the cause of a crash.

A tool's reply is text for the model with the class of its source; a `ToolError` becomes a reply that
says what to do next. Whatever else a tool raises is a defect of the tool: it is logged, the model is
told, the turn goes on.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hermes_agent.errors import HermesError
from hermes_agent.records.archive import Json, SourceClass
from hermes_agent.records.talk import ToolCall, ToolSpec
from hermes_agent.text import outside_json

log = logging.getLogger(__name__)

LONGEST_RESULT = 30_000


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the model reads. `source_class` says whose words they are, `notice` is for the owner to see too."""

    text: str
    source_class: SourceClass = "tool"
    is_error: bool = False
    notice: str | None = None


class Tool(Protocol):
    """One tool. `question` asks the owner before `run` may be called; None needs no asking."""

    @property
    def spec(self) -> ToolSpec: ...

    def question(self, arguments: Mapping[str, Json]) -> str | None: ...

    def run(self, arguments: Mapping[str, Json]) -> ToolResult: ...


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of one conversation, by name."""

    tools: Mapping[str, Tool]

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """What is offered to the model, always in the same order: the prompt's prefix depends on it."""
        return [self.tools[name].spec for name in sorted(self.tools)]

    def question(self, call: ToolCall) -> str | None:
        """Say what the owner must be asked before this call, if anything; a malformed call needs no asking."""
        tool = self.tools.get(call.name)
        arguments = parse_arguments(call.arguments)
        if tool is None or arguments is None:
            return None
        try:
            return tool.question(arguments)
        except HermesError:
            return None  # `run` meets the same error and says it to the model

    def run(self, call: ToolCall) -> ToolResult:
        """Run one call; whatever happens, the model gets an answer."""
        tool = self.tools.get(call.name)
        if tool is None:
            return failed(f"There is no tool {call.name!r}. Use one of: {', '.join(sorted(self.tools))}.")
        arguments = parse_arguments(call.arguments)
        if arguments is None:
            return failed("The arguments are not a JSON object. Send them again as one.")
        try:
            return tool.run(arguments)
        except HermesError as error:
            return failed(error.message if error.hint is None else f"{error.message} {error.hint}")
        except Exception:
            log.exception("the tool %s failed", call.name)
            return failed(f"The tool {call.name} failed inside. Go on without it; the failure was logged.")


def parse_arguments(text: str) -> Mapping[str, Json] | None:
    """Read a call's arguments; nothing at all is an empty object, what is no object is None."""
    if not text.strip():
        return {}
    value = outside_json.read(text)
    return value if isinstance(value, dict) else None


def failed(message: str) -> ToolResult:
    """Return an error for the model, in the form all tools use."""
    return ToolResult(json.dumps({"success": False, "error": message}, ensure_ascii=False), is_error=True)
