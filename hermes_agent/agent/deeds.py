"""What the journal says of a turn, and of the tools in it that changed something in the world.

Reading is no deed: what a tool only looked at is in the messages. Notes and the journal itself are not told here
either, they write their own entries. The words are one line each, without secrets, and go when the session goes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_agent.agent.toolbox import parse_arguments
from hermes_agent.agent.tools.shell_rules import is_reading
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.talk import ToolCall
from hermes_agent.text.clean import preview
from hermes_agent.text.pasted import holds_pasted
from hermes_agent.text.secrets import redact

TurnEnding = Literal["answered", "failed", "interrupted", "stopped"]
Outcome = Literal["done", "failed", "denied", "stopped"]

_LONGEST = 160
_ENDINGS: dict[TurnEnding, str] = {
    "answered": "was answered",
    "failed": "failed",
    "interrupted": "was stopped by the user",
    "stopped": "was not finished: it took too many rounds of tools",
}
_OUTCOMES: dict[Outcome, str] = {
    "done": "",
    "failed": " failed",
    "denied": " was not allowed by the owner",
    "stopped": " was stopped by the user",
}
_OF_SERVERS = "mcp_"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a turn was about: the user's message, and the model that was to answer it."""

    session_id: str
    message_uid: str
    text: str
    model: str


def turn_entry(asked: Asked, ending: TurnEnding, tools: Sequence[str]) -> NewEntry:
    """Journal what was asked, in one line, and how it ended."""
    count = len(tools)
    used = f", with {count} tool call{'s' if count > 1 else ''}" if count else ""
    return NewEntry(
        f"turn.{ending}",
        asked.session_id,
        f"{_request(asked.text)} {_ENDINGS[ending]}{used}.",
        actor="agent",
        after={"model": asked.model, "tools": list(tools), "message": asked.message_uid},
        session_id=asked.session_id,
    )


def _request(text: str) -> str:
    # The journal is read by models: words that somebody else wrote must not stand there as the user's.
    return "A request with pasted text" if holds_pasted(text) else f"“{preview(text.rstrip(' .'), _LONGEST)}”"


def deed(call: ToolCall, session_id: str, outcome: Outcome) -> NewEntry | None:
    """Journal a call that changed something, or was meant to; None for one that only reads."""
    done = _done(call)
    if done is None:
        return None
    did, doing, what = done
    # Tried and not allowed is no deed, but whoever asks what happened should hear of it.
    text = f"{did if outcome == 'done' else doing} {what}{_OUTCOMES[outcome]}."
    return NewEntry(f"tool.{outcome}", call.name, text, actor="agent", session_id=session_id)


def _done(call: ToolCall) -> tuple[str, str, str] | None:
    """Return what a call does, as done and as being done, and to what."""
    arguments = parse_arguments(call.arguments)
    if arguments is None:
        return None
    command, path = (str(arguments.get(name) or "") for name in ("command", "path"))
    match call.name:
        case "shell" if command.strip() and not is_reading(command):
            return "Ran", "Running", f"`{_line(command)}`"
        case "write_file":
            return "Wrote", "Writing", _line(path)
        case "edit_file":
            return "Edited", "Editing", _line(path)
        case name if name.startswith(_OF_SERVERS):
            return "Called", "Calling", f"{name} with {_line(call.arguments)}"
    return None


def _line(text: str) -> str:
    return preview(redact(text)[0], _LONGEST)
