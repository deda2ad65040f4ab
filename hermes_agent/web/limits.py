"""How often somebody may ask: so much a minute for each token, and few guesses for an address.

The counts are of this process and in memory: a limit keeps a runaway script from starving the owner's chat, and
whoever guesses tokens of 256 bits from trying; neither needs to outlive a restart. Time is told by a clock that
nobody sets: after the other one was set back by a day, everybody would have to wait for a day.
"""

import math
import threading
from collections import deque

from hermes_agent import clock
from hermes_agent.records.tokens import Token
from hermes_agent.web.problems import TooMany

_MINUTE_SECONDS = 60.0
_MOST_GUESSES = 20
_MOST_NAMES = 10_000
"""Of more, those that did nothing for a minute are dropped."""


class Limits:
    """The counts of one server; `per_minute` 0 is no limit for tokens."""

    def __init__(self, per_minute: int) -> None:
        self._asked = _LastMinute(per_minute) if per_minute else None
        self._guessed = _LastMinute(_MOST_GUESSES)

    def count(self, token: Token) -> None:
        """Count one request of a token; refuse one too many."""
        if self._asked is not None and not self._asked.add(token.uid):
            raise TooMany("This token has asked too often.", self._asked.wait_seconds(token.uid))

    def refuse_guessing(self, client: str) -> None:
        """Refuse an address that showed too many wrong tokens."""
        if wait_seconds := self._guessed.wait_seconds(client):
            raise TooMany("Too many wrong tokens came from this address.", wait_seconds)

    def note_guess(self, client: str) -> None:
        """Count a wrong token."""
        self._guessed.add(client)


class _LastMinute:
    """What each of many did within the last minute, up to a number."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._times: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def add(self, name: str) -> bool:
        """Count one; False, and it is not counted, if there were as many as there may be."""
        with self._lock:
            times = self._recent(name)
            if len(times) >= self._most:
                return False
            times.append(clock.monotonic())
            self._times[name] = times
            if len(self._times) > _MOST_NAMES:
                self._times = {one: left for one in self._times if (left := self._recent(one))}
            return True

    def wait_seconds(self, name: str) -> int:
        """Return in how many seconds there is room for one more; 0 if there is."""
        with self._lock:
            times = self._recent(name)
            if len(times) < self._most:
                return 0
            return max(1, math.ceil(times[0] + _MINUTE_SECONDS - clock.monotonic()))

    def _recent(self, name: str) -> deque[float]:
        times = self._times.get(name, deque())
        since = clock.monotonic() - _MINUTE_SECONDS
        while times and times[0] <= since:
            times.popleft()
        return times
