"""What memory puts in front of a message, and when it puts nothing there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.memory.memory import Memory
from hermes_agent.recall.block import Item, read
from hermes_agent.records.archive import Message

_TRIVIAL = re.compile(
    r"(?:hi|hello|hey|thanks|thank you|thx|ok|okay|yes|no|yep|nope|sure|bye|goodbye|good (?:morning|evening|night)"
    r"|hallo|danke|tschüss|salut|merci|hola|gracias|ciao|grazie|go on|continue)?[\s.!?,;:)(…-]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Recollection:
    """Recall for one conversation; a budget of 0 turns it off."""

    memory: Memory
    session_id: str
    budget_tokens: int

    def for_task(self, said: str, window: Sequence[Message]) -> list[Item]:
        """Return what fits the message and was not sent in this conversation before."""
        if self.budget_tokens <= 0 or said.startswith("/") or _TRIVIAL.fullmatch(said.strip()):
            return []
        sent = {item.where for message in window if message.sent for item in read(message.sent)[0]}
        return self.memory.recall(said, self.session_id, budget_tokens=self.budget_tokens, without=sent)
