"""What a client over stdio asked and has no answer to yet: it may close our input and still wait for them.

The SDK ends what runs as soon as the input does: what is done by then stays done, and nobody would be told. So the
end of the input is held back until every call that was taken is answered.
"""

import logging
from collections import Counter
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 60.0
"""How long nothing may be answered before what is left is given up; any number of calls may be left."""


class Unanswered:
    """The calls that were taken and are not answered."""

    def __init__(self, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._patience_seconds = patience_seconds
        # Counted: a client may give two calls the same number, and then gets two answers.
        self._numbers: Counter[str] = Counter()
        self._changed = anyio.Event()

    def take(self, item: SessionMessage | Exception) -> None:
        """Notice what a client sent: a call, or that it wants no answer to one any more."""
        message = item.message if isinstance(item, SessionMessage) else None
        if isinstance(message, JSONRPCRequest):
            self._numbers[str(message.id)] += 1
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def answer(self, item: SessionMessage) -> None:
        """Notice what a client was sent."""
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._settle(item.message.id)

    async def wait_for_none(self) -> None:
        """Wait until there is none; give up if nothing comes for long."""
        while self._numbers:
            self._changed = anyio.Event()
            with anyio.move_on_after(self._patience_seconds) as scope:
                await self._changed.wait()
            if scope.cancelled_caught:
                log.warning("%d calls were given up: they took too long.", self._numbers.total())
                return

    # Any: a client may name anything as a number.
    def _settle(self, number: Any) -> None:
        self._numbers -= Counter([str(number)])
        self._changed.set()


class Told:
    """The messages that go out; the answers among them are noticed."""

    # Any: the SDK's stream, whose type is its own.
    def __init__(self, outgoing: Any, unanswered: Unanswered) -> None:
        self._outgoing = outgoing
        self._unanswered = unanswered

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        await self._outgoing.send(item)
        self._unanswered.answer(item)

    async def aclose(self) -> None:
        """Say no more."""
        await self._outgoing.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
