"""What vectors are made by, and what a search among them finds."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What made vectors; those of two fingerprints are never compared.

    `is_complete` says that this is the one reads use: at one time it had a vector for everything there was.
    At most one has it.
    """

    id: int
    name: str
    dimensions: int
    made_at: int
    is_complete: bool
    trouble: str | None
    """Why the last attempt to embed failed; None since one succeeded."""
    trouble_at: int | None


class Near(NamedTuple):
    """An item and the cosine between its vector and the wanted one."""

    kind: str
    item: int
    cosine: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """The items whose vectors are nearest, best first; of equals the one with the lower number first.

    Nothing that has a vector and is not listed is nearer than `floor`, the cosine of the last one listed.
    """

    items: Sequence[Near]
    floor: float
