"""Work that takes longer than a page may: the page starts it, says so, and shows what came of it once it is there.

What is done in a moment is there at once. Else the page asks the browser to come again (`Refresh`, which needs no
script), and the one that finds it done takes it: whoever comes later starts anew, so nothing old is ever shown.
What nobody comes for is kept for a minute, and holds no place: it may be the words that somebody wants forgotten.
"""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Generic, TypeVar

from fastapi import Response

from hermes_agent import clock
from hermes_agent.web.problems import ENDS, ENDS_HINT, Ending, TooMany

T = TypeVar("T")

_AT_ONCE_SECONDS = 0.08
_AGAIN_SECONDS = 1
_MOST = 8
# A browser asks again within a second; for a page in the background some do it once a minute.
_KEPT_SECONDS = 75.0


class _Piece(Generic[T]):
    """A piece of work, and since when it is done."""

    def __init__(self) -> None:
        self.begun = clock.monotonic()
        self.ended: float | None = None
        self.future: Future[T]


class Followed(Generic[T]):
    """Pieces of work by their names, done one after the other beside the requests."""

    def __init__(self, kept_seconds: float = _KEPT_SECONDS) -> None:
        self._kept_seconds = kept_seconds
        self._pieces: dict[Hashable, _Piece[T]] = {}
        """In the order in which they are done."""
        self._is_stopped = False
        self._timer: threading.Timer | None = None
        self._lock = threading.Lock()
        # One at a time: what is looked for in everything keeps a processor and the store busy.
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="followed")

    def done(self, name: Hashable, work: Callable[[], T]) -> T | None:
        """Return what came of a piece of work, which is begun if it was not; None if it still goes on.

        What it raised is raised here.
        """
        with self._lock:
            if self._is_stopped:
                raise Ending(ENDS, hint=ENDS_HINT)
            piece = self._pieces.get(name)
            if piece is None:
                if len(self._pieces) - len(self._ended()) >= _MOST:
                    raise TooMany(f"{_MOST} pieces of long work are under way.", _AGAIN_SECONDS)
                piece = _Piece()
                piece.future = self._threads.submit(self._do, piece, work)
                self._pieces[name] = piece
        wait([piece.future], max(piece.begun + _AT_ONCE_SECONDS - clock.monotonic(), 0))
        if not piece.future.done():
            return None
        with self._lock:
            # Two may have waited for it, and a third have begun anew since the first took it.
            if self._pieces.get(name) is piece:
                del self._pieces[name]
        if piece.future.cancelled():
            raise Ending(ENDS, hint=ENDS_HINT)
        return piece.future.result()

    def stop(self) -> None:
        """Begin nothing more; what goes on changes nothing, and ends by itself."""
        with self._lock:
            self._is_stopped = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._pieces.clear()
            if self._timer is not None:
                self._timer.cancel()

    def _do(self, piece: _Piece[T], work: Callable[[], T]) -> T:
        try:
            return work()
        finally:
            with self._lock:
                piece.ended = clock.monotonic()
                for name, _ in self._ended()[:-_MOST]:
                    del self._pieces[name]
                self._set_timer()

    def _ended(self) -> list[tuple[Hashable, float]]:
        """Return what is done and nobody has come for, and since when, the oldest first."""
        return [(name, one.ended) for name, one in self._pieces.items() if one.ended is not None]

    def _set_timer(self) -> None:
        """Come back when the oldest of what is done was kept long enough."""
        ended = self._ended()
        if self._timer is None and ended:
            _, since = ended[0]
            self._timer = threading.Timer(since + self._kept_seconds - clock.monotonic(), self._forget_old)
            self._timer.daemon = True
            self._timer.start()

    def _forget_old(self) -> None:
        """Forget what was done for somebody who did not come again."""
        with self._lock:
            oldest = clock.monotonic() - self._kept_seconds
            for name, since in self._ended():
                if since <= oldest:
                    del self._pieces[name]
            self._timer = None
            self._set_timer()


def coming_again(response: Response) -> Response:
    """Let the browser ask for a page again in a moment."""
    response.headers["Refresh"] = str(_AGAIN_SECONDS)
    return response
