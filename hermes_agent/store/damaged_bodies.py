"""Find the packed bodies of messages that cannot be read any more, and put a plain sentence in their place.

One damaged body must not keep the rest of its conversation from being shown, exported or compressed.
"""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Text, func, or_, select, type_coerce, update

from hermes_agent.errors import DamagedStore
from hermes_agent.store.bodies import COLUMNS
from hermes_agent.store.engine import Engine
from hermes_agent.store.packing import unpack
from hermes_agent.store.tables import messages

LOST = "(What stood here was damaged on the disk and cannot be read any more.)"
_BLOCK = 2_000
_IS_PACKED = or_(*(func.typeof(messages.c[name]) == "blob" for name in COLUMNS))
_BODIES = select(
    messages.c.id, messages.c.session_id, *(type_coerce(messages.c[name], Text).label(name) for name in COLUMNS)
)


class Unreadable(NamedTuple):
    """A message, and which of its bodies cannot be read."""

    message_id: int
    session_id: str
    columns: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"message {self.message_id} of session {self.session_id}"


def unreadable(connection: Connection, engine: Engine) -> Iterator[Unreadable]:
    """Unpack every packed body and yield the messages with one that cannot be, in order."""
    last = 0
    while engine.packs_bodies:
        query = _BODIES.where(messages.c.id > last, _IS_PACKED).order_by(messages.c.id).limit(_BLOCK)
        rows = connection.execute(query).mappings().all()
        for row in rows:
            if lost := tuple(name for name in COLUMNS if not _is_readable(name, row[name])):
                yield Unreadable(row["id"], row["session_id"], lost)
        if not rows:
            return
        last = rows[-1]["id"]


def replace(connection: Connection, found: Sequence[Unreadable]) -> None:
    """Let unreadable texts say that they are lost; other unreadable bodies become empty."""
    for message in found:
        values = {name: LOST if name == "content" else None for name in message.columns}
        connection.execute(update(messages).where(messages.c.id == message.message_id).values(values))


def _is_readable(name: str, body: str | bytes | None) -> bool:
    if not isinstance(body, bytes):
        return True
    try:
        text = unpack(body)
        if name == "tool_calls":
            json.loads(text)
    except (DamagedStore, ValueError, RecursionError):
        return False
    return True
