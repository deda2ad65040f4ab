"""The first bytes of a database file of ours: whether it is there, and whether any SQLite opens it."""

from pathlib import Path

from hermes_agent.errors import StoreError, StoreReadOnly
from hermes_agent.store import locks
from hermes_agent.store.database_file import HEADER

_LENGTH = 100


def is_plain(path: Path) -> bool | None:
    """Tell whether a database is one that any SQLite opens; None if there is none, or an empty one."""
    found = head(path)
    return found.startswith(HEADER) if found else None


def head(path: Path) -> bytes:
    """Return the first bytes of a file; nothing if it is not there."""
    try:
        if not path.exists():
            return b""
        if not path.is_file():
            raise StoreError(f"{path} is not a file.", hint="Set memory.path to a file.")
        return locks.head(path, _LENGTH)
    except PermissionError as error:
        raise StoreReadOnly(f"{path} may not be read.", hint="Check who owns the file.") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read ({error.strerror}).", hint="Check memory.path.") from error
