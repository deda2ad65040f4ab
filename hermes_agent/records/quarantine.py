"""What was quarantined: a message from elsewhere, or a note made of one, that waits for the owner's word.

It is kept, and stays where it was; but it is neither recalled nor learned from until it is accepted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_agent.records.archive import SourceClass
from hermes_agent.records.notes import Target

QuarantineKind = Literal["message", "note"]
QuarantineState = Literal["waiting", "accepted", "rejected"]


@dataclass(frozen=True, slots=True)
class NewQuarantined:
    """Something that is about to be quarantined."""

    kind: QuarantineKind
    session_id: str
    source_class: SourceClass
    """Where the words came from."""
    reasons: Sequence[str]
    message_id: int | None = None
    """The message itself, or the one that a note was made of."""
    target: Target | None = None
    text: str | None = None
    """The entry that would have been written; a message keeps its own words."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """Something in quarantine, or that was."""

    id: int
    uid: str
    kind: QuarantineKind
    session_id: str
    message_id: int | None
    target: Target | None
    text: str | None
    source_class: SourceClass
    reasons: Sequence[str]
    at: int
    state: QuarantineState
    decided_at: int | None

    @property
    def name(self) -> str:
        """What people call it: `review:007`."""
        return f"review:{self.id:03}"
