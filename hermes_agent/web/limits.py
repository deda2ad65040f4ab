"""How often somebody may ask: so much a minute for each token, and few guesses for an address.

The counts are of this process and in memory: a limit keeps a runaway script from starving the owner's chat, and
whoever guesses tokens of 256 bits from trying; neither needs to outlive a restart.
"""

from limits import RateLimitItemPerMinute, storage, strategies

from hermes_agent import clock
from hermes_agent.records.tokens import Token
from hermes_agent.web.problems import TooMany

_GUESSES = RateLimitItemPerMinute(20)


class Limits:
    """The counts of one server; `per_minute` 0 is no limit for tokens."""

    def __init__(self, per_minute: int) -> None:
        self._strategy = strategies.MovingWindowRateLimiter(storage.MemoryStorage())
        self._limit = RateLimitItemPerMinute(per_minute) if per_minute else None

    def count(self, token: Token) -> None:
        """Count one request of a token; refuse one too many."""
        if self._limit is not None and not self._strategy.hit(self._limit, token.uid):
            raise TooMany("This token has asked too often.", self._wait(self._limit, token.uid))

    def refuse_guessing(self, client: str) -> None:
        """Refuse an address that showed too many wrong tokens."""
        if not self._strategy.test(_GUESSES, "guess", client):
            raise TooMany("Too many wrong tokens came from this address.", self._wait(_GUESSES, "guess", client))

    def note_guess(self, client: str) -> None:
        """Count a wrong token."""
        self._strategy.hit(_GUESSES, "guess", client)

    def _wait(self, limit: RateLimitItemPerMinute, *names: str) -> int:
        free_at = self._strategy.get_window_stats(limit, *names).reset_time
        return max(1, round(free_at - clock.now() / clock.MICROSECONDS))
