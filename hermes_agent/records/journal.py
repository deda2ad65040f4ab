"""What happened: events (what was asked, done, decided, and came of it) and the changes of memory.

A change has before and after; either says who did it and why.
"""

from dataclasses import dataclass

from hermes_agent.records.archive import Json

EVENTS = ("turn", "tool", "decision", "result", "failure", "remark")
"""The kinds of events; every other kind is a change of memory. `turn` is also `turn.answered`."""


@dataclass(frozen=True, slots=True)
class NewEntry:
    """What is about to be journalled, in the transaction that makes it so."""

    kind: str
    """What happened: `turn.answered`, `decision.made`, `session.renamed`, `job.failed`, …"""
    subject: str
    """What it happened to: an id a person can look up."""
    text: str
    """One sentence for people."""
    actor: str = "owner"
    cause: str | None = None
    before: Json = None
    after: Json = None
    session_id: str | None = None
    happened_at: int | None = None
    """When it happened, if that was before it is written down."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A journalled event or change; `at` is when it was written down."""

    id: int
    uid: str
    at: int
    kind: str
    subject: str
    text: str
    actor: str
    cause: str | None
    before: Json
    after: Json
    session_id: str | None
    happened_at: int | None

    @property
    def name(self) -> str:
        """What people call it: `entry:212`."""
        return f"entry:{self.id}"

    @property
    def when(self) -> int:
        """When it happened."""
        return self.at if self.happened_at is None else self.happened_at
