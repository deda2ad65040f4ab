"""What recall returns: one thing that memory holds, and why it fits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hermes_agent.records.archive import SourceClass
from hermes_agent.records.memory import ItemKind


@dataclass(frozen=True, slots=True)
class Hit:
    """Something memory holds that fits, and why."""

    kind: ItemKind
    id: int
    """The episode's or the fact's."""
    message_id: int | None
    """The message of the episode that fits best."""
    session_id: str | None
    who: str
    """`user`, `assistant`, the speaker's name, or `fact`."""
    text: str
    said_at: int
    source_class: SourceClass
    score: float
    relevance: float
    """From 0 to 1, whatever else was found."""
    cosine: float | None = None
    passes: Sequence[str] = ()
    contributions: Mapping[str, float] = field(default_factory=dict)
    valid_from: int | None = None
    """Since when a fact is true, where that is known."""
    valid_to: int | None = None
    """Until when."""
    mark: str | None = None
    """Whose words it holds, if they are not the owner's or the assistant's own."""
