"""Whether the worker lives: when it last looked for work, and why it has ended if it has.

Written by the thread of the worker, read by those of the web: each value is replaced whole, so neither waits.
"""

from dataclasses import dataclass

from hermes_agent import clock


@dataclass(slots=True)
class Pulse:
    """The signs of life of one worker."""

    last_beat: int | None = None
    """When it last looked for work, or for the next step of it; None before the first time."""
    trouble: str | None = None
    """Why it has ended; None while it lives."""

    def beat(self) -> None:
        """Note that the worker lives."""
        self.last_beat = clock.now()
