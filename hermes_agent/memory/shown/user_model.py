"""What is known of the user as JSON, each with the facts it stands on."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hermes_agent.memory.shown.facts import source_json
from hermes_agent.records.archive import Json
from hermes_agent.records.user_model import Trait

if TYPE_CHECKING:
    from hermes_agent.memory.facts import Sourced


def trait_json(trait: Trait, sources: "Mapping[int, Sourced]") -> dict[str, Json]:
    """Write a trait; `sources` has each of its facts, by the fact's id."""
    evidence = [
        {"id": fact.name, "text": fact.text, "trust": fact.trust, "source": source_json(sources[fact.id])}
        for fact in trait.facts
    ]
    return {
        "facet": trait.facet,
        "text": trait.text,
        "basis": trait.basis,
        "confidence": trait.confidence,
        "is_contradicted": trait.is_contradicted,
        "evidence": evidence,
    }
