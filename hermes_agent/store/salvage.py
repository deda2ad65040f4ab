"""Read what can still be read of a damaged SQLite file, row by row, skipping what cannot.

Only what cannot be made anew is read. Values are copied as they lie in the file: a text as far as it can be
decoded; JSON that is none any more is left empty.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from hermes_agent.config.paths import beside
from hermes_agent.ids import new_uid
from hermes_agent.store import canonical, damaged_texts
from hermes_agent.store.engine import Connection
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.types import Uid

TABLES = (
    "store_meta",
    "jobs",
    *canonical.TABLES,
    "spending",
    "selftests",
    "tokens",
    "outbox",
    "arrivals",
    "chats",
)
_BLOCK = 500
_HIGHEST = 2**63 - 1
_LISTS = ("worked", "differently", "reasons", "runs", "blocks", "found", "backups")
_EMPTY = {"counts": "{}", **dict.fromkeys(_LISTS, "[]")}
"""What stands for required JSON that cannot be read: the rest of its row is worth keeping. Others go with it."""

# Any: a row of a file whose columns are known only at run time.
Row = tuple[Any, ...]


def remove_files(database: Path) -> None:
    """Remove a database that was never put to use, with what SQLite keeps beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        beside(database, suffix).unlink(missing_ok=True)


def copy_table(source: Sqlite, target: Connection, table: str) -> tuple[int, bool]:
    """Copy the readable rows of a table; return how many were, and whether some could not be."""
    with_gaps = False
    read, before = 0, _count(target, table)
    wanted = [row[1] for row in target.exec_driver_sql(f"PRAGMA table_info({table})")]
    connection = source.connect("ro")
    # Damaged text is kept as far as it can be decoded.
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    # Where the schema is damaged, the tables it still tells of are read.
    connection.execute("PRAGMA writable_schema = ON")
    try:
        present = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        columns = _columns(wanted, present)
        if not columns:
            return 0, True
        with_gaps = not set(present) <= set(wanted)
        theirs = ", ".join(f'"{one}"' for one in columns)
        names = ", ".join(f'"{one}"' for one in columns.values())
        insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"
        for block in _readable(connection, source.driver.DatabaseError, table, theirs):
            if block is None:
                with_gaps = True
                continue
            kept = _with_json(block, list(columns.values()), damaged_texts.json_columns(table))
            with_gaps |= kept != block
            if kept:
                target.exec_driver_sql(insert, kept)
            read += len(kept)
    except (source.driver.DatabaseError, UnicodeDecodeError):
        with_gaps = True
    finally:
        connection.close()
    saved = _count(target, table) - before
    # A new store knows some things of itself already.
    return saved, with_gaps or (saved < read and not before)


def _count(connection: Connection, table: str) -> int:
    return int(connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one())


def last_numbers(source: Sqlite) -> dict[str, int]:
    """Return the highest number that a row of each table ever had, as far as it can be read."""
    connection = source.connect("ro")
    try:
        connection.execute("PRAGMA writable_schema = ON")
        return {str(name): int(last) for name, last in connection.execute("SELECT name, seq FROM sqlite_sequence")}
    except (source.driver.DatabaseError, ValueError, TypeError):
        return {}
    finally:
        connection.close()


def _columns(wanted: Sequence[str], present: Sequence[str]) -> dict[str, str]:
    """Return the columns that are read, each with our name of it; a damaged name is known by its place."""
    if len(wanted) == len(present) and set(wanted) != set(present):
        return dict(zip(present, wanted, strict=True))
    return {one: one for one in wanted if one in present}


def allow_orphans(target: Connection) -> None:
    """Let rows refer to rows that are copied later, or were lost, until the transaction ends."""
    target.exec_driver_sql("PRAGMA defer_foreign_keys = ON")


