"""What an external memory is still to be told: which turn, ended conversation or changed note, never its words."""

from dataclasses import dataclass
from typing import Literal

DeliveryKind = Literal["turn", "ended", "note"]


@dataclass(frozen=True, slots=True)
class NewDelivery:
    """Something a provider is to be told of.

    `first` and `last` are uids: of a turn those of its request and its answer, of a note its journal entry's.
    """

    provider: str
    kind: DeliveryKind
    session_id: str | None = None
    first: str | None = None
    last: str | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """One row of the outbox; the words are read when it is brought, so what was forgotten is never sent."""

    id: int
    uid: str
    provider: str
    kind: DeliveryKind
    session_id: str | None
    first: str | None
    last: str | None
    created_at: int
