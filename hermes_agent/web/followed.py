"""Work that takes longer than a page may: the page starts it, says so, and shows what came of it once it is there.

What is done in a moment is there at once. Else the page asks the browser to come again (`Refresh`, which needs no
script), and the one that finds it done takes it: whoever comes later starts anew, so nothing old is ever shown.
"""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Generic, TypeVar

from fastapi import Response

from hermes_agent import clock
from hermes_agent.web.problems import TooMany

T = TypeVar("T")

_AT_ONCE_SECONDS = 0.08
_AGAIN_SECONDS = 1
_MOST = 8
_KEPT_SECONDS = 600.0


class Followed(Generic[T]):
    """Pieces of work by their names, done one after the other beside the requests."""

    def __init__(self) -> None:
        self._doing: dict[Hashable, tuple[Future[T], float]] = {}
        self._lock = threading.Lock()
        # One at a time: what is looked for in everything keeps a processor and the store busy.
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="followed")

    def done(self, name: Hashable, work: Callable[[], T]) -> T | None:
        """Return what came of a piece of work, which is begun if it was not; None if it still goes on.

        What it raised is raised here.
        """
        with self._lock:
            self._forget_old()
            if name not in self._doing:
                if len(self._doing) >= _MOST:
                    raise TooMany(f"{_MOST} pieces of long work are under way.", _AGAIN_SECONDS)
                self._doing[name] = (self._threads.submit(work), clock.monotonic())
            future, begun = self._doing[name]
        wait([future], max(begun + _AT_ONCE_SECONDS - clock.monotonic(), 0))
        if not future.done():
            return None
        with self._lock:
            self._doing.pop(name, None)
        return future.result()

    def stop(self) -> None:
        """Begin nothing more; what goes on changes nothing, and ends by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _forget_old(self) -> None:
        """Forget what was done for somebody who did not come again."""
        oldest = clock.monotonic() - _KEPT_SECONDS
        for name in [name for name, (one, begun) in self._doing.items() if one.done() and begun < oldest]:
            del self._doing[name]


def coming_again(response: Response) -> Response:
    """Let the browser ask for a page again in a moment."""
    response.headers["Refresh"] = str(_AGAIN_SECONDS)
    return response
