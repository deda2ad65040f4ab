"""What learning works with: a fact as a message states it, and what becomes of it beside what is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo

from hermes_agent.records.archive import SourceClass
from hermes_agent.records.memory import Fact
from hermes_agent.records.statements import Statement


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that may hold something to learn."""

    uid: str
    text: str
    said_at: int
    source_class: SourceClass = "user"
    speaker: str | None = None
    """Who said it in talk between people; without one it was the owner."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact as one message states it. `valid_from` is since when, where the words say so."""

    statement: Statement
    subject: str
    text: str
    heard: Heard
    confidence: float
    confidence_reason: str
    valid_from: int | None = None
    repeats: str | None = None
    """The uid of the fact that it says once more, where whoever read it says so."""
    replaces: Sequence[str] = ()
    """The uids of the facts that it replaces or ends, where whoever read it says so."""


@dataclass(frozen=True, slots=True)
class Part:
    """What is read at once of a session: the messages from `reached` on, up to `end`.

    Of what was said before, only what the words may refer to; it was learned from already.
    """

    reached: int
    end: int
    fresh: Sequence[Heard]
    before: Sequence[Heard] = ()
    known: Sequence[Fact] = ()
    """What is known that the messages may speak of; only a model needs to see it."""
    zone: tzinfo | None = None
    """Where the owner's days begin."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a part of a session states, why some of what was read is refused, and why the rules read it."""

    candidates: Sequence[Candidate]
    refused: Sequence[str] = ()
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class New:
    """Nothing like it is known."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class Again:
    """It is known; it was said once more."""

    candidate: Candidate
    known: Fact


@dataclass(frozen=True, slots=True)
class Instead:
    """It takes the place of what was known."""

    candidate: Candidate
    former: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class Earlier:
    """It was true before what is known, which was said later; `cut_short` were true only until then."""

    candidate: Candidate
    later: Fact
    cut_short: Sequence[Fact] = ()


@dataclass(frozen=True, slots=True)
class Over:
    """It says that something known is so no longer; nothing new is known by it."""

    candidate: Candidate
    ended: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class Disputed:
    """It contradicts what is known, and which of them is right cannot be decided: both are kept."""

    candidate: Candidate
    rivals: Sequence[Fact]
    reason: str


@dataclass(frozen=True, slots=True)
class Passed:
    """Nothing is learned of it."""

    candidate: Candidate
    reason: str


Outcome = New | Again | Instead | Earlier | Over | Disputed | Passed
