"""Drive asynchronous libraries from synchronous code: one event loop, in a thread of its own.

The libraries that speak to vendors and to MCP servers are asynchronous. Running their loop in another
thread keeps `async` out of the core, keeps connections open from one request to the next, works where the
caller has a loop already (a notebook, a web server), and lets Ctrl-C reach the caller at once.
"""

import asyncio
import concurrent.futures
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from contextlib import suppress
from functools import cache
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from hermes_agent import clock, stopping

T = TypeVar("T")

# How long a stopped stream may take to close its connection before we go on without it.
_CLOSING_SECONDS = 5.0


class _End:
    """What stands behind the last item of a stream."""


_END = _End()


class Bridge:
    """An event loop in its own thread; it ends with the process."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="hermes-models", daemon=True).start()

    def run(self, work: Coroutine[Any, Any, T], timeout_seconds: float | None = None) -> T:
        """Wait for the work and return its outcome; what interrupts the waiting stops the work too.

        Any: a coroutine's other two types are the event loop's own. TimeoutError when the time is over.
        """
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            _await(future, timeout_seconds)
            return future.result()
        finally:
            future.cancel()

    def stream(self, source: Callable[[], AsyncIterator[T]]) -> Generator[T, None, None]:
        """Yield what the source yields; closing the iterator stops the source and waits until it has closed."""
        items: SimpleQueue[T | _End] = SimpleQueue()
        ended = threading.Event()

        async def pump() -> None:
            try:
                async for item in source():
                    items.put(item)
            finally:
                ended.set()
                items.put(_END)

        future = asyncio.run_coroutine_threadsafe(pump(), self._loop)
        try:
            while not isinstance(item := _next(items), _End):
                yield item
            future.result()
        finally:
            if future.cancel():
                ended.wait(_CLOSING_SECONDS)

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Start work that nobody waits for."""
        asyncio.run_coroutine_threadsafe(work, self._loop)


def _next(items: "SimpleQueue[T]") -> T:
    # With a timeout: a Ctrl-C that comes just before the thread blocks would wait for the next item otherwise.
    while True:
        stopping.check()
        with suppress(Empty):
            return items.get(timeout=stopping.LOOK_SECONDS)


def _await(future: "concurrent.futures.Future[T]", timeout_seconds: float | None) -> None:
    """Wait until something is done; TimeoutError when the time is over before."""
    end = None if timeout_seconds is None else clock.monotonic() + timeout_seconds
    while not future.done():
        stopping.check()
        left = stopping.LOOK_SECONDS if end is None else min(stopping.LOOK_SECONDS, end - clock.monotonic())
        if left <= 0:
            raise TimeoutError
        concurrent.futures.wait([future], left)


@cache
def shared() -> Bridge:
    """Return the one bridge of this process, started when it is first needed."""
    return Bridge()
