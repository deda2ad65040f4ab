"""What becomes of the bodies of old messages: packed where that saves room, discarded where the owner wants it.

An undo of their compression unpacks them.
"""

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection, LargeBinary, Text, bindparam, delete, select, type_coerce, update

from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.packing import WORTH, pack, unpack
from hermes_agent.store.tables import messages

_BLOCK = 500
COLUMNS = ("content", "reasoning", "sent", "tool_calls")
"""The bodies of a message that may be packed."""
# As the database holds them: the text before it is unescaped, or the bytes of what is packed already.
_PLAIN = select(messages.c.id, *(type_coerce(messages.c[name], Text).label(name) for name in COLUMNS)).where(
    is_in(messages.c.id)
)

Packed = Mapping[int, Mapping[str, bytes]]
"""The packed bodies of messages, by the names of their columns."""


def packed(connection: Connection, engine: Engine, ids: Sequence[int]) -> Packed:
    """Pack the bodies of messages that gain by it; nothing is written."""
    if not engine.packs_bodies:
        return {}
    rows = connection.execute(_PLAIN, {"ids": ids}).mappings()
    found = {row["id"]: {name: made for name in COLUMNS if (made := _packed(row[name]))} for row in rows}
    return {message_id: bodies for message_id, bodies in found.items() if bodies}


def keep(connection: Connection, made: Packed) -> int:
    """Keep packed bodies in the place of the plain ones; return how many bodies."""
    for name in COLUMNS:
        rows = [{"message": one, "body": bodies[name]} for one, bodies in made.items() if name in bodies]
        if rows:
            change = update(messages).where(messages.c.id == bindparam("message"))
            connection.execute(change.values({name: bindparam("body", type_=LargeBinary)}), rows)
    return sum(map(len, made.values()))


def pack_all(connection: Connection, engine: Engine, ids: Sequence[int]) -> None:
    """Pack the bodies of messages that gain by it, and keep them so."""
    for block in _blocks(ids):
        keep(connection, packed(connection, engine, block))


def unpack_all(connection: Connection, ids: Sequence[int]) -> None:
    """Keep the bodies of messages plain again, byte for byte as they were before they were packed."""
    for block in _blocks(ids):
        rows = connection.execute(_PLAIN, {"ids": block}).mappings().all()
        for name in COLUMNS:
            found = {row["id"]: row[name] for row in rows if isinstance(row[name], bytes)}
            plain = [{"message": number, "body": unpack(body)} for number, body in found.items()]
            change = update(messages).where(messages.c.id == bindparam("message"))
            if plain:
                connection.execute(change.values({name: bindparam("body", type_=Text)}), plain)


def discard(connection: Connection, engine: Engine, ids: Sequence[int]) -> None:
    """Delete messages for good, with what finds them; what was learned of them stays."""
    engine.text.remove(connection, ids)
    connection.execute(delete(messages).where(is_in(messages.c.id)), {"ids": ids})


def _blocks(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield ids so many at a time: the bodies of an archive need not fit into memory."""
    for start in range(0, len(ids), _BLOCK):
        yield ids[start : start + _BLOCK]


def _packed(body: str | bytes | None) -> bytes | None:
    return pack(body) if isinstance(body, str) and len(body) >= WORTH else None
