"""Whether the work of this thread is to stop: asked, several times a second, by whatever waits in it.

At a terminal Ctrl-C raises KeyboardInterrupt in the main thread, wherever that is. Other threads get no signals,
and an exception thrown into one from outside may fall between the taking of a lock and its release, which then
stays taken. So whoever wants a thread to stop says so, and the waits ask here.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hermes_agent import clock

LOOK_SECONDS = 0.2
"""How long a wait may go on without asking."""


class _Asked(threading.local):
    takes_stop: Callable[[], bool] | None = None


_ASKED = _Asked()


@contextmanager
def asking(takes_stop: Callable[[], bool]) -> Iterator[None]:
    """Let the waits of this thread ask something meanwhile; a yes of it stops them, as Ctrl-C would."""
    before, _ASKED.takes_stop = _ASKED.takes_stop, takes_stop
    try:
        yield
    finally:
        _ASKED.takes_stop = before


def check() -> None:
    """Raise KeyboardInterrupt if the work of this thread is to stop."""
    if _ASKED.takes_stop is not None and _ASKED.takes_stop():
        raise KeyboardInterrupt


def sleep(seconds: float) -> None:
    """Wait, unless the work is to stop."""
    end = clock.monotonic() + seconds
    while (left := end - clock.monotonic()) > 0:
        check()
        clock.sleep(min(left, LOOK_SECONDS))
