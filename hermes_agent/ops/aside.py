"""Set a database aside, so that our store can take its place; nothing is lost if we die on the way.

The new names are made first, as second names of the same files; only then the old ones go, the
database before its log. At every moment one complete set of names is there, and running again
finishes what was begun.
"""

import os
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import beside
from hermes_agent.config.replace import sync_folder
from hermes_agent.errors import HermesError

FOREIGN = ".foreign-"
_COMPANIONS = ("-wal", "-shm", "-journal")


def set_aside(database: Path, mark: str = FOREIGN) -> Path:
    """Give the database and its companions a new name; return it, or the last one if it is aside already."""
    if not database.exists() and all_aside(database, mark):
        return all_aside(database, mark)[-1]
    aside = _begun(database, mark) or _free_name(database, mark)
    try:
        for suffix in ("", *_COMPANIONS):
            _name_again(beside(database, suffix), beside(aside, suffix))
        sync_folder(database.parent)
        for suffix in ("", *_COMPANIONS):
            beside(database, suffix).unlink(missing_ok=True)
        sync_folder(database.parent)
    except OSError as error:
        raise HermesError(
            f"{database} cannot be set aside: {error.strerror}.", hint="Check who owns the folder."
        ) from error
    return aside


def all_aside(database: Path, mark: str = FOREIGN) -> list[Path]:
    """Return what was set aside earlier from this place, the oldest first."""
    found = database.parent.glob(f"{database.name}{mark}*")
    return sorted(path for path in found if not path.name.endswith(_COMPANIONS))


def _begun(database: Path, mark: str) -> Path | None:
    """Return the name an interrupted run gave to this very file."""
    return next((path for path in all_aside(database, mark) if path.samefile(database)), None)


def _free_name(database: Path, mark: str) -> Path:
    """Return a name with the time in it that nothing has yet."""
    stamped = beside(database, f"{mark}{clock.to_datetime(clock.now()):%Y%m%dT%H%M%SZ}")
    number, free = 1, stamped
    while any(beside(free, suffix).exists() for suffix in ("", *_COMPANIONS)):
        number += 1
        free = beside(stamped, f".{number}")
    return free


def _name_again(path: Path, name: Path) -> None:
    """Give a file its second name, unless it has it; another file of that name is never given up for it."""
    if not path.exists() or (name.exists() and name.samefile(path)):
        return
    try:
        os.link(path, name)
    except FileExistsError:
        raise
    except OSError:
        # A file system without second names: renamed, the database first.
        path.rename(name)
