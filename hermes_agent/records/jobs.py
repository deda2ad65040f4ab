"""Work that must follow, as rows: claimed under a lease, retried with backoff, never lost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

JobState = Literal["waiting", "running", "done", "failed"]

CAPPED = "The daily cap of tokens is reached"
"""How the reason of a job begins that waits because background work has cost as much as it may in a day."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of a long job is done; `total` is None while it is not known."""

    done: int
    total: int | None


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work. While one with the same key is waiting, another is not added."""

    id: int
    uid: str
    kind: str
    key: str
    payload: Mapping[str, object]
    state: JobState
    attempts: int
    max_attempts: int
    due_at: int
    created_at: int
    lease_until: int | None
    leased_by: str | None
    finished_at: int | None
    reason: str | None
    """Why the last attempt failed, or why another job stands for this one."""
    progress: Progress | None
    """How far it is, if it works in steps and was paused at one."""

    @property
    def is_capped(self) -> bool:
        """Whether it waits because of the cap; that is no failure."""
        return self.state == "waiting" and (self.reason or "").startswith(CAPPED)
