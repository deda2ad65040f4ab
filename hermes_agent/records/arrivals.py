"""What comes from chat platforms until it is answered, and the chats it comes from.

An arrival is one update of a platform. It is in the store before the platform is told that we have it, and the
uid it gets there is the uid its message gets in the archive: so after a kill both can be told apart from what
was never begun. Its words are dropped once the archive has them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hermes_agent.records.archive import Json

ArrivalState = Literal["waiting", "begun", "answered", "done"]
"""Nobody looked at it; it is being handled; its reply is known but not sent whole; nothing more will happen."""


@dataclass(frozen=True, slots=True)
class NewArrival:
    """An update that is about to be kept. The same platform and key twice is one."""

    platform: str
    update_key: str
    chat_key: str
    position: int
    """Its place among those of its chat, as the platform counts."""
    payload: Mapping[str, Json]
    message_key: str | None = None
    """What the platform calls the message, for later edits of it."""
    state: ArrivalState = "waiting"


@dataclass(frozen=True, slots=True)
class Arrival:
    """A kept one."""

    id: int
    uid: str
    platform: str
    update_key: str
    chat_key: str
    position: int
    message_key: str | None
    payload: Json
    """What was said and where; None once the archive has it."""
    state: ArrivalState
    reply: str | None
    """What is to be sent; None before it is known, and once it is sent."""
    parts_sent: int
    arrived_at: int


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat of a platform: who writes there, in whose memory, and which session goes on."""

    chat_key: str
    platform: str
    user_id: str
    profile: str | None
    """Whose memory it is; None for somebody who is not let in."""
    session_id: str | None
    place: Json
    """Where answers go, as its gateway reads it."""
    heard_at: int
    """When somebody last wrote there."""
    told_at: int | None
    """When somebody who is not let in was last told so."""
