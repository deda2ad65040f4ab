"""Copy a SQLite file into another that is encrypted otherwise, and make sure that both hold the same.

SQLCipher copies it, whatever tables there are; then every row of every table is compared, indexes included, since
the copy is about to take the place of the only original.
"""

import hashlib
import os
import stat
from pathlib import Path
from typing import Any

from hermes_agent.config.paths import beside
from hermes_agent.errors import StoreBusy, StoreError
from hermes_agent.store.file_head import is_plain
from hermes_agent.store.salvage import remove_files
from hermes_agent.store.sqlite import Sqlite, cipher_driver

_COMPANIONS = ("-wal", "-shm", "-journal")
_PATIENCE_MS = 2_000
_CARRIED = ("application_id", "user_version")


def opens(engine: Sqlite) -> bool:
    """Tell whether a file is one that this engine's key opens; only a change that was cut off is taken back."""
    if is_plain(engine.path) != (engine.key is None):
        return False
    connection = engine.connect("rw" if engine.is_cut_off else "ro")
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except engine.driver.DatabaseError:
        return False
    finally:
        connection.close()
    return True


def settle(engine: Sqlite) -> None:
    """Fold the log into the file, so that the file is all there is; StoreBusy while somebody has it open."""
    connection = engine.connect("rw")
    try:
        connection.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
        # Only a file that nobody else has open can leave this mode.
        mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
    except engine.driver.OperationalError as error:
        if "locked" not in str(error):
            raise engine.explain(error) from error
        mode = "wal"
    except engine.driver.DatabaseError as error:
        raise engine.explain(error) from error
    finally:
        connection.close()
    if mode != "delete":
        raise StoreBusy(f"Another process has {engine.path} open.", hint="Close it, then try again.")


def copy(source: Sqlite, target: Sqlite) -> None:
    """Write what a settled file holds to a new one, and bring that to the disk."""
    remove_files(target.path)
    target.path.touch(mode=stat.S_IRUSR | stat.S_IWUSR)
    module = cipher_driver()
    try:
        connection = module.connect(f"{source.path.resolve().as_uri()}?mode=rw", uri=True, isolation_level=None)
    except module.DatabaseError as error:
        raise source.explain(error) from error
    try:
        connection.execute("PRAGMA cipher_log_level = NONE").close()
        # Without a key SQLCipher is a SQLite like any other.
        if source.key is not None:
            connection.execute(f'PRAGMA key = "{_written(source.key)}"').close()
        connection.execute("PRAGMA temp_store = MEMORY").close()
        connection.execute("ATTACH DATABASE ? AS target KEY ?", (str(target.path), _written(target.key)))
        # Killed on the way, the new file is thrown away.
        connection.execute("PRAGMA target.journal_mode = OFF").close()
        connection.execute("PRAGMA target.synchronous = OFF").close()
        connection.execute("SELECT sqlcipher_export('target')").fetchall()
        for name in _CARRIED:
            value = connection.execute(f"PRAGMA main.{name}").fetchone()[0]
            connection.execute(f"PRAGMA target.{name} = {int(value)}").close()
    except module.DatabaseError as error:
        raise source.explain(error) from error
    finally:
        connection.close()
    handle = os.open(target.path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def refuse_difference(source: Sqlite, target: Sqlite) -> None:
    """Read both files whole; StoreError if a table, a row, or a page of the copy is not as it should be."""
    problems = _problems(target)
    differing = [] if problems else sorted(_differing(_digests(source), _digests(target)))
    if problems or differing:
        raise StoreError(
            f"The copy of {source.path} is not what it should be: {(problems or differing)[0]}.",
            hint="Nothing was changed. Check the database first: hermes db check",
        )


def put_in_place(fresh: Path, path: Path) -> None:
    """Let a settled copy take the place of the original, at one stroke."""
    fresh.replace(path)
    for suffix in _COMPANIONS:
        beside(path, suffix).unlink(missing_ok=True)


def _written(key: bytes | None) -> str:
    """Return a key as SQLCipher reads it; an empty one is none."""
    return "" if key is None else f"x'{key.hex()}'"


def _problems(engine: Sqlite) -> list[str]:
    connection = engine.connect("ro")
    try:
        rows = connection.execute("PRAGMA integrity_check(5)").fetchall()
    except engine.driver.DatabaseError as error:
        return [str(error)]
    finally:
        connection.close()
    return [row[0] for row in rows if row[0] != "ok"]


def _differing(one: dict[str, str], other: dict[str, str]) -> set[str]:
    return {name for name in one.keys() | other.keys() if one.get(name) != other.get(name)}


def _digests(engine: Sqlite) -> dict[str, str]:
    """Return what tells two states of each table apart, and of what is declared."""
    connection = engine.connect("ro")
    connection.text_factory = bytes  # as it lies in the file
    try:
        declared = connection.execute(
            "SELECT name, type, tbl_name, sql, rootpage > 0 FROM sqlite_schema"
            " WHERE name NOT LIKE 'sqlite_autoindex%' ORDER BY type, name"
        ).fetchall()
        tables = [name.decode() for name, kind, _, _, is_held in declared if kind == b"table" and is_held]
        found = {"what is declared": hashlib.sha256(repr([row[:4] for row in declared]).encode()).hexdigest()}
        return found | {name: _digest(connection, name) for name in tables}
    except engine.driver.DatabaseError as error:
        raise engine.explain(error) from error
    finally:
        connection.close()


# Any: the connection of a driver chosen at run time.
def _digest(connection: Any, table: str) -> str:
    """Return what tells two states of a table apart: its rows, in the order they lie in."""
    quoted = table.replace('"', '""')
    whole = hashlib.blake2b(digest_size=32)
    for row in connection.execute(f'SELECT * FROM "{quoted}"'):
        whole.update(repr(row).encode("utf-8", "surrogatepass"))
    return whole.hexdigest()
