"""How many connections there are, and how long one may take to say what it wants.

Whoever opens connections needs no token, and could take every place there is: with half a head or half a body down
each, with one request and no other after it, or by reading no answer. So a request must be there within seconds,
and where all places are taken the connection goes that has been without a request longest. Who showed a token is
waited for: how long what they send may take is the gate's to say. Uvicorn has neither limit; this is its protocol
with both.
"""

import asyncio
import resource
from dataclasses import dataclass
from typing import Any, TypeGuard

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from hermes_agent.web.callers import is_known

_FILES_WANTED = 65_536
_FILES_AT_LEAST = 256
_MOST = 2_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long a head may take, and a body without a token; and how many connections there may be."""

    head_seconds: float = 10.0
    most: int = _MOST


USUAL = Bounds()


def make_room() -> Bounds:
    """Take as many open files as the system gives, and return how many connections that makes."""
    try:
        limit, highest = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _FILES_WANTED if highest == resource.RLIM_INFINITY else min(highest, _FILES_WANTED)
        if limit != resource.RLIM_INFINITY and limit < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, highest))
            limit = wanted
    except (OSError, ValueError):  # a sandbox that does not let us: the service file sets it there
        limit = _FILES_AT_LEAST
    return Bounds(most=most_connections(limit))


def most_connections(files: int) -> int:
    """Return how many connections leave files for everything else; -1 files are no limit."""
    return _MOST if files < 0 else max(1, min(_MOST, files // 2))


def bounded(bounds: Bounds) -> type[H11Protocol]:
    """Return the protocol of a server whose connections keep to bounds."""

    class Bounded(_Bounded):
        kept_to = bounds

    return Bounded


class _Bounded(H11Protocol):
    """A connection; without a request under way it has a time, and is the first to go."""

    kept_to = Bounds()

    # Any: as the framework has it.
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._timer: asyncio.TimerHandle | None = None
        self._timed: RequestResponseCycle | None = None
        """The request that was the last one when the time began."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the framework
        """Take a connection, in the place of one that only waits if there are too many."""
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > self.kept_to.most:
            min(filter(_may_go, self.connections), key=_end_of).give_up()

    def data_received(self, data: bytes) -> None:
        """Read on; more of what is not yet a request gives it no more time."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Wait for the client to read."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Write on."""
        super().resume_writing()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of the connection."""
        self._unwatch()
        super().connection_lost(exc)

    def give_up(self) -> None:
        """Close the connection as it is."""
        self._unwatch()
        self.connections.discard(self)
        self.transport.abort()

    def _is_waiting(self) -> bool:
        """Whether no request is under way, or the client of one, which showed no token, is what keeps it."""
        cycle: RequestResponseCycle | None = self.cycle  # the framework's types leave out that there is none yet
        if cycle is None or (cycle.response_complete and not self.flow.write_paused):
            return True
        return not is_known(cycle.scope) and (cycle.more_body or self.flow.write_paused)

    def _watch(self) -> None:
        """Begin the time of a connection that waits, anew if a request came since; stop that of another."""
        if not self._is_waiting():
            self._unwatch()
        elif self in self.connections and (self._timer is None or self._timed is not self.cycle):
            self._unwatch()
            self._timed = self.cycle
            self._timer = self.loop.call_later(self.kept_to.head_seconds, self._end)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        """Give up what still waits; a token may have been shown meanwhile."""
        self._timer = None
        if self._is_waiting():
            self.give_up()


def _may_go(connection: object) -> TypeGuard[_Bounded]:
    return isinstance(connection, _Bounded) and connection._timer is not None and connection._is_waiting()


def _end_of(connection: _Bounded) -> float:
    assert connection._timer is not None
    return connection._timer.when()
