"""Requests made by hand, and a loop that plays tools by their replies."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC

from hermes_agent.agent.embedded.model import Embedded
from hermes_agent.notes import format
from hermes_agent.records.archive import Json
from hermes_agent.records.talk import (
    AssistantLine,
    Line,
    Piece,
    Reply,
    Request,
    TextPiece,
    ToolCall,
    ToolLine,
    ToolSpec,
    UserLine,
)

TOOLS = ("journal", "memory", "session_search", "skill_view", "skills_list")
Answers = Callable[[ToolCall], Json]


def specs(*names: str) -> list[ToolSpec]:
    """Return tools by name."""
    return [ToolSpec(name, f"Do {name}.", {"type": "object", "properties": {}}) for name in names]


def prompt(user: Sequence[str] = (), memory: Sequence[str] = (), workspace: str = "") -> str:
    """Return a system prompt with notes in it, as the agent builds it."""
    parts = ["You are Hermes.", "# Memory\nBelow stand your notes."]
    if user:
        parts.append(format.block("USER PROFILE (who the user is) [12% — 165/1,375 chars]", format.render(user)))
    if memory:
        parts.append(format.block("MEMORY (your personal notes) [1% — 20/2,200 chars]", format.render(memory)))
    if workspace:
        parts.append(format.block("WORKSPACE MEMORY (written by the owner)", workspace))
    return "\n\n".join(parts)


def said(*words: str) -> list[Line]:
    """Return a conversation of which each line was answered, but for the last."""
    lines: list[Line] = []
    for text in words:
        lines += [UserLine(text), AssistantLine("Kept.")]
    return lines[:-1]


def whole(pieces: Sequence[Piece]) -> Reply:
    """Return the reply that ends the pieces, and check that it is their sum."""
    *streamed, reply = pieces
    assert isinstance(reply, Reply)
    assert all(isinstance(piece, TextPiece) for piece in streamed)
    assert "".join(piece.text for piece in streamed if isinstance(piece, TextPiece)) == reply.text
    return reply


def ask(request: Request) -> Reply:
    """Ask once."""
    return whole(list(Embedded(UTC).ask(request)))


def converse(request: Request, answers: Answers) -> tuple[list[ToolCall], str]:
    """Ask until there is an answer; return the calls on the way and the answer."""
    lines = list(request.lines)
    calls: list[ToolCall] = []
    for _ in range(5):
        reply = ask(Request(request.system_prompt, lines, request.tools))
        if not reply.calls:
            return calls, reply.text
        calls += reply.calls
        lines.append(AssistantLine(reply.text, reply.calls))
        lines += [ToolLine(call.id, call.name, json.dumps(answers(call))) for call in reply.calls]
    raise AssertionError("no answer after five rounds")


def nothing_found(call: ToolCall) -> Json:
    """Answer every write with success and every search with nothing."""
    if call.name == "session_search":
        return {
            "success": True,
            "mode": "discover",
            "results": [],
            "count": 0,
            "reason": "no_match",
            "message": "No.",
        }
    return {"success": True, "done": True, "message": "Done."}


def operations(call: ToolCall) -> list[dict[str, str]]:
    """Return what a call of `memory` wants changed."""
    made = json.loads(call.arguments)["operations"]
    assert isinstance(made, list)
    return made
