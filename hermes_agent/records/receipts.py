"""Receipts: what was forgotten, told without its words.

A receipt holds how many of what went, and keyed hashes: of runs of bytes, by which whoever has the key can look
whether any are left, and of sentences and facts, by which they are not learned again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

ReceiptState = Literal["pending", "done"]
"""`pending` is one whose files are still to be cleaned: a process was killed, or another one was in the way."""


@dataclass(frozen=True, slots=True)
class NewReceipt:
    """What is about to be kept of a forgetting."""

    asked: str
    """How it was named: `fact`, `session`, `about`, `reset` …; never the name itself, which may be the word."""
    counts: Mapping[str, int]
    key: str
    """What the hashes are keyed with, in hex."""
    runs: Sequence[str]
    blocks: Sequence[str]


@dataclass(frozen=True, slots=True)
class Receipt:
    """A kept one."""

    id: int
    uid: str
    at: int
    state: ReceiptState
    asked: str
    counts: Mapping[str, int]
    key: str
    runs: Sequence[str]
    blocks: Sequence[str]
    found: Sequence[str]
    """Where something was left when the files were looked through last."""
    backups: Sequence[str]
    """Backups that still hold it."""
    lifted_at: int | None
    """When its owner allowed to learn it again."""

    @property
    def name(self) -> str:
        """What people call it: `receipt:003`."""
        return f"receipt:{self.id:03}"
