"""SQLite files of others: told by their first bytes, and copied as they are at one moment."""

from contextlib import closing
from pathlib import Path

from hermes_agent import clock
from hermes_agent.errors import HermesError
from hermes_agent.store import locks

HEADER = b"SQLite format 3\0"
BUSY_SECONDS = 10.0


def is_one(file: Path) -> bool:
    """Tell whether a file is a SQLite database, or begins like one.

    The library is asked first: to close a file that a provider of this process has open takes its locks away.
    """
    import sqlite3

    try:
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=0)) as connection:
            connection.execute("PRAGMA schema_version")
            return file.stat().st_size > 0
    except sqlite3.Error as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return True
    try:
        return locks.head(file, len(HEADER)) == HEADER
    except OSError as error:
        raise HermesError(f"{file} cannot be read: {error.strerror}.") from error


def copy(file: Path, target: Path) -> None:
    """Copy a database that its own program may be writing just now."""
    import sqlite3  # our own store has a driver of its own

    end = clock.monotonic() + BUSY_SECONDS

    def look(state: int, _left: int, _pages: int) -> None:
        # The driver would try for ever.
        if state in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and clock.monotonic() > end:
            raise sqlite3.OperationalError("its program does not let go of it")

    try:
        with (
            closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(target)) as made,
        ):
            source.backup(made, progress=look)
    except sqlite3.Error as error:
        raise HermesError(f"{file} cannot be copied: {error}.") from error
    target.chmod(0o600)
