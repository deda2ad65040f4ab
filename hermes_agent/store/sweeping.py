"""Everything in the store that may hold words, looked through for runs of bytes: every row, opened and unpacked.

Which columns hold words is told by their types: all texts, bodies and JSON, but for what is a name of ours. The
text index of PostgreSQL is asked for its words, too; that of SQLite is looked through in its file.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, LargeBinary, Table, and_, delete, func, select, text, update

from hermes_agent.store import gateway_tables, tables, types
from hermes_agent.store.text_index import TABLES as INDEXES
from hermes_agent.text.runs import Look, encoded, strings

Row = Mapping[str, object]

EVERY: tuple[Table, ...] = tuple(
    table
    for table in gateway_tables.metadata.tables.values()
    if table not in (tables.receipts, tables.schema_version)
)
_NAMES = frozenset(
    ("id", "uid", "session_id", "parent_session_id", "role", "state", "kind", "hash", "source_class")
    + ("system_prompt_hash", "platform", "update_key", "chat_key", "message_key", "profile")
)
_BLOCK = 500
_BETWEEN = b"\xff\xff"
"""Stands in no text, so no run goes over it."""


def words_of(table: Table) -> list[str]:
    """Return the columns of a table that may hold words."""
    return [
        one.name
        for one in table.columns
        if isinstance(one.type, types.String | types.Json) and one.name not in _NAMES
    ]


def holding(connection: Connection, table: Table, look: Look, after: int = 0) -> list[Row]:
    """Return the rows of a table in which anything that is looked for stands, of those after a number."""
    columns = words_of(table)
    found: list[Row] = []
    for block in _blocks(connection, table, after):
        texts = [[encoded(one) for column in columns for one in strings(row[column])] for row in block]
        found += [block[number] for number in sorted(held_in(texts, look))]
    return found


def places(connection: Connection, look: Look) -> Iterator[str]:
    """Yield where in the store anything that is looked for stands: `messages 12: content`."""
    for table in EVERY:
        for row in holding(connection, table, look):
            number = next(iter(table.primary_key.columns), None)
            held = [one for one in words_of(table) if any(look(encoded(each)) for each in strings(row[one]))]
            is_name = number is None or isinstance(number.type, types.String)
            name = "" if number is None or is_name else f" {row[number.name]}"
            yield f"{table.name}{name}: {', '.join(held)}"
    if connection.dialect.name == "postgresql":
        yield from _indexed_places(connection, look)


def put(connection: Connection, table: Table, row: Row, values: Mapping[str, object]) -> None:
    """Change a row."""
    connection.execute(update(table).where(_is_row(table, row)).values(dict(values)))


def remove(connection: Connection, table: Table, row: Row) -> None:
    """Delete a row."""
    connection.execute(delete(table).where(_is_row(table, row)))


def forget_prompts(connection: Connection, hashes: Sequence[str]) -> None:
    """Delete stored system prompts; the sessions that had them get a new one when they go on."""
    is_one = tables.sessions.c.system_prompt_hash.in_(hashes)
    connection.execute(update(tables.sessions).where(is_one).values(system_prompt_hash=None))
    connection.execute(delete(tables.system_prompts).where(tables.system_prompts.c.hash.in_(hashes)))


def _is_row(table: Table, row: Row) -> ColumnElement[bool]:
    return and_(*(column == row[column.name] for column in table.primary_key.columns))


def last_ids(connection: Connection) -> dict[str, int]:
    """Return the highest number of each table that has numbers."""
    numbered = [one for one in EVERY if "id" in one.c and one.name != "sessions"]
    return {one.name: connection.execute(select(func.max(one.c.id))).scalar() or 0 for one in numbered}


def _blocks(connection: Connection, table: Table, after: int = 0) -> Iterator[list[Row]]:
    wanted = [one for one in table.columns if not isinstance(one.type, LargeBinary | types.Vector | types.Bits)]
    if not words_of(table):
        return
    query = select(*wanted).where(table.c.id > after) if after else select(*wanted)
    with connection.execute(query.execution_options(yield_per=_BLOCK)) as rows:
        for block in rows.mappings().partitions(_BLOCK):
            yield [dict(row) for row in block]


def held_in(texts: Sequence[Sequence[bytes]], look: Look) -> dict[int, set[bytes]]:
    """Return which of the rows hold what of it; all of them are looked through at once."""
    joined = [_BETWEEN.join(each) for each in texts]
    starts, at = [], 0
    for one in joined:
        starts.append(at)
        at += len(one) + len(_BETWEEN)
    data = _BETWEEN.join(joined)
    held: dict[int, set[bytes]] = {}
    for place, length in look(data):
        held.setdefault(bisect_right(starts, place) - 1, set()).add(data[place : place + length])
    return held


def _indexed_places(connection: Connection, look: Look) -> Iterator[str]:
    for name in INDEXES.values():
        rows = connection.execute(text(f"SELECT id, array_to_string(tsvector_to_array(words), ' ') FROM {name}"))
        for number, words in rows:
            if look(encoded(words or "")):
                yield f"{name} {number}: words"
