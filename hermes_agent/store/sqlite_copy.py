"""A private copy of a SQLite database: what is tried in it keeps nobody waiting, and nothing of it is kept.

It is as large as the database, so it is a file, encrypted if the database is. All of it is in that file's log, and
neither has a name any more before the first word is written: however the process ends, no word is left.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, event
from sqlalchemy.pool import NullPool

from hermes_agent.config import full_disk, held_folder, paths
from hermes_agent.errors import HermesError, StoreError

PREFIX = ".hermes-copy-"
"""How the folder begins in which a copy has a name for a moment; who is killed then leaves it, without a word.

It may lie among folders of the owner's.
"""
_NAME = "copy.db"
_CACHE_KIB = 32_768
_SETTINGS = (
    # Alone with it: what finds pages in the log is kept in memory, not in a third file.
    "locking_mode = EXCLUSIVE",
    "journal_mode = WAL",
    # The log is never folded: that looks for the file by its name.
    "wal_autocheckpoint = 0",
    "synchronous = OFF",
    "foreign_keys = ON",
    f"cache_size = -{_CACHE_KIB}",
    "temp_store = MEMORY",
)
_ROOM = 1.1
"""What the log of a copy takes, as a share of the database: its pages, what is noted of each, what changes."""
_LEFT = 16 << 20
"""So much stays free for whoever writes meanwhile: they are not to wait, nor to find the disk full."""


@dataclass(frozen=True, slots=True)
class Database:
    """What is copied: where it is, and how its engine makes and explains."""

    path: Path
    driver: ModuleType
    # Any: the connection of a driver chosen at run time.
    make: Callable[[Path], Any]
    """Make a file, encrypted as the database is, and open it."""
    explain: Callable[[Exception], HermesError]


@contextmanager
def opened(database: Database, connections: sqlalchemy.Engine) -> Iterator[Connection]:
    """Open a transaction in a copy of the moment at which it begins."""
    with connections.connect().execution_options(writes=False, looks=True) as source, source.begin():
        copy = _copied(database, source)
    made = sqlalchemy.create_engine("sqlite://", module=database.driver, creator=lambda: copy, poolclass=NullPool)
    event.listen(made, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    try:
        with made.connect() as connection, connection.begin() as transaction:
            yield connection
            transaction.rollback()
    finally:
        copy.close()


# Any: the connection of a driver chosen at run time.
def _copied(database: Database, source: Connection) -> Any:
    page_size, pages = (
        int(source.exec_driver_sql(f"PRAGMA {one}").scalar_one()) for one in ("page_size", "page_count")
    )
    what = f"{database.path} cannot be copied, to try it in the copy"
    full_disk.require(database.path.resolve().parent, int(page_size * pages * _ROOM), what, left=_LEFT)
    copy = _nameless(database, page_size)
    original = source.connection.driver_connection
    assert original is not None, "a transaction is open"
    try:
        original.backup(copy)  # in one step: of what is committed meanwhile nothing is in it
    except database.driver.Error as error:
        copy.close()
        raise database.explain(error) from error
    return copy


# Any: the connection of a driver chosen at run time.
def _nameless(database: Database, page_size: int) -> Any:
    """Make an empty database, and its log, and take their names away."""
    with held_folder.made(database.path.resolve().parent, PREFIX) as folder:
        copy = database.make(paths.cached(folder, _NAME))
        try:
            for setting in (f"page_size = {page_size}", *_SETTINGS):
                copy.execute(f"PRAGMA {setting}").close()
            copy.execute("CREATE TABLE begun (one)").close()  # only now the log is there
            for file in folder.iterdir():
                file.unlink()
        except database.driver.Error as error:
            copy.close()
            raise database.explain(error) from error
        except OSError as error:
            copy.close()
            raise StoreError(f"A copy of {database.path} cannot be made nameless: {error.strerror}.") from error
    return copy
