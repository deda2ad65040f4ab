"""Read the archive of a public Hermes, without leaving a trace in its folder.

Its columns came and went over twenty versions, so rows are read by whatever columns there are.

A SQLite file in WAL mode cannot simply be opened for reading: even a read-only connection leaves
`-wal` and `-shm` files behind. So: with no log beside it the file is whole and nobody has it open,
and it is read as it lies (`immutable`). With log and index beside it, or in another mode, another
program may be writing, and SQLite's own locks are used. What cannot be read without writing (a log
without its index, a journal to roll back, a read-only folder) is copied into a temporary folder.
"""

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from hermes_agent.config.paths import beside
from hermes_agent.errors import DamagedStore, NotFound, StoreError, Transient, UsageError
from hermes_agent.store.conversion import opens
from hermes_agent.store.database_file import HEADER
from hermes_agent.store.sqlite import Sqlite, driver

OLDEST, NEWEST = 6, 25
"""The schema versions that are known."""

Kind = Literal["absent", "ours", "hermes", "other"]
# A row of columns known only at run time.
Row = Mapping[str, object]

_WAL_AT = 18
_COPY_ATTEMPTS = 5
_NEEDED = {"sessions": {"id", "started_at"}, "messages": {"id", "session_id", "role", "content"}}


class ForeignArchive:
    """An open archive of the public product."""

    # Any: the connection of a driver chosen at run time.
    def __init__(self, connection: Any, path: Path, version: int | None) -> None:
        self._connection = connection
        self.path = path
        self.version = version
        self._has_prompts = "system_prompts" in _tables(connection)

    def session_count(self) -> int:
        """Return how many sessions there are."""
        return int(self._connection.execute("SELECT count(*) FROM sessions").fetchone()[0])

    def sessions(self) -> Iterator[Row]:
        """Yield the sessions in the order they began, parents mostly before children."""
        for row in self._rows("SELECT rowid AS _place, * FROM sessions ORDER BY started_at, id"):
            yield self._with_prompt(row)

    def messages(self, place: object) -> Iterator[Row]:
        """Yield the messages of the session at a `_place`, in order; its id may be no text."""
        chosen = "SELECT id FROM sessions WHERE rowid = ?"
        return self._rows(f"SELECT * FROM messages WHERE session_id = ({chosen}) ORDER BY id", place)

    def _with_prompt(self, row: dict[str, object]) -> Row:
        """Put the system prompt in place of its hash; version 25 keeps each prompt once."""
        digest = row.pop("system_prompt_hash", None)
        if digest is None or row.get("system_prompt") is not None:
            return row
        if not self._has_prompts:
            return {**row, "system_prompt_hash": digest}
        found = self._connection.execute("SELECT prompt FROM system_prompts WHERE hash = ?", (digest,)).fetchone()
        return {**row, "system_prompt_hash": digest} if found is None else {**row, "system_prompt": found[0]}

    def _rows(self, sql: str, *values: object) -> Iterator[dict[str, object]]:
        cursor = self._connection.execute(sql, values)
        names = [column[0] for column in cursor.description]
        for row in cursor:
            yield {name: _plain(value) for name, value in zip(names, row, strict=True)}


def identify(path: Path, key: bytes | None = None) -> Kind:
    """Tell whose database a file is, without changing anything; what our key opens is ours."""
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return "absent"
    if key is not None and opens(Sqlite(path, key=key)):
        return "ours"
    try:
        with _opened(path) as connection:
            tables = _tables(connection)
    except DamagedStore:
        return "other"
    if not tables:
        return "absent"  # a store killed while it was made
    if "alembic_version" in tables and "schema_version" in tables:
        return "ours"
    return "hermes" if _is_hermes(tables) else "other"


@contextmanager
def open_foreign(path: Path, *, takes_any_version: bool = False) -> Iterator[ForeignArchive]:
    """Open an archive for reading; refuse what is not one, and versions nobody has seen."""
    if not path.exists():
        raise NotFound(f"There is no database {path}.")
    with _opened(path) as connection:
        tables = _tables(connection)
        if "alembic_version" in tables:
            raise UsageError(
                f"{path} is a store of this program already.",
                hint="Between stores use: hermes sessions export, then hermes sessions import",
            )
        if not _is_hermes(tables):
            raise UsageError(f"{path} is not a database of Hermes: it lacks sessions or messages.")
        version = _version(connection, tables)
        if not takes_any_version:
            _refuse_version(path, version)
        yield ForeignArchive(connection, path, version)


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """Open the file in the way that leaves its folder as it is."""
    _refuse_what_is_no_database(path)
    try:
        if _is_at_rest(path):
            with _read_at_rest(path) as connection:
                yield connection
            return
        live = None if _lacks_index(path) else _connect_live(path)
        if live is not None:
            try:
                yield live
            finally:
                live.close()
            return
        with tempfile.TemporaryDirectory(prefix="hermes-") as folder:
            connection = _connect(_copy(path, Path(folder)), "mode=rw")
            try:
                yield connection
            finally:
                connection.close()
    except driver().DatabaseError as error:
        raise DamagedStore(f"{path} cannot be read ({error}).", hint="The file was left as it is.") from error


