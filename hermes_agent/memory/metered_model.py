"""The light model where a conversation waits for it: each answer is metered, and the day's cap holds."""

from collections.abc import Generator
from typing import TYPE_CHECKING

from hermes_agent.memory.metering import AroundModel, metered
from hermes_agent.memory.spending import Cap
from hermes_agent.records.spending import Work
from hermes_agent.records.talk import Piece, Request
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.models.model import Model


class MeteredModel(AroundModel):
    """A model of which every answer is a piece of work of its own."""

    def __init__(self, inner: "Model", store: Store, cap: Cap, work: Work, item: str | None) -> None:
        super().__init__(inner)
        self._store = store
        self._cap = cap
        self._work: Work = work
        self._item = item

    def ask(self, request: Request) -> Generator[Piece, None, None]:
        """Answer in pieces, unless the cap is reached; whoever asks listens to the end, where it is counted."""
        self._cap.require(self._store)
        with metered(self._store, self._work, self._item) as meter:
            yield from meter.asking(self._inner).ask(request)
