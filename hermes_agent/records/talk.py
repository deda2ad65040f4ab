"""What goes to a language model and what comes back, in our own words.

A request is the system prompt, the lines of the conversation and the tools on offer; a reply comes in
pieces and ends with the whole. Every model, the embedded one too, is asked in these terms; only
`models/remote.py` knows the library that speaks to vendors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hermes_agent.records.archive import Json

NEEDS_MODEL = "That needs a language model"
"""How the embedded model begins to say that it cannot do a task."""
NOT_NOTED = "Kept in this conversation; I did not add it to the notes. Say “remember that …” if I should."
NOT_NOTED_AGAIN = "Kept in this conversation, not in the notes."
"""What it says of a remark that holds nothing for the notes, and the next time."""
INTRODUCES = "This is your memory without a language model"
HELPS = "I am your memory, without a language model"
"""How it begins to greet somebody new, and to say what it can do."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it. `parameters` is a JSON schema of type object without top-level combinators."""

    name: str
    description: str
    parameters: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A model's wish to use a tool. `arguments` is the JSON text as it came: it may be malformed."""

    id: str
    name: str
    arguments: str
    purpose: str = ""
    """What it is for, in words for people, where its arguments do not tell."""


@dataclass(frozen=True, slots=True)
class UserLine:
    """What the user said, as sent: a memory block may stand in front."""

    text: str


@dataclass(frozen=True, slots=True)
class AssistantLine:
    """What a model said and which tools it wanted. `vendor` is what the library needs to replay it exactly."""

    text: str
    calls: Sequence[ToolCall] = ()
    vendor: Json = None


@dataclass(frozen=True, slots=True)
class ToolLine:
    """What a tool answered to a call."""

    call_id: str
    name: str
    text: str


Line = UserLine | AssistantLine | ToolLine


@dataclass(frozen=True, slots=True)
class Request:
    """Everything a model gets to see."""

    system_prompt: str
    lines: Sequence[Line]
    tools: Sequence[ToolSpec] = ()
    form: ToolSpec | None = None
    """The form of the answer: a call of this, no words. A model may answer in words all the same."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more requests."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.reasoning + other.reasoning,
        )


@dataclass(frozen=True, slots=True)
class TextPiece:
    """The next words of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingPiece:
    """The next words of the model's own thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's whole answer to one request; the last piece."""

    text: str
    calls: Sequence[ToolCall] = ()
    model: str = ""
    finish_reason: str | None = None
    reasoning: str | None = None
    usage: Usage = field(default_factory=Usage)
    vendor: Json = None


Piece = TextPiece | ThinkingPiece | Reply
