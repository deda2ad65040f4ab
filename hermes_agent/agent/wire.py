"""What happens during a turn as named JSON, and back: for those who follow it from elsewhere.

The names are part of the HTTP API and never change: a browser, a script or a laptop's `hermes chat` reads them.
`read` gives the same values that a turn yields, so a door far away renders them as one beside it does.
"""

from collections.abc import Mapping
from dataclasses import asdict

from hermes_agent.agent.events import (
    ApprovalAsked,
    Compacted,
    Ending,
    Event,
    Finished,
    Recalled,
    Redacted,
    Response,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    Warned,
)
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.recall.block import Item
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import ToolCall, Usage

_ENDINGS: Mapping[str, Ending] = {"answered": "answered", "interrupted": "interrupted", "stopped": "stopped"}


def written(event: Event) -> tuple[str, dict[str, Json]]:
    """Write an event: its name and what it tells."""
    match event:
        case Redacted(kinds):
            return "redacted", {"kinds": list(kinds)}
        case Warned(text):
            return "warned", {"text": text}
        case Recalled(items):
            return "recalled", {"memories": [asdict(item) for item in items]}
        case Compacted(count, problem):
            return "compacted", {"count": count, "problem": problem}
        case TextDelta(text):
            return "text", {"text": text}
        case ThinkingDelta(text):
            return "thinking", {"text": text}
        case ApprovalAsked(call, question):
            return "approval", {"call": _call(call), "question": question}
        case ToolStarted(call):
            return "tool", {"call": _call(call)}
        case ToolFinished(call, result):
            return "result", {
                "call": _call(call),
                "text": result.text,
                "is_error": result.is_error,
                "notice": result.notice,
            }
        case Finished(response):
            return "finished", {
                "text": response.text,
                "session_id": response.session_id,
                "ending": response.ending,
                "usage": asdict(response.usage),
                "memories": [asdict(item) for item in response.memories],
            }


def silent(name: str, told: Mapping[str, Json]) -> dict[str, Json]:
    """Return what an event tells without its words: its form stays, so that whoever follows can read it."""
    match name:
        case "text" | "thinking" | "warned":
            return {"text": ""}
        case "recalled":
            return {"memories": []}
        case "compacted":
            return {**told, "problem": None}
        case "approval":
            return {**told, "call": _silent_call(told["call"]), "question": ""}
        case "tool":
            return {"call": _silent_call(told["call"])}
        case "result":
            return {**told, "call": _silent_call(told["call"]), "text": "", "notice": None}
        case _:
            return dict(told)


def _silent_call(call: Json) -> Json:
    return {**_object(call), "arguments": "", "purpose": ""}


def read(name: str, told: Mapping[str, Json]) -> Event | None:
    """Read an event; None for a name that is none of a turn's. KeyError or TypeError if it is malformed."""
    match name:
        case "redacted":
            return Redacted([_text(kind) for kind in _list(told["kinds"])])
        case "warned":
            return Warned(_text(told["text"]))
        case "recalled":
            return Recalled(_items(told["memories"]))
        case "compacted":
            problem = told["problem"]
            return Compacted(_whole(told["count"]), None if problem is None else _text(problem))
        case "text":
            return TextDelta(_text(told["text"]))
        case "thinking":
            return ThinkingDelta(_text(told["text"]))
        case "approval":
            return ApprovalAsked(_read_call(told["call"]), _text(told["question"]))
        case "tool":
            return ToolStarted(_read_call(told["call"]))
        case "result":
            notice = told["notice"]
            result = ToolResult(
                _text(told["text"]),
                is_error=bool(told["is_error"]),
                notice=None if notice is None else _text(notice),
            )
            return ToolFinished(_read_call(told["call"]), result)
        case "finished":
            usage = {key: _whole(value) for key, value in _object(told["usage"]).items()}
            return Finished(
                Response(
                    _text(told["text"]),
                    _text(told["session_id"]),
                    _ENDINGS[_text(told["ending"])],
                    Usage(**usage),
                    _items(told["memories"]),
                )
            )
        case _:
            return None


def _call(call: ToolCall) -> Json:
    return {"id": call.id, "name": call.name, "arguments": call.arguments, "purpose": call.purpose}


def _read_call(value: Json) -> ToolCall:
    told = _object(value)
    return ToolCall(
        id=_text(told["id"]),
        name=_text(told["name"]),
        arguments=_text(told["arguments"]),
        purpose=_text(told["purpose"]),
    )


def _items(value: Json) -> list[Item]:
    return [Item(**{key: _text(part) for key, part in _object(one).items()}) for one in _list(value)]


def _object(value: Json) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise TypeError("an object is missing")
    return value


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError("a list is missing")
    return value


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is missing")
    return value


def _whole(value: Json) -> int:
    if not isinstance(value, int):
        raise TypeError("a number is missing")
    return value
