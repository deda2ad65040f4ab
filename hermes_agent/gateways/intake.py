"""Between what a gateway brings and what the store keeps: pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import cast

from hermes_agent.gateways.gateway import Attachment, Incoming, Person, Place, Said
from hermes_agent.records.archive import Json
from hermes_agent.records.arrivals import ArrivalState, NewArrival

_COMMAND = re.compile(r"/(?P<name>[a-z][a-z0-9_-]{0,31})(?:@.*)?", re.ASCII | re.IGNORECASE)
_YES = frozenset(("y", "yes", "ok", "ja", "oui", "sí", "si", "да", "👍"))
_NO = frozenset(("n", "no", "nein", "non", "нет", "👎"))


@dataclass(frozen=True, slots=True)
class Words:
    """What somebody said, as the store keeps it until the archive has it."""

    text: str
    person: Person
    place: Place
    is_edit: bool = False
    attachments: Sequence[Attachment] = field(default_factory=list)

    @property
    def heard(self) -> str:
        """What the archive is told: that it is an edit is part of it."""
        return f"[Edited: this replaces what I wrote before]\n{self.text}" if self.is_edit else self.text


def arrival_of(platform: str, chat_key: str, incoming: Incoming, state: ArrivalState = "waiting") -> NewArrival:
    """Return what is kept of an update; of what is over when it comes, only what tells it from others."""
    is_said = isinstance(incoming, Said)
    payload: Mapping[str, Json] = {}
    if isinstance(incoming, Said) and state != "done":
        words = Words(incoming.text, incoming.person, incoming.place, incoming.is_edit, incoming.attachments)
        payload = written(words)
    message_key = incoming.message_id or None if isinstance(incoming, Said) and not incoming.is_edit else None
    return NewArrival(
        platform, incoming.key, chat_key, incoming.position, payload, message_key if is_said else None, state
    )


def written(words: Words) -> dict[str, Json]:
    """Write what was said for the store."""
    return asdict(words)


def read(payload: Json) -> Words:
    """Read it again."""
    given = cast("dict[str, dict[str, str]]", payload)
    whole = cast("dict[str, object]", payload)
    files = cast("list[dict[str, object]]", whole.get("attachments") or [])
    return Words(
        str(whole.get("text") or ""),
        Person(**given["person"]),
        place_of(given["place"]),
        bool(whole.get("is_edit")),
        [Attachment(str(one["id"]), str(one["name"]), cast("int | None", one["size"])) for one in files],
    )


def written_place(place: Place) -> dict[str, Json]:
    """Write where something was said for the store."""
    return asdict(place)


def place_of(given: Json) -> Place:
    """Read where something was said."""
    values = cast("dict[str, str]", given)
    return Place(**values)  # type: ignore[arg-type]  # the kind was checked when it was written


def newest(found: Iterable[tuple[Json, int]]) -> dict[Place, int]:
    """Return the last position in each place; several people may have chats of their own in one."""
    last: dict[Place, int] = {}
    for given, position in found:
        place = place_of(given)
        last[place] = max(last.get(place, position), position)
    return last


def decision(text: str) -> bool | None:
    """Read a yes or no that was written; None if it is neither."""
    word = text.strip().strip(".!").lower()
    return True if word in _YES else False if word in _NO else None


def command(text: str) -> tuple[str, str] | None:
    """Return the command that a message is, known or not, and what stands behind it; None if it is none.

    In groups platforms add the name of the bot: `/new@hermes_bot`. A path is no command.
    """
    first, _, rest = text.strip().partition(" ")
    match = _COMMAND.fullmatch(first)
    return None if match is None else (match["name"].lower(), rest.strip())


COMMANDS: Mapping[str, str] = {
    "new": "begin a new conversation",
    "reset": "begin a new conversation",
    "stop": "stop the answer that is being written",
    "status": "tell how everything is",
    "remember": "remember something: /remember My bike is green.",
    "undo": "take back the last exchange",
    "help": "list these commands",
}
