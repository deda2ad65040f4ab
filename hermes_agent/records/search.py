"""What a search of the archive gives back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_agent.records.archive import Message, Session

Detail = Literal["full", "index"]
Sort = Literal["newest", "oldest"]

Reason = Literal[
    "no_words",  # nothing in the query can be looked up
    "no_match",  # looked everywhere, found nothing
    "hidden",  # found, but every hit was left out
    "widened",  # not all words were in one message, so any of them counted
    "fragment",  # no such word; found as part of a longer one
    "unfinished",  # the time for looking through everything ran out
    "narrowed",  # words so common that only a part of the archive was ranked
]


@dataclass(frozen=True, slots=True)
class Found:
    """A session that matched: its best message, what stood around it, how the session began and ended."""

    session: Session
    matched_role: str
    match_message_id: int | None
    snippet: str
    root_id: str
    messages: Sequence[Message] = ()
    bookend_start: Sequence[Message] = ()
    bookend_end: Sequence[Message] = ()
    messages_before: int = 0
    messages_after: int = 0


@dataclass(frozen=True, slots=True)
class Discovered:
    """The answer to a query: sessions, best first, and why there are none or not all."""

    query: str
    results: Sequence[Found]
    sessions_searched: int
    detail: Detail
    reason: Reason | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Scrolled:
    """The messages around one."""

    session: Session
    around_message_id: int
    window: int
    messages: Sequence[Message]
    messages_before: int
    messages_after: int
    warning: str | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """A session from its beginning, the middle left out when it is long."""

    session: Session
    messages: Sequence[Message]
    message_count: int
    is_truncated: bool


@dataclass(frozen=True, slots=True)
class Recent:
    """A conversation in the list of recent ones."""

    session: Session
    preview: str
    first_id: int | None = None
    """The message that the preview is the start of."""


@dataclass(frozen=True, slots=True)
class Browsed:
    """The most recent conversations."""

    results: Sequence[Recent]
