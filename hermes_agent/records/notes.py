"""Notes: the short texts that are always in front of the agent, their versions, and how a change ended.

`memory` and `user` are lists of entries that the agent keeps up to date; `soul` and `workspace` are the
owner's free texts. A change ends in one of two ways: it was made (`Changed`) or it was refused
(`Refused`), and either way the answer says what to do next.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Target = Literal["memory", "user"]
"""The notes the agent may change."""

Note = Literal["soul", "user", "memory", "workspace"]

SUBJECTS: dict[Note, str] = {
    "soul": "SOUL.md",
    "user": "USER.md",
    "memory": "MEMORY.md",
    "workspace": "workspace/MEMORY.md",
}
"""What a note is called in the journal and in sentences."""

VersionState = Literal["intended", "confirmed", "abandoned"]

Reason = Literal[
    "full",
    "no_match",
    "ambiguous",
    "missing",
    "unknown",
    "blocked",
    "unwritable",
    "unreadable",
    "drift",
    "superseded",
    "waiting",
]


@dataclass(frozen=True, slots=True)
class Operation:
    """One step of a change. A model may send any word as the action; what is none of ours is refused."""

    action: str
    """`add`, `replace` or `remove`."""
    content: str | None = None
    old_text: str | None = None
    """A part of the one entry that is meant."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A change that is made: what was saved, and how full the note is now."""

    target: Target
    message: str
    saved: Sequence[str]
    """The entries as they were saved, in the order of the operations."""
    entry_count: int
    characters: int
    limit: int
    entry_uid: str | None = None
    """The journal's entry; None when there was nothing to change."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A change that was not made; nothing was written."""

    reason: Reason
    error: str
    """What is wrong, for people and models."""
    advice: str = ""
    """What a model should do next."""
    current_entries: Sequence[str] | None = None
    """The live entries, where they help to try again; very long ones are cut."""
    entry_sizes: dict[str, int] | None = None
    usage: str | None = None
    matches: Sequence[str] | None = None
    drift_backup: str | None = None
    remediation: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A free text that was written; `warnings` are what screening found in it."""

    note: Note
    message: str
    warnings: Sequence[str] = ()
    entry_uid: str | None = None


Basis = Literal["told", "concluded"]


@dataclass(frozen=True, slots=True)
class Grounds:
    """What an entry stands on: told by the user or concluded, from which message, how surely (0…1)."""

    basis: Basis
    evidence: str | None
    confidence: float
    facts: Sequence[str] = ()
    """The uids of the facts that a curated entry was made of; others have none."""


@dataclass(frozen=True, slots=True)
class NoteVersion:
    """The whole text of a note at one time, and the journal's entry that made it."""

    id: int
    uid: str
    note: Note
    at: int
    state: VersionState
    hash: str
    text: str
    entry_uid: str | None
    kind: str
    """The journal's words: `note.changed`, `note.edited`, …"""
    summary: str
    actor: str
    cause: str | None
    session_id: str | None
    grounds: Mapping[str, Grounds] = field(default_factory=dict)
    """What the entries that this version brought stand on."""


@dataclass(frozen=True, slots=True)
class Removed:
    """An entry that is in the notes no more: when it went, who took it out, what stands in its place."""

    note: Note
    entry: str
    at: int
    actor: str
    cause: str | None
    replaced_by: str | None
    entry_uid: str | None
