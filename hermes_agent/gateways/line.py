"""The line between our threads and a gateway's event loop: calls go over it, are repeated, and end with it.

Turns are taken in threads and gateways live in a loop. When the connection is down, whoever wants to send waits
here; when everything is to end, whoever waits leaves with `Ended`, and what was to be sent stays in the store.
What is sent is read before every try: it may have been forgotten while the platform was away. Only a file is
given up: behind it the whole chat waits.
"""

import asyncio
import concurrent.futures
import math
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from hermes_agent import clock
from hermes_agent.errors import GatewayBusy, GatewayRefused
from hermes_agent.gateways.gateway import Attachment, Gateway, Place, Question
from hermes_agent.jobs.worker import LOG, described

T = TypeVar("T")
# Any: what a coroutine yields and takes is asyncio's.
Made = Coroutine[Any, Any, T]

_LOOK_SECONDS = 0.2
_CALL_SECONDS = 120.0
_TYPING_SECONDS = 4.0
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS = 0.5, 60.0
_MOST_FAILURES = 5


@dataclass(frozen=True, slots=True)
class _Patience:
    """How often, and for how long, something is tried while the connection stands."""

    tries: float = math.inf
    seconds: float = math.inf


_ENDLESS, _FOR_A_FILE = _Patience(), _Patience(5, 60.0)


class Ended(Exception):
    """The gateway ends: what is not finished stays in the store, and goes on with the next start."""


class Withdrawn(Exception):
    """What was to be sent is not to be sent any more."""


class Line:
    """How threads reach a gateway."""

    def __init__(self) -> None:
        self.is_ending = threading.Event()
        """Set when nothing new is to be begun, and nothing waited for."""
        self.is_over = threading.Event()
        """Set when nothing is waited for any more."""
        self._gateway: Gateway | None = None
        self._is_up = False
        self._loop: asyncio.AbstractEventLoop | None = None

    def connect(self, gateway: Gateway) -> None:
        """Let calls go to a gateway; called in its loop."""
        self._loop = asyncio.get_running_loop()
        self._gateway = gateway

    def note_up(self) -> None:
        """Take note that the connection stands: what fails now does not fail for want of one."""
        self._is_up = True

    def disconnect(self) -> None:
        """Let calls wait until another gateway is there."""
        self._is_up = False
        self._gateway = None

    def send(self, place: Place, read: Callable[[], str]) -> None:
        """Send what is to be read, however long it takes; GatewayRefused if the platform does not take it."""
        self._insist(lambda gateway: gateway.send(place, read()))

    def ask(self, place: Place, question: Question) -> None:
        """Ask the owner something."""
        self._insist(lambda gateway: gateway.ask(place, question))

    def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Bring a file; GatewayRefused if it does not come soon."""
        while not self._is_up:
            self.pause(_LOOK_SECONDS)
        return self._insist(lambda gateway: gateway.fetch(attachment, most_bytes), _FOR_A_FILE)

    @contextmanager
    def typing(self, place: Place) -> Iterator[None]:
        """Show while the block runs that an answer is being written."""
        loop, gateway = self._loop, self._gateway
        if loop is None or gateway is None:
            yield
            return
        task = asyncio.run_coroutine_threadsafe(_type(gateway, place), loop)
        try:
            yield
        finally:
            task.cancel()

    def pause(self, seconds: float) -> None:
        """Wait; Ended if everything is to end meanwhile."""
        if self.is_ending.wait(seconds):
            raise Ended

    def _insist(self, make: Callable[[Gateway], Made[T]], patience: _Patience = _ENDLESS) -> T:
        began, tries, failures = clock.monotonic(), 0, 0
        wait_seconds = _FIRST_WAIT_SECONDS
        while True:
            tries += 1
            try:
                return self._call(make, min(_CALL_SECONDS, patience.seconds))
            except GatewayBusy as busy:
                pause_seconds = wait_seconds if busy.retry_seconds is None else busy.retry_seconds
                until = clock.monotonic() - began + pause_seconds
                if tries >= patience.tries or until > patience.seconds:
                    LOG.warning("A file was given up after %d tries: %s", tries, busy.message)
                    raise GatewayRefused("It could not be fetched.") from busy
                self.pause(pause_seconds)
            except (GatewayRefused, Ended, Withdrawn):
                raise
            except Exception as error:  # what others wrote may fail in any way
                failures += 1
                LOG.warning("A gateway failed: %s", described(error))
                if failures == _MOST_FAILURES:
                    raise GatewayRefused(f"The gateway failed {failures} times.") from error
                self.pause(wait_seconds)
            wait_seconds = min(wait_seconds * 2, _LONGEST_WAIT_SECONDS)

    def _call(self, make: Callable[[Gateway], Made[T]], most_seconds: float) -> T:
        loop, gateway = self._loop, self._gateway
        if loop is None or gateway is None or loop.is_closed():
            raise GatewayBusy("The gateway is not connected.")
        call = asyncio.run_coroutine_threadsafe(asyncio.wait_for(make(gateway), most_seconds), loop)
        while not concurrent.futures.wait([call], _LOOK_SECONDS).done:
            if self.is_over.is_set():
                call.cancel()
                raise Ended
        try:
            return call.result()
        except concurrent.futures.CancelledError:
            raise GatewayBusy("The connection was closed.") from None
        except TimeoutError:
            raise GatewayBusy("The platform did not answer.") from None


async def _type(gateway: Gateway, place: Place) -> None:
    while True:
        try:
            await gateway.show_typing(place)
        except Exception as error:  # nobody misses it
            LOG.info("Typing was not shown: %s", described(error))
        await asyncio.sleep(_TYPING_SECONDS)
