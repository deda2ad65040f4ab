"""What work costs: whom it asked how often, the tokens, the time, and the tokens that recall saved."""

from dataclasses import dataclass
from typing import Literal

Work = Literal[
    "extraction", "reflection", "compression", "distilling", "embedding", "review", "window", "search", "recall"
]
"""All but `recall` counts towards the cap: what is done in the background, and what the light model sums up for a
conversation, of its own `window` or of what a `search` found."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one piece of work, or of several together.

    `calls` is how often a model or an embedder was asked; one on this machine is asked, too, but takes no tokens.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    milliseconds: float = 0.0
    saved_tokens: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.milliseconds + other.milliseconds,
            self.saved_tokens + other.saved_tokens,
        )


@dataclass(frozen=True, slots=True)
class Spent:
    """What one piece of work has cost; `item` is what it was for: a session, a message, a job."""

    work: Work
    item: str | None
    cost: Cost
    model: str | None = None
    """Who was asked."""


@dataclass(frozen=True, slots=True)
class ItemCost:
    """What one kind of work has cost for one item, `last_at` for the last time."""

    work: str
    item: str | None
    cost: Cost
    last_at: int
