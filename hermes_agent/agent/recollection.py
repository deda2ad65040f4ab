"""What memory puts in front of a message, and when it puts nothing there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hermes_agent import clock
from hermes_agent.errors import HermesError
from hermes_agent.memory.external import External
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.block import Item, fenced, read
from hermes_agent.records.archive import Message
from hermes_agent.records.spending import Cost
from hermes_agent.text.tokens import tokens

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
    cost: Cost | None = None
    """What it took to find them, and the tokens of the block; None if nobody looked."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """Recall for one conversation; a budget of 0 turns it off."""

    memory: Memory
    session_id: str
    budget_tokens: int
    told: set[str] = field(default_factory=set)
    history: dict[int, int] = field(default_factory=dict)
    """The tokens of all other conversations, by window: guessed once for each conversation."""
    external: External | None = None
    """The external memory, where it may hear of this conversation."""

    def for_task(self, said: str, window: Sequence[Message]) -> Recollected:
        """Return what fits the message and was not sent in this conversation before.

        A memory that cannot be searched is told, and the turn goes on without it.
        """
        if self.budget_tokens <= 0 or said.startswith("/") or _TRIVIAL.fullmatch(said.strip()):
            return Recollected([])
        sent = {item.where for message in window if message.sent for item in read(message.sent)[0]}
        began = clock.monotonic()
        try:
            context = self.memory.recall(
                said,
                self.session_id,
                budget_tokens=self.budget_tokens,
                without=sent,
                is_private=self.external is None,
            )
        except HermesError as error:
            return Recollected([], self._new([f"Nothing could be recalled: {error.message}"]))
        milliseconds = (clock.monotonic() - began) * 1_000
        asked = 0 if self.memory.embedder is None else 1
        cost = Cost(asked, tokens(len(fenced(context.items))), milliseconds=milliseconds)
        return Recollected(context.items, self._new(context.found.troubles), cost)

    def saving(self, cost: Cost, context_window: int) -> Cost:
        """Return a cost with the tokens that were saved: without recall all other conversations would be sent.

        Of them no more would be sent than the model takes. While there is little to send, the block may be longer.
        """
        if context_window not in self.history:
            self.history[context_window] = self.memory.history_tokens(self.session_id, context_window)
        return replace(cost, saved_tokens=self.history[context_window] - cost.input_tokens)

    def _new(self, troubles: Sequence[str]) -> list[str]:
        new = [trouble for trouble in troubles if trouble not in self.told]
        self.told.update(new)
        return new
