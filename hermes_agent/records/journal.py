"""What happened to memory: each change with before and after, who did it and why."""

from dataclasses import dataclass

from hermes_agent.records.archive import Json


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A change that is about to be journalled, in the transaction that makes it."""

    kind: str
    """What happened: `session.renamed`, `sessions.imported`, `job.failed`, …"""
    subject: str
    """What it happened to: an id a person can look up."""
    text: str
    """One sentence for people."""
    actor: str = "owner"
    cause: str | None = None
    before: Json = None
    after: Json = None
    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A journalled change."""

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
