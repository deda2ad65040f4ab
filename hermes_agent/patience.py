"""How long to wait before a server that failed is asked again."""

from dataclasses import dataclass


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