def adopt_orphans(target: Connection) -> int:
    """Give messages whose session was lost one of the same id, so that they are found again."""
    lost = target.exec_driver_sql(
        "SELECT session_id, min(said_at), max(said_at), count(*) FROM messages"
        " WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id"
    ).all()
    for session_id, first, last, count in lost:
        uid = Uid().process_bind_param(new_uid(first), target.dialect)
        target.exec_driver_sql(
            "INSERT INTO sessions (id, uid, source, started_at, last_active_at, message_count)"
            " VALUES (?, ?, 'salvaged', ?, ?, ?)",
            (session_id, uid, first, last, count),
        )
    target.exec_driver_sql(
        "UPDATE episodes SET state = 'raw', summary_id = NULL WHERE summary_id NOT IN (SELECT id FROM summaries)"
    )
    # Without its first message nobody knows what an episode was; of what is left it is made anew.
    target.exec_driver_sql("DELETE FROM episodes WHERE first_message NOT IN (SELECT id FROM messages)")
    _cut_off(target)
    return len(lost)


def _cut_off(target: Connection) -> None:
    """Let nothing refer to a row that was lost: what need not is kept without it, the rest goes as well."""
    while broken := target.exec_driver_sql("PRAGMA foreign_key_check").all():
        for table, rowid, _, key in broken:
            columns = {row[1]: bool(row[3]) for row in target.exec_driver_sql(f"PRAGMA table_info({table})")}
            keys = target.exec_driver_sql(f"PRAGMA foreign_key_list({table})").all()
            column = next(row[3] for row in keys if row[0] == key)
            change = f"DELETE FROM {table}" if columns[column] else f'UPDATE {table} SET "{column}" = NULL'
            target.exec_driver_sql(f"{change} WHERE rowid = ?", (rowid,))


def _with_json(block: list[Row], columns: Sequence[str], json_columns: Mapping[str, bool]) -> list[Row]:
    """Return the rows without JSON that is none; a row whose JSON nothing can stand for is left out."""
    kept: list[Row] = []
    for row in block:
        of_row = dict(zip(columns, row, strict=True))
        broken = {name: _EMPTY.get(name) for name in json_columns if not _is_json(of_row.get(name))}
        if all(empty is not None or json_columns[name] for name, empty in broken.items()):
            kept.append(tuple({**of_row, **broken}.values()) if broken else row)
    return kept


def _is_json(kept: str | bytes | None) -> bool:
    # We write JSON in ASCII: the mark of what could not be decoded is none of ours.
    return damaged_texts.is_json(kept) and not (isinstance(kept, str) and "\ufffd" in kept)


# Any: a connection of the driver chosen at run time.
def _readable(connection: Any, unread: type[Exception], table: str, names: str) -> Iterator[list[Row] | None]:
    """Yield blocks of rows by rowid; None where a stretch could not be read and was skipped."""
    low = 0
    while low < _HIGHEST:
        try:
            block = connection.execute(
                f"SELECT rowid, {names} FROM {table} WHERE rowid >= ? ORDER BY rowid LIMIT ?", (low, _BLOCK)
            ).fetchall()
        except unread:
            yield from _one_by_one(connection, unread, table, names, low)
            yield None
            found = _next_readable(connection, unread, table, low)
            if found is None:
                return
            low = found
            continue
        if not block:
            return
        yield [row[1:] for row in block]
        low = block[-1][0] + 1


def _one_by_one(connection: Any, unread: type[Exception], table: str, names: str, low: int) -> Iterator[list[Row]]:
    """Read rows singly from `low` on until one cannot be read."""
    for rowid in range(low, low + _BLOCK):
        try:
            row = connection.execute(f"SELECT {names} FROM {table} WHERE rowid = ?", (rowid,)).fetchone()
        except unread:
            continue
        if row is not None:
            yield [row]


def _next_readable(connection: Any, unread: type[Exception], table: str, low: int) -> int | None:
    """Return the next rowid after the damage from which a row can be read, leaping further each time."""
    leap = _BLOCK
    while low + leap < _HIGHEST // 4:
        try:
            row = connection.execute(
                f"SELECT rowid FROM {table} WHERE rowid >= ? ORDER BY rowid LIMIT 1", (low + leap,)
            ).fetchone()
        except unread:
            leap *= 2
            continue
        return None if row is None else int(row[0])
    return None
