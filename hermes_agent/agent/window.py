"""Between the archive and a model: kept messages become the lines of a request, replies become messages.

Pure, so that the same archive always makes the same bytes: that is what keeps a vendor's prompt cache
warm and a resumed session exact. A call whose result was never kept (the process was killed) gets a
line that says so, because vendors refuse a call without a result.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.recall.block import render, scrub
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
            made.append(UserLine(message.sent or render([], message.content)))
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


def broken_off(text: str, reason: str, model: str) -> NewMessage:
    """Return the message of an answer that failed: the words that had come, and why there are no more."""
    why = f"[The answer broke off: {reason}]" if text.strip() else f"[No answer: {reason}]"
    content = f"{text.rstrip()}\n{why}" if text.strip() else why
    return NewMessage("assistant", content, source_class="system", finish_reason="error", model=model)


def without_echo(reply: Reply) -> Reply:
    """Take the memory block out of a reply that repeats it; the vendor's own form of it goes too."""
    text = scrub(reply.text)
    return reply if text == reply.text else replace(reply, text=text, vendor=None)


def latest_turn(window: Sequence[Message]) -> Sequence[Message]:
    """Return the messages since the user last spoke."""
    said = [place for place, message in enumerate(window) if message.role == "user"]
    return window[said[-1] + 1 :] if said else window


def is_answer(message: Message) -> bool:
    """Tell whether a message ends a turn: the model's words without a wish for tools."""
    return message.role == "assistant" and not any(True for _ in calls_of(message.tool_calls))


def open_calls(turn: Sequence[Message]) -> list[ToolCall]:
    """Return the calls of a turn that have no result yet."""
    answered_ids = {message.tool_call_id for message in turn if message.role == "tool"}
    return [call for message in turn for call in calls_of(message.tool_calls) if call.id not in answered_ids]