@contextmanager
def _read_at_rest(path: Path) -> Iterator[Any]:
    before = _stamp(path)
    connection = _connect(path, "mode=ro&immutable=1")
    try:
        yield connection
    finally:
        connection.close()
    if _stamp(path) != before or not _is_at_rest(path):
        raise Transient(
            f"Another program began to write to {path} while it was read.",
            hint="Run the same command again; what was taken over already is kept.",
        )


def _connect_live(path: Path) -> Any | None:
    """Open beside a running program, with SQLite's locks; None where that would need writing."""
    connection = None
    try:
        connection = _connect(path, "mode=ro")
        # One transaction for everything: the other program goes on writing.
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except driver().OperationalError:
        if connection is not None:
            connection.close()
        return None
    return connection


def _connect(path: Path, mode: str) -> Any:
    connection = driver().connect(f"{path.resolve().as_uri()}?{mode}", uri=True, isolation_level=None)
    # Bytes that are no UTF-8 become lone surrogates, which we can keep.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    connection.execute("PRAGMA busy_timeout = 30000")
    return connection


def _is_at_rest(path: Path) -> bool:
    """Tell whether the file is all there is: a log lies beside it while somebody has it open, or crashed."""
    return _uses_wal(path) and not _has_bytes(beside(path, "-wal")) and not beside(path, "-shm").exists()


def _lacks_index(path: Path) -> bool:
    """Tell whether reading would create the log's index: the log was copied here without it."""
    return _uses_wal(path) and not beside(path, "-shm").exists()


def _uses_wal(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(_WAL_AT + 1)[_WAL_AT:] == b"\x02"


def _copy(path: Path, folder: Path) -> Path:
    """Copy file and log; again if the file changed meanwhile, since then a checkpoint came between."""
    copy = folder / "state.db"
    for _ in range(_COPY_ATTEMPTS):
        before = _stamp(path)
        shutil.copyfile(path, copy)
        for suffix in ("-wal", "-journal"):
            if beside(path, suffix).exists():
                shutil.copyfile(beside(path, suffix), beside(copy, suffix))
        if _stamp(path) == before:
            return copy
    raise Transient(f"{path} changes too fast to be copied.", hint="Stop the program that uses it.")


def _refuse_what_is_no_database(path: Path) -> None:
    if not path.is_file():
        raise StoreError(f"{path} is not a file.")
    try:
        with path.open("rb") as file:
            head = file.read(len(HEADER))
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.") from error
    if head != HEADER:
        raise DamagedStore(
            f"{path} is not a SQLite database; it was left as it is.",
            hint="An export of conversations is taken over by: hermes sessions import FILE",
        )


def _refuse_version(path: Path, version: int | None) -> None:
    if version is None or version < OLDEST:
        raise UsageError(
            f"{path} has schema version {version}; {OLDEST} is the oldest that is known.",
            hint="Open it once with a newer version of the program that made it, or add --any-version.",
        )
    if version > NEWEST:
        raise UsageError(
            f"{path} has schema version {version}, newer than the known {NEWEST}.",
            hint="Add --any-version to try by column names.",
        )


def _is_hermes(tables: Mapping[str, set[str]]) -> bool:
    return all(columns <= tables.get(table, set()) for table, columns in _NEEDED.items())


# Any: the connection of a driver chosen at run time.
def _version(connection: Any, tables: Mapping[str, set[str]]) -> int | None:
    if "version" not in tables.get("schema_version", set()):
        return None
    found = connection.execute("SELECT max(version) FROM schema_version").fetchone()[0]
    return found if isinstance(found, int) else None


# Any: the connection of a driver chosen at run time.
def _tables(connection: Any) -> dict[str, set[str]]:
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    columns = "SELECT name FROM pragma_table_info(?)"
    return {name: {row[0] for row in connection.execute(columns, (name,))} for (name,) in rows}


def _plain(value: object) -> object:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value


def _has_bytes(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns
