"""Between the archive and a model: kept messages become the lines of a request, replies become messages.

Pure, so that the same archive always makes the same bytes: that is what keeps a vendor's prompt cache
warm and a resumed session exact. A call whose result was never kept (the process was killed) gets a
line that says so, because vendors refuse a call without a result.
"""

from collections.abc import Iterator, Mapping, Sequence

from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.records.archive import Json, Message, NewMessage
from hermes_agent.records.talk import AssistantLine, Line, Reply, ToolCall, ToolLine, UserLine

INTERRUPTED = "interrupted"
NO_RESULT = "[No result was recorded: the work was interrupted here. Check before doing it again.]"
_STOPPED = "[The user stopped the answer here.]"


def lines(window: Sequence[Message]) -> list[Line]:
    """Return a window as a model gets it."""
    made: list[Line] = []
    open_calls: dict[str, ToolCall] = {}
    for message in window:
        if message.role == "tool":
            call = open_calls.pop(message.tool_call_id or "", None)
            if call is not None:
                made.append(ToolLine(call.id, call.name, message.content or ""))
            continue
        made += _unanswered(open_calls)
        if message.role == "assistant":
            line = _assistant(message)
            open_calls = {call.id: call for call in line.calls}
            made.append(line)
        elif message.content:
            made.append(UserLine(message.sent or message.content))
    return [*made, *_unanswered(open_calls)]


def _assistant(message: Message) -> AssistantLine:
    text = message.content or ""
    if message.finish_reason == INTERRUPTED:
        return AssistantLine(f"{text}\n{_STOPPED}" if text else _STOPPED)
    return AssistantLine(text, tuple(calls_of(message.tool_calls)), message.metadata.get("vendor"))


def _unanswered(open_calls: dict[str, ToolCall]) -> Iterator[Line]:
    for call in open_calls.values():
        yield ToolLine(call.id, call.name, NO_RESULT)
    open_calls.clear()


def calls_of(tool_calls: Json) -> Iterator[ToolCall]:
    """Read the calls of a kept message; imported ones may have any shape."""
    if not isinstance(tool_calls, list):
        return
    for number, call in enumerate(tool_calls):
        function = call.get("function") if isinstance(call, Mapping) else None
        if isinstance(function, Mapping) and isinstance(function.get("name"), str):
            arguments = function.get("arguments")
            yield ToolCall(
                str(call.get("id") or f"call_{number}"),
                str(function["name"]),
                arguments if isinstance(arguments, str) else "{}",
            )


def said(text: str) -> NewMessage:
    """Return the message of what the user said."""
    return NewMessage("user", text)


def replied(reply: Reply) -> NewMessage:
    """Return the message of what a model said, with the calls it wants."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.calls
    ]
    return NewMessage(
        "assistant",
        reply.text or None,
        tool_calls=calls or None,
        finish_reason=reply.finish_reason,
        reasoning=reply.reasoning,
        model=reply.model,
        token_count=reply.usage.output or None,
        metadata={} if reply.vendor is None else {"vendor": reply.vendor},
    )


def cut_off(text: str, model: str) -> NewMessage:
    """Return the message of an answer the user stopped."""
    return NewMessage("assistant", text or None, finish_reason=INTERRUPTED, model=model)


def answered(call: ToolCall, result: ToolResult) -> NewMessage:
    """Return the message of what a tool answered."""
    return NewMessage(
        "tool",
        result.text,
        tool_call_id=call.id,
        tool_name=call.name,
        source_class=result.source_class,
        metadata={"is_error": True} if result.is_error else {},
    )
