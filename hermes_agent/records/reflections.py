"""Reflections: how a task went, what worked, and what to do differently when one like it comes again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_agent import clock
from hermes_agent.records.archive import SourceClass

TaskOutcome = Literal["done", "failed", "stopped"]
ReflectionState = Literal["current", "deleted", "merged"]
"""`merged` is said by another reflection, which counts for it."""
TaskType = Literal[
    "coding", "review", "operations", "research", "writing", "planning", "data", "monitoring", "memory", "other"
]

ENDED: dict[TaskOutcome, str] = {"done": "was done", "failed": "failed", "stopped": "was stopped"}
"""How a sentence about a task goes on."""


STALE_DAYS = 180


def is_stale(ended_at: int, occurrences: int, brought_at: int | None, now: int) -> bool:
    """Tell whether a lesson is old, was never met again, and went in front of no task since."""
    return occurrences <= 1 and now - max(ended_at, brought_at or 0) > STALE_DAYS * 86_400 * clock.MICROSECONDS


def reflection_name(number: int) -> str:
    """Return what people call a reflection: `reflection:007`."""
    return f"reflection:{number:03}"


def reflection_number(named: str) -> int | None:
    """Return the number of the reflection that a text begins with the name of; None if it does not."""
    found = re.match(r"reflection:([0-9]{1,18})\b", named)
    return None if found is None else int(found[1])


@dataclass(frozen=True, slots=True)
class NewReflection:
    """A reflection that is about to be kept."""

    session_id: str
    message_uid: str
    """The message that asked for the task."""
    task: str
    """What was asked for, on one line."""
    task_type: TaskType
    outcome: TaskOutcome
    worked: Sequence[str]
    """What led to the end, each a sentence."""
    differently: Sequence[str]
    """What failed or was corrected, and what to do instead, each a sentence."""
    source_class: SourceClass
    """The least trusted of the words in it."""
    began_at: int
    ended_at: int
    written_by: str
    """`rules`, or the model that worded it."""


@dataclass(frozen=True, slots=True)
class Reflection:
    """A reflection as it is kept."""

    id: int
    uid: str
    session_id: str
    message_uid: str
    task: str
    task_type: TaskType
    outcome: TaskOutcome
    worked: Sequence[str]
    differently: Sequence[str]
    source_class: SourceClass
    began_at: int
    ended_at: int
    written_by: str
    made_at: int
    state: ReflectionState
    occurrences: int
    """How often a task like it went the same way."""

    @property
    def name(self) -> str:
        """What people call it: `reflection:007`."""
        return reflection_name(self.id)

    @property
    def lesson(self) -> str:
        """What to bear in mind, in a few sentences."""
        return " ".join([*self.differently, *self.worked])
