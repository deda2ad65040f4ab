"""How long to wait: before a server that failed is asked again, and for an answer at all."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to try: waits double from the first one, with jitter."""

    attempts: int = 4
    first_wait_seconds: float = 0.5
    longest_wait_seconds: float = 30.0

    def wait_seconds(self, attempt: int, asked: float | None, luck: float) -> float | None:
        """Return how long to wait after a failed attempt (from 1 on); None when it is not worth waiting.

        `asked` is what the server asked for; `luck` between 0 and 1 keeps many clients from coming back at once.
        """
        if attempt >= self.attempts or (asked is not None and asked > self.longest_wait_seconds):
            return None
        if asked is not None:
            return asked
        doubled: float = self.first_wait_seconds * 2 ** (attempt - 1)
        return min(doubled * (1 + luck), self.longest_wait_seconds)


PATIENT = Patience()
ONCE = Patience(attempts=1)


class BrokeOff(RuntimeError):
    """The work raised what it should have returned; the thread has printed the traceback."""


def within(seconds: float, work: Callable[[], T], name: str, after_late: Callable[[], None] = lambda: None) -> T:
    """Work in a thread of that name and return what came of it; TimeoutError if it takes longer.

    The timeouts of HTTP count each read anew, and a server may send a byte at a time. What comes too late is for
    nobody; then `after_late` is called. The thread keeps no program from ending.
    """
    came: Future[list[T]] = Future()

    def run() -> None:
        made: list[T] = []
        try:
            made.append(work())
        finally:
            came.set_result(made)

    threading.Thread(target=run, name=name, daemon=True).start()
    try:
        made = came.result(max(0.0, seconds))
    except TimeoutError:
        came.add_done_callback(lambda _: after_late())
        raise
    if not made:
        raise BrokeOff(name)
    return made[0]
