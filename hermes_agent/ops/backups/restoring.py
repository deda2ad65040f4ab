"""Put a backup in the place of a home. What was there is kept aside, whole, whatever state it was in.

File by file the old one gets a second name aside and the new one takes its place, the database last: killed at any
moment, every file is either what it was or what it becomes, on the disk, and running again finishes it.
"""

import errno
import os
import shutil
from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, beside
from hermes_agent.config.replace import is_lock, sync_file, sync_folder
from hermes_agent.config.store_path import store_path
from hermes_agent.errors import HermesError
from hermes_agent.ops.backups import form
from hermes_agent.ops.backups.opening import Opened
from hermes_agent.ops.steps import Step

ASIDE = "replaced-"
_COPY = ".restoring"
_NO_SECOND_NAME = (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP)
_COMPANIONS = ("-wal", "-shm", "-journal")
_LEFT_BEHIND = ("profiles", "backups", "cache", "logs", "daemon.pid", "memory.db")
"""What a plain archive of a home may hold that is not this profile's memory."""


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put in place, and where the former files are; None if there were none."""

    files: int
    aside: Path | None


def restore(home: Home, opened: Opened, database: Path) -> Generator[Step, None, Restored]:
    """Move the files of an opened backup into a home, its memory to `database`."""
    names = [
        name for name in dict.fromkeys(opened.names) if _is_restored(name) and _is_whole(opened.folder / name)
    ]
    names.sort(key=lambda name: name == form.DATABASE)
    aside = _free_folder(home)
    try:
        _move_away(home, aside, set(names))
        for done, name in enumerate(names, 1):
            place = database if name == form.DATABASE else home.root / name
            _exchange(opened.folder / name, place, aside / name)
            yield Step("Restoring", done, len(names))
        if form.MEMORY in opened.names:
            # It is brought into a store that must be empty; one that is a file of ours is kept aside.
            _put_aside_database(database, aside)
    except OSError as error:
        raise HermesError(
            f"The backup was not restored whole: {error.strerror} ({error.filename or home.root}).",
            hint=f"What was here is in {aside}. Mend that and run it again.",
        ) from error
    return Restored(len(names), aside if aside.exists() else None)


def _free_folder(home: Home) -> Path:
    """Return where what is here now is kept: a name of its own, also if two restores fall into one second."""
    stamped = home.backups / f"{ASIDE}{clock.to_datetime(clock.now()):%Y%m%dT%H%M%SZ}"
    names = (stamped if number == 1 else beside(stamped, f"-{number}") for number in count(1))
    return next(name for name in names if not name.exists())


def _is_restored(name: str) -> bool:
    """Tell whether a file of a backup belongs into a home; the database's log was folded when it was checked."""
    is_log = name in {f"{form.DATABASE}{suffix}" for suffix in _COMPANIONS}
    return name.split("/")[0] not in _LEFT_BEHIND and name != form.MEMORY and not is_log


def _is_whole(file: Path) -> bool:
    return file.exists() and not is_lock(file)  # ours is held, and nothing that was here


def is_used(home: Home, database: Path) -> bool:
    """Tell whether there is anything that a restored home would replace; `database` is what its memory becomes."""
    inside = [one for place in home.backed_up for one in (place.rglob("*") if place.is_dir() else [place])]
    is_there = database.exists() or store_path(load(home), home).exists()
    return is_there or any(one.is_file() for one in inside)


def _move_away(home: Home, aside: Path, coming: set[str]) -> None:
    """Move away what the backup does not have: notes, settings and skills that came after it."""
    for place in home.backed_up:
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        for file in files:
            if file.is_relative_to(home.root) and (file.is_file() or file.is_symlink()):
                name = file.relative_to(home.root).as_posix()
                if name not in coming:
                    _move(file, aside / name)


def _put_aside_database(place: Path, aside: Path) -> None:
    for suffix in ("", *_COMPANIONS):
        if beside(place, suffix).exists():
            _move(beside(place, suffix), beside(aside / form.DATABASE, suffix))


def _exchange(new: Path, place: Path, aside: Path) -> None:
    if os.path.lexists(place):
        _keep(place, aside)
    if aside.name == form.DATABASE:
        for suffix in _COMPANIONS:  # the log of the former database is no log of the new one
            if beside(place, suffix).exists():
                _move(beside(place, suffix), beside(aside, suffix))
    _move(new, place)


def _keep(file: Path, aside: Path) -> None:
    """Give a file a second name, so that the first is never without one; where that cannot be, move it."""
    aside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        os.link(file, aside, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_SECOND_NAME:
            raise
        _move(file, aside)


def _move(file: Path, target: Path) -> None:
    """Move a file, also to another disk: there it appears whole."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sync_file(file)
    try:
        file.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        copy = beside(target, _COPY)
        shutil.copy2(file, copy, follow_symlinks=False)
        sync_file(copy)
        copy.replace(target)
        file.unlink()
    sync_folder(target.parent)
