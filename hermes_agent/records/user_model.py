"""What is known of the user, facet by facet: each trait with the facts it stands on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from hermes_agent.records.memory import Fact
from hermes_agent.records.notes import Basis

Facet = Literal[
    "identity",
    "role",
    "goals",
    "domain-knowledge",
    "preferences",
    "style",
    "projects",
    "tools",
    "time-zone",
    "people",
    "schedule",
    "reporting",
]
FACETS: tuple[Facet, ...] = get_args(Facet)


@dataclass(frozen=True, slots=True)
class Trait:
    """One thing known of the user: said in so many words, or concluded from several things that were."""

    facet: Facet
    text: str
    """As a line of notes: `Lives in Oslo`."""
    facts: Sequence[Fact]
    """What it stands on, in the order it was learned."""
    confidence: float
    basis: Basis = "told"
    is_contradicted: bool = False
    """Whether a fact it stands on contradicts another one, and the owner has not decided."""


def facet_title(facet: Facet) -> str:
    """Write a facet as a heading: `Time zone`."""
    return facet.replace("-", " ").capitalize()
