"""The meter: count what a piece of work costs, and keep it as one row when the work ends, also when it fails.

    with metered(store, "compression", item=session_id) as meter:
        text = summarize(meter.asking(model), episodes)     # every answer of the model is counted
        with store.write() as connection:
            ...
            meter.keep(connection)                          # with what was made; without this, afterwards

A model tells what it took; where a server says nothing, the tokens are guessed by the length of the texts. Nothing
is counted of what a process was doing when it was killed, except what it had kept by then.
"""

import logging
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.errors import CapReached, HermesError
from hermes_agent.records.spending import Cost, Spent, Work
from hermes_agent.records.talk import AssistantLine, Line, Piece, Reply, Request
from hermes_agent.store import spending
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.tokens import tokens

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder, Matrix, Vector
    from hermes_agent.models.model import Model

LOG = logging.getLogger("hermes")


@contextmanager
def metered(store: Store, work: Work, item: str | None = None) -> Iterator["Meter"]:
    """Count what is spent in the block; a row is written when it ends, unless the block has kept it itself."""
    meter = Meter(work, item)
    with ExitStack() as leaving:
        leaving.push(lambda _kind, error, _trace: _end(store, meter, error))
        yield meter


def _end(store: Store, meter: "Meter", error: BaseException | None) -> None:
    """Keep what was spent; that this goes wrong must not hide what went wrong with the work."""
    # What the block has kept before it failed went with its transaction; before a cap nothing was begun.
    is_begun = not isinstance(error, CapReached) or bool(meter.spent.cost.calls)
    if meter.is_kept if error is None else not is_begun:
        return
    try:
        with store.write() as connection:
            meter.keep(connection)
    except HermesError as also:
        if error is None:
            raise
        error.add_note(f"What it cost could not be kept: {also}")
        LOG.warning("What a piece of work cost could not be kept: %s", also)


class Meter:
    """Counts what one piece of work costs."""

    def __init__(self, work: Work, item: str | None) -> None:
        self._spent = Spent(work, item, Cost())
        self._began = clock.monotonic()
        self.is_kept = False

    @property
    def spent(self) -> Spent:
        """What the work has cost so far."""
        elapsed = Cost(milliseconds=(clock.monotonic() - self._began) * 1_000)
        return replace(self._spent, cost=self._spent.cost + elapsed)

    def asking(self, model: "Model") -> "Model":
        """Return the model such that whatever it is asked is counted."""
        return _CountedModel(model, self)

    def embedding(self, embedder: "Embedder") -> "Embedder":
        """Return the embedder such that whatever it embeds is counted."""
        return _CountedEmbedder(embedder, self)

    def count(self, reply: Reply, request: Request | None = None) -> None:
        """Count an answer, for whoever asks by themselves; `request` for servers that do not tell the tokens."""
        usage = reply.usage
        if usage.input or usage.output:
            self.add(Cost(1, usage.input, usage.output), reply.model)
        else:
            self.add(Cost(1, _asked_tokens(request), tokens(_said_characters(reply))), reply.model)

    def add(self, cost: Cost, model: str) -> None:
        """Count something else."""
        self._spent = replace(self._spent, cost=self._spent.cost + cost, model=model or self._spent.model)

    def keep(self, connection: Connection) -> None:
        """Write the row, in a transaction of the caller's; to be called last in it, and once."""
        spending.add(connection, self.spent)
        self.is_kept = True


class AroundModel:
    """A model that is asked through something else, and says of itself what it always does."""

    def __init__(self, inner: "Model") -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """What the archive writes beside its answers."""
        return self._inner.name

    @property
    def is_embedded(self) -> bool:
        """Whether it is our own stand-in."""
        return self._inner.is_embedded

    @property
    def context_window(self) -> int:
        """Most tokens of one request and its answer together."""
        return self._inner.context_window


class _CountedModel(AroundModel):
    """A model that tells a meter what it was asked."""

    def __init__(self, inner: "Model", meter: Meter) -> None:
        super().__init__(inner)
        self._meter = meter

    def ask(self, request: Request) -> Generator[Piece, None, None]:
        """Answer in pieces; an answer that broke off was paid for as far as it came."""
        came, is_whole = 0, False
        try:
            for piece in self._inner.ask(request):
                if isinstance(piece, Reply):
                    is_whole = True
                    self._meter.count(replace(piece, model=self.name), request)
                else:
                    came += len(piece.text)
                yield piece
        finally:
            if not is_whole:
                self._meter.add(Cost(1, _asked_tokens(request) if came else 0, tokens(came)), self.name)


class _CountedEmbedder:
    """An embedder that tells a meter what it embedded; only what a paid service embeds takes tokens."""

    def __init__(self, inner: "Embedder", meter: Meter) -> None:
        from hermes_agent.embedders.paid import is_paid

        self._inner = inner
        self._meter = meter
        self._is_paid = is_paid(inner)
        self.name = inner.name
        self.fingerprint = inner.fingerprint
        self.dimensions = inner.dimensions
        self.is_local = inner.is_local
        self.batch_size = inner.batch_size

    def embed(self, texts: Sequence[str]) -> "Matrix":
        """Return a row for each text."""
        filled = [text for text in texts if text.strip()]
        self._count(-(-len(filled) // self.batch_size), filled)
        return self._inner.embed(texts)

    def embed_query(self, text: str) -> "Vector":
        """Return the vector of what somebody looks for."""
        self._count(1, [text])
        return self._inner.embed_query(text)

    def _count(self, calls: int, texts: Sequence[str]) -> None:
        taken = tokens(sum(len(text) for text in texts)) if self._is_paid else 0
        self._meter.add(Cost(calls, taken), self.name)


def _asked_tokens(request: Request | None) -> int:
    if request is None:
        return 0
    return tokens(len(request.system_prompt) + sum(_line_characters(line) for line in request.lines))


def _line_characters(line: Line) -> int:
    calls = line.calls if isinstance(line, AssistantLine) else ()
    return len(line.text) + sum(len(call.arguments) for call in calls)


def _said_characters(reply: Reply) -> int:
    return len(reply.text) + len(reply.reasoning or "") + sum(len(call.arguments) for call in reply.calls)
