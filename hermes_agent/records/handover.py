"""A hand-over: what one profile gave to another, on purpose and by name, as either journal tells it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_agent.records.archive import Json, SourceClass
from hermes_agent.records.memory import Fact
from hermes_agent.records.statements import Polarity

HandoverState = Literal["begun", "arrived", "revoked"]
"""A hand-over that only begun was cut off: it can be finished or revoked."""
Direction = Literal["sent", "received"]

REVOKED = "handover.revoked"
"""The kind of entries that tell that a hand-over was taken back."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is handed over: a sentence with what is needed to understand it, and where it came from."""

    text: str
    fact_uid: str | None = None
    """The fact it is in the profile that gives it; None for a summary."""
    fact_name: str | None = None
    source_class: SourceClass | None = None
    """Whose word it is there."""
    said_at: int | None = None
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    polarity: Polarity = "is"
    confidence: float | None = None
    valid_from: int | None = None
    valid_to: int | None = None

    @property
    def key(self) -> tuple[str | None, str]:
        """What makes it the same thing when it is handed over again."""
        return self.fact_uid, self.text

    @property
    def told(self) -> dict[str, Json]:
        """What the journals tell of it."""
        return {"text": self.text, "fact": self.fact_uid, "name": self.fact_name, "source": self.source_class}


@dataclass(frozen=True, slots=True)
class Handover:
    """A hand-over as the journal of one of the two profiles tells it."""

    uid: str
    direction: Direction
    sender: str
    receiver: str
    at: int
    state: HandoverState
    items: Sequence[Item]
    session_id: str | None = None
    """The session in the receiver that holds what came."""
    actor: str = "owner"

    @property
    def name(self) -> str:
        """What journals call it."""
        return handover_name(self.uid)


def handover_name(uid: str) -> str:
    """Write the name that a hand-over goes by in both journals."""
    return f"handover:{uid}"


def item_of(fact: Fact) -> Item:
    """Return what is handed over of a fact: nothing that leads back into the conversation it was learned in."""
    return Item(
        text=fact.text,
        fact_uid=fact.uid,
        fact_name=fact.name,
        source_class=fact.source_class,
        said_at=fact.said_at,
        subject=fact.subject,
        attribute=fact.attribute,
        value=fact.value,
        polarity=fact.polarity,
        confidence=fact.confidence,
        valid_from=fact.valid_from,
        valid_to=fact.valid_to,
    )


def told_items(value: Json) -> list[Item]:
    """Read what a journal tells of items."""
    rows = value if isinstance(value, list) else []
    return [
        Item(str(row.get("text", "")), row.get("fact"), row.get("name"), row.get("source"))
        for row in rows
        if isinstance(row, dict)
    ]
