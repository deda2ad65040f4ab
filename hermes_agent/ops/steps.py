"""Long work as a generator: it yields how far it is and returns its result.

The door that started it shows the steps or not; whoever stops listening stops the work.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """How far the work is. `total` is None while it is not known."""

    what: str
    done: int
    total: int | None = None


def finish(work: Generator[Step, None, T]) -> T:
    """Do all of the work without showing it; return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
