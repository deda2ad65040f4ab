"""What happens during a turn, as values that doors render; the last one carries the response.

`ApprovalAsked` wants an answer: send True into the turn to let the tool run. A door that only
iterates sends nothing, and nothing means no.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.recall.block import Item
from hermes_agent.records.talk import ToolCall, Usage

Ending = Literal["answered", "interrupted", "stopped"]


@dataclass(frozen=True, slots=True)
class Redacted:
    """Secrets were taken out of what the user said before it was kept or sent."""

    kinds: Sequence[str]


@dataclass(frozen=True, slots=True)
class Warned:
    """Something does not work as it should; the turn goes on without it."""

    text: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """Memory put these in front of the message."""

    items: Sequence[Item]


@dataclass(frozen=True, slots=True)
class Compacted:
    """Older messages left the model's window; a summary stands for them. `problem`: it is not the model's."""

    count: int
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next words of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """The next words of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """The owner must say yes before this call runs."""

    call: ToolCall
    question: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool is about to run; the call is on the disk."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool has answered; the result is on the disk."""

    call: ToolCall
    result: ToolResult


@dataclass(frozen=True, slots=True)
class Response:
    """The outcome of a turn. It prints as its text."""

    text: str
    session_id: str
    ending: Ending = "answered"
    usage: Usage = field(default_factory=Usage)
    memories: Sequence[Item] = ()
    events: Sequence["Event"] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn is over and on the disk."""

    response: Response


Event = (
    Redacted
    | Warned
    | Recalled
    | Compacted
    | TextDelta
    | ThinkingDelta
    | ApprovalAsked
    | ToolStarted
    | ToolFinished
    | Finished
)
