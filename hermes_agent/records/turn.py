"""What the last commit of a turn keeps, all together or not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hermes_agent.records.archive import NewMessage
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.spending import Spent
from hermes_agent.records.talk import Usage


@dataclass(frozen=True, slots=True)
class NewJob:
    """Work that must follow; while one with the key is waiting, another is not added."""

    kind: str
    key: str
    payload: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Begun:
    """Where a turn began: the message that it answers, and the last receipt of a forgetting by then."""

    message_uid: str
    receipt: int


@dataclass(frozen=True, slots=True)
class FinishedTurn:
    """The answer, the journal entry, what it cost, and the jobs that must follow."""

    answer: NewMessage
    entry: NewEntry
    usage: Usage = field(default_factory=Usage)
    jobs: Sequence[NewJob] = ()
    recall: Spent | None = None
    """What it cost to find what memory put in front of it."""
    request_uid: str | None = None
    """The message it answers, if it does: an external memory is told of whole turns only."""
    begun: Begun | None = None
    """Where it began, if what was forgotten since must not be written."""
