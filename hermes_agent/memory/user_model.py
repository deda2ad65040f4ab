"""The user model: what is known of the user, facet by facet, derived from the facts that are held to be true.

Nothing of it is stored. What the owner refused, by taking a concluded line out of USER.md, is left out.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from hermes_agent import clock
from hermes_agent.learn.conclusions import conclusions
from hermes_agent.learn.traits import Told, told, traits
from hermes_agent.records.user_model import FACETS, Trait
from hermes_agent.store import facts
from hermes_agent.store.store import Store

_MOST_FACTS = 100_000


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What was told of the user, in the order it was learned, and the numbers of the facts that are disputed."""

    told: Sequence[Told]
    disputed: Collection[int]


def read(store: Store) -> Knowledge:
    """Read what is known of the user and of the people and things around; what has not begun is left out."""
    now = clock.now()
    with store.read() as connection:
        held = facts.recent(connection, _MOST_FACTS)
        disputes = facts.open_disputes(connection, _MOST_FACTS)
    return Knowledge(
        told(fact for fact in reversed(held) if fact.has_begun(now)), {one.fact_id for one in disputes}
    )


def model(known: Knowledge, zone: tzinfo | None, refused: Collection[str] = ()) -> list[Trait]:
    """Return what is known: first what was said, facet by facet, then what is concluded."""
    concluded = [one for one in conclusions(known.told, zone) if one.text not in refused]
    return [*traits(known.told, known.disputed), *concluded]


def first_of_each(known: Sequence[Trait], limit: int) -> list[Trait]:
    """Return the first of each facet, and of what is concluded."""
    return [
        trait
        for facet in FACETS
        for basis in ("told", "concluded")
        for trait in [one for one in known if (one.facet, one.basis) == (facet, basis)][:limit]
    ]
