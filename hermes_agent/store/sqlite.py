"""The SQLite engine: how its connections are opened, and what SQLite does its own way.

Every transaction that writes begins with BEGIN IMMEDIATE, so that it waits for its turn instead of
failing half-way; an acknowledged commit is on the disk (`synchronous=FULL` syncs the log).
The library must be 3.51.3 or newer: older ones have a bug that can lose commits in WAL mode.

With a key every page, the log included, is encrypted by SQLCipher. What it does not encrypt are temporary tables:
they stay in memory. (The file that VACUUM works in is encrypted; a test looks.)
"""

import importlib
import os
import sqlite3
import stat
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import sqlalchemy
from sqlalchemy import Connection, event
from sqlalchemy.pool import QueuePool

from hermes_agent import clock
from hermes_agent.config.paths import beside
from hermes_agent.errors import DamagedStore, HermesError, StoreError, StoreReadOnly
from hermes_agent.records.vectors import Fingerprint, Nearest
from hermes_agent.store import locks, same_file, sqlite_errors
from hermes_agent.store.database_file import HEADER
from hermes_agent.store.engine import Condition, foreign
from hermes_agent.store.file_head import head
from hermes_agent.store.sqlite_text import SqliteText
from hermes_agent.store.unopened import other_kind, unopened
from hermes_agent.store.vectors import EPISODE

if TYPE_CHECKING:
    from hermes_agent.store.matrices import Matrices
    from hermes_agent.store.vectors import Numbers

APPLICATION_ID = 0x48524D53
"""'HRMS' in the file's header: this database is ours."""

_SAFE_VERSION = (3, 51, 3)
_CACHE_KIB = 32_768
_FOLD_SECONDS = 5
_TRY_AGAIN_SECONDS = 0.005
_APPLICATION_ID_AT = 68


def driver() -> ModuleType:
    """Return the interpreter's own sqlite3 if it is new enough, else the one from the wheel."""
    if sqlite3.sqlite_version_info >= _SAFE_VERSION:
        return sqlite3
    try:
        module = importlib.import_module("pysqlite3.dbapi2")
    except ImportError as error:
        raise StoreError(
            f"SQLite {sqlite3.sqlite_version} of this Python can lose commits in WAL mode.",
            hint="Install the package pysqlite3, or use a Python with SQLite 3.51.3 or newer.",
        ) from error
    if module.sqlite_version_info < _SAFE_VERSION:
        raise StoreError(
            f"The installed pysqlite3 brings SQLite {module.sqlite_version}, which can lose commits.",
            hint="Run: pip install --upgrade pysqlite3",
        )
    return module


def cipher_driver() -> ModuleType:
    """Return the driver whose SQLite encrypts its files."""
    try:
        module = importlib.import_module("sqlcipher3.dbapi2")
    except ImportError as error:
        raise StoreError(
            "The package that reads encrypted databases is not installed.",
            hint="Run: pip install 'hermes-agent[encryption]'",
        ) from error
    if module.sqlite_version_info < _SAFE_VERSION:
        raise StoreError(
            f"The installed sqlcipher3 brings SQLite {module.sqlite_version}, which can lose commits.",
            hint="Run: pip install --upgrade sqlcipher3",
        )
    return module


