"""What a scripted model answers, and how three vendors write that on the wire.

`tests/openai_server.py` serves these: OpenAI's chat completions (streamed and whole), OpenAI's responses,
and Anthropic's messages. Only what a client reads is in them.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

MODEL = "scripted-1"

# Any: JSON as a vendor writes it.
JsonObject = dict[str, Any]
Event = tuple[str | None, str]
"""The name of a server-sent event, None for one without, and its data."""


@dataclass(frozen=True)
class Call:
    """A tool call as a model makes it; `arguments` is sent as it is, malformed or not."""

    name: str
    arguments: str = "{}"
    id: str = "call_1"


@dataclass(frozen=True)
class Say:
    """Answer with these pieces of text."""

    pieces: tuple[str, ...]
    thinking: str
    finish_reason: str

    def __init__(self, *pieces: str, thinking: str = "", finish_reason: str = "stop") -> None:
        object.__setattr__(self, "pieces", pieces)
        object.__setattr__(self, "thinking", thinking)
        object.__setattr__(self, "finish_reason", finish_reason)


@dataclass(frozen=True)
class Use:
    """Ask for tools."""

    calls: tuple[Call, ...]
    text: str

    def __init__(self, *calls: Call, text: str = "") -> None:
        object.__setattr__(self, "calls", calls)
        object.__setattr__(self, "text", text)


Answer = Say | Use

CHAT_USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 60},
    "completion_tokens_details": {"reasoning_tokens": 5},
}


def chat_chunk(delta: JsonObject, finish_reason: str | None = None) -> str:
    """Write one chunk of a streamed chat completion."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return json.dumps({**_chat("chat.completion.chunk"), "choices": [choice]})


def chat_events(answer: Answer) -> Iterator[Event]:
    """Write a streamed chat completion."""
    for chunk in _chat_chunks(answer):
        yield None, chunk
    yield None, json.dumps({**_chat("chat.completion.chunk"), "choices": [], "usage": CHAT_USAGE})
    yield None, "[DONE]"


def chat_completion(answer: Answer) -> JsonObject:
    """Write a chat completion as a whole."""
    message: JsonObject = {"role": "assistant", "content": "".join(_pieces(answer)) or None}
    if isinstance(answer, Use):
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in answer.calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(answer)}
    return {**_chat("chat.completion"), "choices": [choice], "usage": CHAT_USAGE}


def responses_events(answer: Answer) -> Iterator[Event]:
    """Write a streamed response of OpenAI's newer interface; thinking comes encrypted."""
    output: list[JsonObject] = []
    events: list[JsonObject] = [{"type": "response.created", "response": _response([], "in_progress")}]
    for index, (item, deltas, done) in enumerate(_items(answer)):
        place = {"output_index": index, "item_id": done["id"], "content_index": 0}
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        if item["type"] == "message":
            part = {"type": "output_text", "text": "", "annotations": []}
            events.append({"type": "response.content_part.added", **place, "part": part})
        events += [{**delta, **place} for delta in deltas]
        events.append({"type": "response.output_item.done", "output_index": index, "item": done})
        output.append(done)
    events.append({"type": "response.completed", "response": _response(output, "completed")})
    for number, event in enumerate(events):
        yield event["type"], json.dumps({**event, "sequence_number": number})


def anthropic_events(answer: Answer) -> Iterator[Event]:
    """Write a streamed message of Anthropic's; thinking comes signed."""
    usage = {"input_tokens": 40, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 10}
    message: JsonObject = {"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": []}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": {**usage, "output_tokens": 1}}
    events: list[JsonObject] = [{"type": "message_start", "message": message}]
    for index, (block, deltas) in enumerate(_blocks(answer)):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    reason = "end_turn" if isinstance(answer, Say) else "tool_use"
    ending = {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 20}}
    events += [{"type": "message_delta", **ending}, {"type": "message_stop"}]
    for event in events:
        yield event["type"], json.dumps(event)


def _chat(kind: str) -> JsonObject:
    return {"id": "chatcmpl-1", "object": kind, "created": 1_700_000_000, "model": MODEL}


def _pieces(answer: Answer) -> Sequence[str]:
    if isinstance(answer, Say):
        return answer.pieces
    return [answer.text] if answer.text else []


def _finish_reason(answer: Answer) -> str:
    return answer.finish_reason if isinstance(answer, Say) else "tool_calls"


def _chat_chunks(answer: Answer) -> Iterator[str]:
    if isinstance(answer, Say) and answer.thinking:
        yield chat_chunk({"role": "assistant", "reasoning_content": answer.thinking})
    for piece in _pieces(answer):
        yield chat_chunk({"role": "assistant", "content": piece})
    for index, call in enumerate(answer.calls if isinstance(answer, Use) else ()):
        named = {"index": index, "id": call.id, "type": "function"}
        yield chat_chunk({"tool_calls": [{**named, "function": {"name": call.name, "arguments": ""}}]})
        for start in range(0, len(call.arguments), 5):
            part = {"index": index, "function": {"arguments": call.arguments[start : start + 5]}}
            yield chat_chunk({"tool_calls": [part]})
    yield chat_chunk({}, _finish_reason(answer))


def _response(output: list[JsonObject], status: str) -> JsonObject:
    usage = {
        "input_tokens": 100,
        "output_tokens": 20,
        "total_tokens": 120,
        "input_tokens_details": {"cached_tokens": 60},
        "output_tokens_details": {"reasoning_tokens": 5},
    }
    response = {"id": "resp_1", "object": "response", "created_at": 1_700_000_000, "model": MODEL}
    settings: JsonObject = {"parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    return {**response, **settings, "output": output, "status": status, "usage": usage}


def _items(answer: Answer) -> Iterator[tuple[JsonObject, list[JsonObject], JsonObject]]:
    """Yield each item of a response: as it begins, its deltas, as it is in the end."""
    if isinstance(answer, Say) and answer.thinking:
        item: JsonObject = {"id": "rs_1", "type": "reasoning", "summary": []}
        yield item, [], {**item, "encrypted_content": "encrypted-by-vendor"}
    pieces = _pieces(answer)
    if pieces:
        item = {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "status": "in_progress"}
        deltas = [{"type": "response.output_text.delta", "delta": piece, "logprobs": []} for piece in pieces]
        content = [{"type": "output_text", "text": "".join(pieces), "annotations": []}]
        yield item, deltas, {**item, "content": content, "status": "completed"}
    for call in answer.calls if isinstance(answer, Use) else ():
        item = {"id": f"fc_{call.id}", "type": "function_call", "call_id": call.id, "name": call.name}
        delta = {"type": "response.function_call_arguments.delta", "delta": call.arguments}
        yield {**item, "arguments": ""}, [delta], {**item, "arguments": call.arguments, "status": "completed"}


def _blocks(answer: Answer) -> Iterator[tuple[JsonObject, list[JsonObject]]]:
    """Yield each block of a message with its deltas."""
    if isinstance(answer, Say) and answer.thinking:
        thought = {"type": "thinking_delta", "thinking": answer.thinking}
        signature = {"type": "signature_delta", "signature": "signed-by-vendor"}
        yield {"type": "thinking", "thinking": "", "signature": ""}, [thought, signature]
    pieces = _pieces(answer)
    if pieces:
        yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces]
    for call in answer.calls if isinstance(answer, Use) else ():
        block: JsonObject = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
        yield block, [{"type": "input_json_delta", "partial_json": call.arguments}]
