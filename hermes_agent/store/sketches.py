"""Sketches of messages: kept when an episode is made, read a thousand at a time while recall compares. Derived.

Rows are handed out as tuples with names: a record of the usual kind takes longer to make than its
row to read.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Row,
    Text,
    and_,
    bindparam,
    exists,
    func,
    insert,
    or_,
    select,
    type_coerce,
    update,
)

from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import episodes, sketches
from hermes_agent.store.types import BITS, ESCAPE, String, unescape
from hermes_agent.text.marks import VERSION

MOST_PASSAGES = 5
"""A shrunk gist has a bit for each dimension of the message, and of so many of its first passages."""
_MOST_EVER = 6
SHRUNK_BYTES = (1 + _MOST_EVER) * BITS // 8
"""A gist of at most so many bytes is shrunk; there was room for more passages once."""


class SketchRow(NamedTuple):
    """The sketch of a message, and whose it is; `text/marks.py` tells what the parts hold."""

    message_id: int
    episode_id: int
    session_id: str
    role: str
    speaker: str | None
    said_at: int
    marks: int
    stems: bytes
    cuts: bytes
    words: str
    days: bytes
    gist: bytes | None = None


# Texts come as the driver gives them, and what the store escapes in some of them is undone in `_row`:
# so a thousand rows take half the time.
_READ = select(
    *(
        type_coerce(column, Text) if isinstance(column.type, String) else column
        for column in (sketches.c[name] for name in SketchRow._fields)
    )
).where(sketches.c.version == VERSION)
# Built once: building them takes longer than running them.
_OF_MESSAGES = _READ.where(is_in(sketches.c.message_id))
_OWNERS = select(sketches.c.message_id, sketches.c.episode_id).where(is_in(sketches.c.episode_id))
_FURTHER = select(sketches.c.message_id).limit(1).offset(bindparam("count"))
_PUT = insert(sketches)
# A shrunk gist of an episode that is told by its messages again is only kept until there is a whole one.
_IS_RAW = exists().where(episodes.c.id == sketches.c.episode_id, episodes.c.state == "raw")
_LACKING = select(sketches.c.message_id).where(
    is_in(sketches.c.message_id),
    or_(sketches.c.gist.is_(None), and_(func.length(sketches.c.gist) <= SHRUNK_BYTES, _IS_RAW)),
)
_GISTS = select(sketches.c.episode_id, sketches.c.message_id, sketches.c.gist).where(
    is_in(sketches.c.episode_id), sketches.c.gist.is_not(None)
)
_ADD_GIST = update(sketches).where(sketches.c.message_id == bindparam("message")).values(gist=bindparam("made"))


def put(connection: Connection, rows: Sequence[SketchRow]) -> None:
    """Keep sketches; none of the messages has one yet."""
    if rows:
        connection.execute(_PUT, [{**row._asdict(), "version": VERSION} for row in rows])


def add_gists(connection: Connection, gists: Mapping[int, bytes]) -> None:
    """Give the sketches of messages that have no gist, or less than a whole one, the one that was made since."""
    lacking = connection.execute(_LACKING, {"ids": list(gists)}).scalars().all()
    if lacking:
        connection.execute(_ADD_GIST, [{"message": message, "made": gists[message]} for message in lacking])


def set_gists(connection: Connection, gists: Mapping[int, bytes]) -> None:
    """Keep gists in the place of those that sketches have."""
    if gists:
        connection.execute(_ADD_GIST, [{"message": message, "made": gist} for message, gist in gists.items()])


def gists_of(connection: Connection, episode_ids: Sequence[int]) -> dict[int, list[bytes]]:
    """Return the gists of the messages of each of the episodes that has some."""
    found: dict[int, list[bytes]] = {}
    for episode_id, _, gist in connection.execute(_GISTS, {"ids": episode_ids}):
        found.setdefault(episode_id, []).append(gist)
    return found


def gists_of_messages(connection: Connection, episode_ids: Sequence[int]) -> dict[int, bytes]:
    """Return the gists of episodes by their messages."""
    return {message: gist for _, message, gist in connection.execute(_GISTS, {"ids": episode_ids})}


def owners(connection: Connection, episode_ids: Sequence[int]) -> list[tuple[int, int]]:
    """Return the messages of these episodes that have a sketch, each with its episode, in order."""
    return sorted((one, owner) for one, owner in connection.execute(_OWNERS, {"ids": episode_ids}).all())


def of_messages(connection: Connection, message_ids: Sequence[int]) -> list[SketchRow]:
    """Return the sketches of these messages, in order."""
    found = connection.execute(_OF_MESSAGES, {"ids": message_ids}).all()
    # Sorted here: an engine would carry the sketches through its sorting.
    return sorted(map(_row, found), key=itemgetter(0))


def is_more_than(connection: Connection, count: int) -> bool:
    """Tell whether there are more sketches than so many."""
    return connection.execute(_FURTHER, {"count": count}).first() is not None


# Any: the columns of a row, typed by the table.
def _row(values: "Row[*tuple[Any, ...]]") -> SketchRow:
    row = SketchRow._make(values)
    # A word holds no character that is escaped.
    if ESCAPE in row.session_id or ESCAPE in row.role or (row.speaker and ESCAPE in row.speaker):
        speaker = row.speaker and unescape(row.speaker)
        return row._replace(session_id=unescape(row.session_id), role=unescape(row.role), speaker=speaker)
    return row
