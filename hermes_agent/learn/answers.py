"""The typed answer of a light model, as it comes: the arguments of its calls, or JSON in its words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from hermes_agent.errors import ModelRefused, WindowFull
from hermes_agent.models.model import Model
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import Reply, Request, ToolSpec

_CUT_OFF = "length"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An answer that has not the form it was asked for."""

    reason: str
    is_cut: bool = False
    """Whether it, or what was asked, was too long to be said whole."""
    is_final: bool = False
    """Whether asking again is of no use."""


def handed_in(reply: Reply, form: ToolSpec) -> list[Mapping[str, Json]] | Unreadable:
    """Return the objects that a reply hands in: those of its calls, or of its words if it made none."""
    if reply.finish_reason == _CUT_OFF:
        return Unreadable("The answer was cut off.", is_cut=True)
    if any(call.name != form.name for call in reply.calls):
        return Unreadable(f"Only `{form.name}` can be called.")
    found: list[Mapping[str, Json]] = []
    for text in [call.arguments for call in reply.calls] or [_unfenced(reply.text)]:
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            return Unreadable("The answer is not JSON.")
        if not isinstance(answer, dict):
            return Unreadable("The answer is not an object.")
        found.append(answer)
    return found


def answered(model: Model, request: Request, form: ToolSpec) -> list[Mapping[str, Json]] | Unreadable:
    """Ask a model and return what it hands in; what lies in the question itself is no use asking again."""
    try:
        return handed_in(whole(model, request), form)
    except WindowFull as error:
        return Unreadable(error.message, is_cut=True, is_final=True)
    except ModelRefused as error:
        return Unreadable(error.message, is_final=True)


def whole(model: Model, asked: Request) -> Reply:
    """Ask a model and wait for all of its answer."""
    for piece in model.ask(asked):
        if isinstance(piece, Reply):
            return piece
    return Reply("")


def _unfenced(text: str) -> str:
    """Return an answer in words without the fence that models put around JSON."""
    text = text.strip()
    if not text.startswith("```"):
        return text
    return text.removeprefix("```").removeprefix("json").removesuffix("```")
