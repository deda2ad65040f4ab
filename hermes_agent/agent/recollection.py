"""What memory puts in front of a message, and when it puts nothing there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from hermes_agent.errors import HermesError
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.block import Item, read
from hermes_agent.records.archive import Message

_TRIVIAL = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|thx|ok|okay|yes|no|yep|nope|sure|bye|goodbye|good (?:morning|evening|night)"
    r"|hallo|danke|tschüss|salut|merci|hola|gracias|ciao|grazie|go on|continue)?[\s.!?,;:)(…-]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Recollected:
    """What goes in front of a message; `troubles` say where memory could not look, each told once."""

    items: Sequence[Item]
    troubles: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Recollection:
    """Recall for one conversation; a budget of 0 turns it off."""

    memory: Memory
    session_id: str
    budget_tokens: int
    told: set[str] = field(default_factory=set)

    def for_task(self, said: str, window: Sequence[Message]) -> Recollected:
        """Return what fits the message and was not sent in this conversation before.

        A memory that cannot be searched is told, and the turn goes on without it.
        """
        if self.budget_tokens <= 0 or said.startswith("/") or _TRIVIAL.fullmatch(said.strip()):
            return Recollected([])
        sent = {item.where for message in window if message.sent for item in read(message.sent)[0]}
        try:
            context = self.memory.recall(said, self.session_id, budget_tokens=self.budget_tokens, without=sent)
        except HermesError as error:
            return Recollected([], self._new([f"Nothing could be recalled: {error.message}"]))
        return Recollected(context.items, self._new(context.found.troubles))

    def _new(self, troubles: Sequence[str]) -> list[str]:
        new = [trouble for trouble in troubles if trouble not in self.told]
        self.told.update(new)
        return new