@dataclass(frozen=True)
class Sqlite:
    """A SQLite file and how to reach it; with a `key` (32 bytes and a salt of 16) it is encrypted.

    Copies of vectors that make searching fast are kept in `cache`; without that folder, in memory only.
    """

    path: Path
    busy_seconds: float = 60.0
    uses_wal: bool = True
    is_readonly: bool = False
    cache: Path | None = None
    text: SqliteText = field(default_factory=SqliteText)
    key: bytes | None = field(default=None, repr=False)

    name = "sqlite"
    schema = None
    packs_bodies = True
    reading: ClassVar[Mapping[str, Any]] = {"writes": False}

    def open(self) -> sqlalchemy.Engine:
        """Make the connections; the file appears with the first of them, readable by its owner only."""
        self._refuse_what_is_not_ours()
        if not self.is_readonly and not self.path.exists():
            self._create()
        opened = same_file.mark(self.path)
        engine = sqlalchemy.create_engine(
            "sqlite://",
            module=self.driver,
            creator=partial(self._connect, opened),
            poolclass=QueuePool,
            pool_size=16,  # as many as the web has threads: a connection opened anew has read nothing yet
            max_overflow=16,
        )
        event.listen(engine, "begin", partial(_begin, self.path, opened))
        return engine

    def copied(self, connections: sqlalchemy.Engine) -> AbstractContextManager[Connection]:
        """Open a transaction in a private copy, of which nothing is kept."""
        from hermes_agent.store import sqlite_copy  # here: only what is tried first needs it

        original = sqlite_copy.Database(
            self.path, self.driver, lambda path: replace(self, path=path).connect("rwc"), self.explain
        )
        return sqlite_copy.opened(original, connections)

    @property
    def driver(self) -> ModuleType:
        """The driver that opens this file."""
        return driver() if self.key is None else cipher_driver()

    # Any: the connection of a driver chosen at run time.
    def connect(self, mode: str) -> Any:
        """Open the bare file (`ro`, `rw`, `ro&immutable=1`), with its key."""
        address = f"{self.path.resolve().as_uri()}?mode={mode}"
        try:
            with locks.opening:
                connection = self.driver.connect(address, uri=True, isolation_level=None, check_same_thread=False)
        except self.driver.DatabaseError as error:
            raise self.explain(error) from error
        if self.key is not None:
            # Otherwise SQLCipher prints to the terminal what we say ourselves.
            connection.execute("PRAGMA cipher_log_level = NONE").close()
            connection.execute(f"PRAGMA key = \"x'{self.key.hex()}'\"").close()
        return connection

    @property
    def is_cut_off(self) -> bool:
        """Whether a change was cut off: whoever opens the file to write takes it back, a reader cannot."""
        return beside(self.path, "-journal").exists()

    @property
    def salvaged(self) -> Path:
        """Where a repair makes the file that is to take this one's place."""
        return beside(self.path, ".salvaged")

    @property
    def place(self) -> str:
        return str(self.path)

    def lock_shape(self, connection: Connection) -> None:
        """Nothing to do: BEGIN IMMEDIATE holds the write lock already."""

    def inspect(self, connection: Connection, *, is_thorough: bool) -> Condition:
        """Tell version and size; when thorough, check pages, indexes and references."""
        problems: list[str] = []
        if is_thorough:
            rows = connection.exec_driver_sql("PRAGMA integrity_check(20)").scalars().all()
            problems += [row for row in rows if row != "ok"]
            problems += [
                f"row {row[1]} of {row[0]} points to a missing row of {row[2]}"
                for row in connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            ]
            from hermes_agent.store import (
                damaged_texts,  # here: it knows the tables, few who open a file need them
            )

            problems += damaged_texts.find(connection)
        files = (self.path, beside(self.path, "-wal"))
        size_bytes = sum(file.stat().st_size for file in files if file.exists())
        sort = "SQLite" if self.key is None else "SQLCipher, SQLite"
        return Condition(f"{sort} {self.driver.sqlite_version}", size_bytes, tuple(problems))

    def vacuum(self, connection: Connection) -> None:
        """Give free pages back to the disk and fold the log into the file."""
        # In a file: the copy VACUUM makes is as large as the database.
        connection.exec_driver_sql("PRAGMA temp_store = FILE")
        connection.exec_driver_sql("VACUUM")
        connection.exec_driver_sql("PRAGMA temp_store = MEMORY")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def erase(self, connection: Connection) -> bool:
        """Merge the text indexes, where deleted words stay until then, and write the whole file anew."""
        self.text.optimize(connection)
        self.vacuum(connection)
        return self.fold(connection)

    def copy_to(self, connection: Connection, target: Path) -> None:
        """Write the database as it is at this moment to a new file; called outside a transaction."""
        connection.exec_driver_sql("VACUUM INTO ?", (str(target),))

    def fold(self, connection: Connection) -> bool:
        """Fold the log into the file and empty it; someone who is reading just now keeps that from being whole."""
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {_FOLD_SECONDS * 1000}")
        row = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {int(self.busy_seconds * 1000)}")
        return not row[0]

    def match_vectors(
        self,
        connection: Connection,
        fingerprint: Fingerprint,
        vector: "Numbers",
        limit: int,
        *,
        kinds: Sequence[str] = (EPISODE,),
    ) -> Nearest:
        """Compare with every vector: first as small numbers, then the best in float."""
        return self._matrices.match(connection, fingerprint, vector, limit, kinds)

    def match_outlines(self, connection: Connection, bits: bytes, limit: int) -> Sequence[int]:
        """Compare with every outline."""
        return self._matrices.match_outlines(connection, bits, limit)

    def settle_vectors(self, connection: Connection, *, is_erasure: bool = False, is_anew: bool = False) -> None:
        """Bring the files in the cache folder up to date; what was erased leaves no trace there."""
        try:
            self._matrices.settle(connection, is_anew=is_anew)
        except OSError as error:
            raise StoreError(
                f"The copies of vectors in {self.cache} cannot be brought up to date: {error.strerror}.",
                hint="They are made anew when they are gone: remove that folder.",
            ) from error

    def check_vectors(self, connection: Connection) -> Sequence[str]:
        """Compare the files in the cache folder with the store, row by row."""
        return [f"the copy of vectors in {file} is damaged" for file in self._matrices.damaged(connection)]

    @cached_property
    def _matrices(self) -> "Matrices":
        from hermes_agent.store.matrices import Matrices  # here: most commands search no vectors

        return Matrices(self.path, None if self.is_readonly else self.cache)

    # Any: the connection of a driver chosen at run time.
    def _connect(self, opened: same_file.Mark | None) -> Any:
        same_file.refuse_another(self.path, opened)
        connection = self.connect(self._mode)
        connection.execute(f"PRAGMA busy_timeout = {int(self.busy_seconds * 1000)}")
        if not self.is_readonly:
            self._set_journal(connection, "WAL" if self.uses_wal else "DELETE")
        settings = [
            # Without WAL only EXTRA also syncs the folder after the journal is removed.
            f"PRAGMA synchronous = {'FULL' if self.uses_wal else 'EXTRA'}",
            "PRAGMA foreign_keys = ON",
            f"PRAGMA cache_size = -{_CACHE_KIB}",
            "PRAGMA temp_store = MEMORY",
        ]
        for setting in settings:
            connection.execute(setting)
        return connection

    @property
    def _mode(self) -> str:
        """How the file is opened; where nothing may be made beside it and nobody has it open, as it lies."""
        if not self.is_readonly:
            return "rw"
        is_in_use = any(beside(self.path, suffix).exists() for suffix in ("-wal", "-shm", "-journal"))
        return "ro" if is_in_use or os.access(self.path.parent, os.W_OK) else "ro&immutable=1"

    # Any: the connection of a driver chosen at run time.
    def _set_journal(self, connection: Any, mode: str) -> None:
        """Wait where SQLite does not: of processes that open a new file at once, all but one are told `locked`."""
        deadline = clock.monotonic() + self.busy_seconds
        while True:
            try:
                connection.execute(f"PRAGMA journal_mode = {mode}")
                return
            except UnicodeDecodeError as error:  # what SQLite quotes of a damaged page need not be text
                raise self.driver.DatabaseError("database disk image is malformed") from error
            except self.driver.OperationalError as error:
                if "locked" not in str(error) or clock.monotonic() > deadline:
                    connection.close()
                    raise
                clock.sleep(_TRY_AGAIN_SECONDS)

    def _create(self) -> None:
        """Make the empty file for its owner alone, before SQLite would make it for everyone."""
        if self.salvaged.exists():
            raise DamagedStore(
                f"A repair of {self.path} was interrupted.", hint="Nothing is lost. Finish it: hermes db repair"
            )
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.path.touch(mode=stat.S_IRUSR | stat.S_IWUSR)
        except PermissionError as error:
            raise StoreReadOnly(
                f"{self.path} may not be made ({error.strerror}).", hint="Check who owns the folder."
            ) from error
        except OSError as error:
            raise StoreError(
                f"{self.path} cannot be made ({error.strerror}).", hint="Check memory.path."
            ) from error

    def _refuse_what_is_not_ours(self) -> None:
        """Look at the file's head before SQLite does: opening it would already change a foreign one.

        SQLite itself would take some damaged files for empty ones.
        """
        found = head(self.path)
        if not found:
            return
        if found.startswith(HEADER) != (self.key is None):
            raise other_kind(self.path, is_encrypted=self.key is not None)
        # An encrypted head tells nothing.
        at = slice(_APPLICATION_ID_AT, _APPLICATION_ID_AT + 4)
        is_ours = self.key is None and int.from_bytes(found[at], "big") == APPLICATION_ID
        is_unreadable = self.key is not None and self.is_cut_off
        if not is_ours and not is_unreadable and self._is_foreign():
            raise foreign(str(self.path))

    def _is_foreign(self) -> bool:
        """Look without touching: the mark may still be in the log; one killed while being made has no tables."""
        log = beside(self.path, "-wal")
        # Immutable leaves no files behind, but does not read a log that is there.
        connection = self.connect("ro" if log.exists() and log.stat().st_size else "ro&immutable=1")
        try:
            (mark,) = connection.execute("PRAGMA application_id").fetchone()
            has_tables = connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone() is not None
        except self.driver.OperationalError:
            return False  # another process is just making it; what it made is looked at once it is done
        except self.driver.DatabaseError as error:
            raise unopened(self.path, error, is_encrypted=self.key is not None) from error
        finally:
            connection.close()
        return has_tables and mark != APPLICATION_ID

    def explain(self, error: Exception) -> HermesError:
        """Turn what SQLite says into the error a person can act on."""
        return sqlite_errors.explain(error, self.path, self.busy_seconds)


def _begin(path: Path, opened: same_file.Mark | None, connection: Connection) -> None:
    options = connection.get_execution_options()
    if options.get("is_bare", False):
        return
    if options.get("writes", False) or options.get("looks", False):
        same_file.refuse_another(path, opened)
    if options.get("waits", True):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes", False) else "BEGIN")
        return
    patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
    connection.exec_driver_sql("PRAGMA busy_timeout = 0")
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    finally:
        connection.exec_driver_sql(f"PRAGMA busy_timeout = {patience}")
