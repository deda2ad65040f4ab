"""Sessions and their messages, as the archive keeps them.

A message's state says who sees it: a live one is in the window and in search, a compacted one has
left the window but is still found, a rewound one was taken back and is neither.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

Role = str
"""`user`, `assistant`, `tool` or `system`; other products' roles are kept as they came."""

State = Literal["live", "compacted", "rewound"]
SourceClass = Literal["user", "assistant", "tool", "web", "profile", "import", "system"]
ANSWERING = ("assistant", "tool")
"""The roles of what is done and said for a request."""
UNTRUSTED: frozenset[SourceClass] = frozenset({"tool", "web", "import", "profile"})
"""Words that neither the owner nor the assistant said."""
LEAST_TRUSTED: tuple[SourceClass, ...] = ("web", "import", "profile", "tool", "system", "assistant", "user")
"""The classes by how far they are trusted, the least first."""
PROGRAM_SOURCES = ("api", "mcp")
"""The doors that other programs come by: what they tell and its owner has yet to review is kept in a session."""
ParentKind = Literal["compression", "delegation", "branch"]

# JSON as it came from a model or a file: its shape is not ours to promise.
Json = object


def least_trusted(classes: Iterable[SourceClass]) -> SourceClass:
    """Return the class of what is made of several: the least trusted of theirs."""
    return min(classes, key=LEAST_TRUSTED.index)


@dataclass(frozen=True, slots=True)
class NewMessage:
    """A message that is about to be kept. Without `said_at` it was said now."""

    role: Role
    content: str | None
    said_at: int | None = None
    source_class: SourceClass | None = None
    """Where the words came from; without it the role decides."""
    tool_calls: Json = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    token_count: int | None = None
    finish_reason: str | None = None
    reasoning: str | None = None
    model: str | None = None
    sent: str | None = None
    """The text as it went to the model, with the memory block; never indexed."""
    is_summary: bool = False
    """Whether it stands for compacted messages."""
    state: State = "live"
    attachments: Json = None
    metadata: Mapping[str, Json] = field(default_factory=dict)
    uid: str | None = None
    speaker: str | None = None
    """Who said it, where several people talk."""


@dataclass(frozen=True, slots=True)
class Message:
    """A kept message. `id` gives the order within this store, `uid` names it everywhere."""

    id: int
    uid: str
    session_id: str
    role: Role
    content: str | None
    said_at: int
    source_class: SourceClass
    tool_calls: Json
    tool_call_id: str | None
    tool_name: str | None
    token_count: int | None
    finish_reason: str | None
    reasoning: str | None
    model: str | None
    sent: str | None
    is_summary: bool
    state: State
    is_cut: bool
    """Whether the text was too long to be indexed whole."""
    attachments: Json
    metadata: Mapping[str, Json]
    speaker: str | None


@dataclass(frozen=True, slots=True)
class Step:
    """A message without its words: who, and which tools it wanted."""

    role: Role
    tool_calls: Json


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that is about to begin. Without `started_at` it begins now."""

    source: str = "cli"
    id: str | None = None
    uid: str | None = None
    started_at: int | None = None
    user_id: str | None = None
    model: str | None = None
    model_config: Json = None
    system_prompt: str | None = None
    parent_session_id: str | None = None
    parent_kind: ParentKind | None = None
    title: str | None = None
    title_source: str | None = None
    folder: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Session:
    """A kept session with its counts."""

    id: str
    uid: str
    source: str
    user_id: str | None
    model: str | None
    model_config: Json
    parent_session_id: str | None
    parent_kind: ParentKind | None
    started_at: int
    ended_at: int | None
    end_reason: str | None
    last_active_at: int
    title: str | None
    title_source: str | None
    folder: str | None
    message_count: int
    tool_call_count: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    is_archived: bool
    is_pinned: bool
    system_prompt_hash: str | None
    metadata: Mapping[str, Json]
