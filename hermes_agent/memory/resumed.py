"""A conversation that is taken up again: what it needs to go on."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.records.archive import Message, Session


@dataclass(frozen=True, slots=True)
class Resumed:
    """A conversation that goes on: `messages` are its window, in order."""

    session: Session
    system_prompt: str | None
    messages: Sequence[Message]
