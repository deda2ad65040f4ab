"""What memory keeps of what was said: episodes, facts, and the things they name.

An episode is one exchange: what somebody said, and everything the agent did and answered until
somebody spoke again. A fact is one sentence that is held to be true, with where it came from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from hermes_agent.records.archive import UNTRUSTED, SourceClass
from hermes_agent.records.statements import Polarity

EpisodeState = Literal["raw", "compressed"]
FactState = Literal["current", "superseded", "retracted", "merged"]
"""`merged` is said by another fact, which stands for it."""
Trust = Literal["owner", "assistant", "untrusted"]
ItemKind = Literal["episode", "fact", "reflection", "summary", "provided"]
"""What a thing can be named by; vectors use the same words. `provided` comes from an external memory."""


@dataclass(frozen=True, slots=True)
class NewEpisode:
    """An exchange that is about to be kept; its messages are given by their ids."""

    session_id: str
    first_message: int
    last_message: int
    said_at: int
    ended_at: int
    source: str
    task: str | None = None


@dataclass(frozen=True, slots=True)
class Episode:
    """A kept exchange: the messages of its session from the first to the last of them."""

    id: int
    uid: str
    session_id: str
    first_message: int
    last_message: int
    said_at: int
    ended_at: int
    task: str | None
    """What the work was about: the folder's name, and the session's title or first request."""
    source: str
    """Through which door the session came."""
    state: EpisodeState
    summary_id: int | None = None
    """The summary that stands for it."""

    @property
    def name(self) -> str:
        """The name it goes by in changes: `episode:7`."""
        return f"episode:{self.id}"


@dataclass(frozen=True, slots=True)
class Said:
    """One message of an episode that somebody reads: no tool's output, nothing taken back."""

    message_id: int
    role: str
    speaker: str | None
    said_at: int
    text: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """The messages from one request to the next; `said` are those of them that hold talk."""

    session_id: str
    first_message: int
    last_message: int
    said_at: int
    ended_at: int
    said: Sequence[Said]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a session came from, and the start of what was first said in it."""

    source: str
    folder: str | None
    title: str | None
    first_request: str


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact that is about to be kept. Without `learned_at` it is learned now."""

    text: str
    source_class: SourceClass
    confidence: float
    confidence_reason: str
    said_at: int
    learned_at: int | None = None
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    polarity: Polarity = "is"
    source_message: str | None = None
    span_start: int | None = None
    span_end: int | None = None
    source_entry: str | None = None
    valid_from: int | None = None
    valid_to: int | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A kept fact. `said_at` is when it was said, `learned_at` when memory took it up."""

    id: int
    uid: str
    text: str
    subject: str | None
    attribute: str | None
    value: str | None
    polarity: Polarity
    confidence: float
    confidence_reason: str
    source_class: SourceClass
    source_message: str | None
    """The uid of the message it was said in; the span is counted in that message's characters."""
    span_start: int | None
    span_end: int | None
    source_entry: str | None
    """The uid of the journal's entry that brought it, for what no message says."""
    said_at: int
    learned_at: int
    valid_from: int | None
    """Since when it was true, which may be long before anybody said so."""
    valid_to: int | None
    superseded_by: str | None
    """The uid of the fact that took its place, or stands for it; one may take the place of several."""
    corroborations: int
    """How often it was said again."""
    state: FactState
    ended_at: int | None
    """When memory stopped holding it to be true."""
    is_pinned: bool
    """Whether the owner wants it kept whatever is said."""

    @property
    def name(self) -> str:
        """What people call it: `fact:042`."""
        return fact_name(self.id)

    @property
    def trust(self) -> Trust:
        """Whose word it is."""
        if self.source_class in UNTRUSTED:
            return "untrusted"
        return "owner" if self.source_class == "user" else "assistant"

    @property
    def was_wrong(self) -> bool:
        """Whether it was true at no time: the owner deleted it, or wrote it differently."""
        return self.state == "retracted" or (self.state == "superseded" and self.valid_to is None)

    def has_begun(self, moment: int) -> bool:
        """Tell whether its first day has come at a moment."""
        return self.valid_from is None or self.valid_from <= moment

    def was_believed(self, moment: int) -> bool:
        """Tell whether memory held it to be true at a moment, and of that moment."""
        if self.learned_at > moment or not self.has_begun(moment):
            return False
        # Before it was ended nobody knew of its last day.
        return self.ended_at > moment if self.ended_at is not None else not self.has_expired(moment)

    def has_expired(self, moment: int) -> bool:
        """Tell whether its last day is past at a moment."""
        return self.valid_to is not None and self.valid_to <= moment


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two facts that contradict each other, which nobody has decided."""

    id: int
    fact_id: int
    rival_id: int
    at: int
    reason: str


def fact_name(number: int) -> str:
    """Write a fact's number as people see it."""
    return f"fact:{number:03}"


@dataclass(frozen=True, slots=True)
class Named:
    """A thing that a text names; spellings of one thing have one key."""

    key: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class NamedThings:
    """What one episode or fact names; of `aliases` the first stands for the second, both as keys."""

    things: Sequence[Named]
    aliases: Sequence[tuple[str, str]] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that texts name, and how many of them do."""

    id: int
    key: str
    name: str
    kind: str
    mentions: int


@dataclass(frozen=True, slots=True)
class Joined:
    """Two spellings of one thing, both as keys: whoever asks for one finds what names the other."""

    alias: str
    key: str

    @property
    def name(self) -> str:
        """The name it goes by in changes: `alias:post greql=postgresql`."""
        return f"alias:{self.alias}={self.key}"
