"""Between our words and the library's: requests out, replies back.

Out: the system prompt becomes instructions, which every vendor puts in front of everything else, and tools
keep their order, so two requests of one session begin with the same bytes. What a vendor would refuse is
mended on the way, always in the same manner: a result without its call is left out, a call without its
result gets one that says so, an empty line gets a word. Back: what a reply holds beyond text and calls is
kept as `vendor`, so that it can be sent again exactly as it came.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from pydantic import ValidationError
from pydantic_ai.messages import (
    InstructionPart,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    repair_messages,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from hermes_agent.records.archive import Json
from hermes_agent.records.talk import (
    AssistantLine,
    Line,
    Reply,
    Request,
    ToolCall,
    ToolLine,
    ToolSpec,
    Usage,
    UserLine,
)

# Vendors refuse a message of nothing but spaces.
_EMPTY = "(empty message)"
_NO_OUTPUT = "(no output)"

# What replaying a reply needs; the rest of the library's record (times, tokens, prices) is ours to keep elsewhere.
_REPLAYED = ("parts", "kind", "model_name", "provider_name", "provider_url", "canonical_system")

# What a part of each kind says in text and calls; whatever else is set in it only the library can send again.
# Thinking that carries nothing to send back is kept as the reply's reasoning.
_SHOWN = {
    TextPart: ("content",),
    ThinkingPart: ("content",),
    ToolCallPart: ("tool_name", "args", "tool_call_id"),
}


def messages(request: Request) -> list[ModelMessage]:
    """Return the conversation as the library takes it, in a form that every vendor accepts."""
    found = repair_messages([_message(line) for line in request.lines if not _says_nothing(line)])
    if not found or isinstance(found[-1], ModelResponse):
        # A request must end with somebody waiting for an answer.
        found.append(ModelRequest(parts=[UserPromptPart(_EMPTY)]))
    return found


def parameters(request: Request) -> ModelRequestParameters:
    """Return the system prompt, the tools and the form of the answer as the library takes them."""
    return ModelRequestParameters(
        function_tools=[_definition(tool) for tool in request.tools],
        output_mode="text" if request.form is None else "tool",
        output_tools=[] if request.form is None else [_definition(request.form)],
        allow_text_output=request.form is None,
        instruction_parts=[InstructionPart(_sendable(request.system_prompt))] if request.system_prompt else [],
    )


def reply(response: ModelResponse, text: str, model: str) -> Reply:
    """Return a whole answer in our words; `text` is what was shown while it came."""
    calls = [_call(part) for part in response.parts if isinstance(part, ToolCallPart)]
    return Reply(
        text=text,
        calls=calls,
        model=model,
        finish_reason=response.finish_reason,
        reasoning=response.thinking or None,
        usage=_usage(response.usage),
        vendor=_vendor(response),
    )


def _definition(tool: ToolSpec) -> ToolDefinition:
    # Strict or not is left out of it: the library would change the schema where it thinks it can.
    return ToolDefinition(
        name=tool.name, description=tool.description, parameters_json_schema=dict(tool.parameters), strict=False
    )


def _message(line: Line) -> ModelMessage:
    match line:
        case UserLine(text):
            return ModelRequest(parts=[UserPromptPart(_sendable(text) if text.strip() else _EMPTY)])
        case ToolLine(call_id, name, text):
            output = _sendable(text) if text.strip() else _NO_OUTPUT
            return ModelRequest(parts=[ToolReturnPart(name, output, tool_call_id=call_id)])
        case AssistantLine():
            return _replayed(line.vendor) or ModelResponse(parts=list(_parts(line)))


def _says_nothing(line: Line) -> bool:
    return isinstance(line, AssistantLine) and not line.text.strip() and not line.calls and line.vendor is None


def _parts(line: AssistantLine) -> Iterator[ModelResponsePart]:
    if line.text.strip():
        yield TextPart(_sendable(line.text))
    for call in line.calls:
        yield ToolCallPart(_sendable(call.name), _sendable(call.arguments), tool_call_id=call.id)


def _sendable(text: str) -> str:
    """Return the text without halves of characters: they are kept in the archive but have no bytes to send."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _replayed(vendor: Json) -> ModelResponse | None:
    """Return the reply as the library wrote it; None for what this version of it cannot read or send."""
    if not isinstance(vendor, Mapping):
        return None
    try:
        json.dumps(vendor, ensure_ascii=False).encode()
        [found] = ModelMessagesTypeAdapter.validate_python([vendor])
    except (ValidationError, UnicodeEncodeError, TypeError):
        return None
    return found if isinstance(found, ModelResponse) else None


def _vendor(response: ModelResponse) -> Json:
    """Return what must be kept to send the reply again; None when text and calls are all there is."""
    if all(_is_plain(part) for part in response.parts):
        return None
    [written] = ModelMessagesTypeAdapter.dump_python([response], mode="json", exclude_none=True)
    return {name: value for name, value in written.items() if name in _REPLAYED}


def _is_plain(part: ModelResponsePart) -> bool:
    shown = _SHOWN.get(type(part))
    return shown is not None and all(
        getattr(part, item.name) is None for item in fields(part) if item.name not in (*shown, "part_kind")
    )


def _call(part: ToolCallPart[Any]) -> ToolCall:  # Any: the library's type of arguments, which are text here
    arguments = part.args
    text = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
    return ToolCall(part.tool_call_id, part.tool_name, text)


def _usage(usage: RequestUsage) -> Usage:
    return Usage(
        input=usage.input_tokens,
        output=usage.output_tokens,
        cache_read=usage.cache_read_tokens,
        cache_write=usage.cache_write_tokens,
        reasoning=usage.output_reasoning_tokens,
    )
