"""Who is in a home: whoever has its memory open holds a lock, which goes when the process ends, however it ends.

Many may be in a home at once; whoever moves it, or puts another in its place, must be there alone. A memory that
lies in another folder may be used by other homes, too: then that folder has a lock of its own.
"""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import LOCK_SECONDS
from hermes_agent.errors import HermesError, LostStore, NotFound, Transient, UsageError

_LOOK_SECONDS = 0.02
_LOCKS = Path("/proc/locks")
"""Where Linux tells who holds which locks."""
_PID, _FILE = 4, 5
_MAY_NOT = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOENT)
"""What is said of a home that may not be written, or is not there yet."""


@contextmanager
def inside(home: Home) -> Iterator[None]:
    """Be in a home until the block ends; wait while somebody is there alone.

    A home that may not be written, or whose disk knows no locks, can be read all the same: nobody replaces it.
    """
    try:
        handle = os.open(home.presence, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno not in _MAY_NOT:
            raise HermesError(f"{home.presence} cannot be opened: {error.strerror}.") from error
        yield
        return
    try:
        _wait(handle, home)
        # While we waited the home may have got another name: what is there now is not what we locked.
        if not home.presence.exists() or not os.path.samestat(os.fstat(handle), home.presence.stat()):
            raise NotFound(f"The profile {home.profile!r} was just renamed.", hint="See: hermes profile list")
        yield
    finally:
        os.close(handle)


@contextmanager
def beside(database: Path | None, home: Home) -> Iterator[None]:
    """Be where the database of a home lies until the block ends, if that is not the home itself."""
    place = _folder_of(database, home)
    with ExitStack() as held:
        if place is not None:
            held.enter_context(inside(place))
        yield


@contextmanager
def alone(home: Home, database: Path | None = None) -> Iterator[None]:
    """Be in a home, and where its `database` lies, alone until the block ends; UsageError if others are there."""
    place = _folder_of(database, home)
    with ExitStack() as held:
        held.enter_context(_alone(home))
        if place is not None and place.root.is_dir():
            held.enter_context(_alone(place))
        yield


def refuse_gone(home: Home) -> None:
    """Refuse to go on in a home that is not there any more, for whoever found it there when they began."""
    if not home.root.is_dir():
        raise LostStore(
            f"{home.root} is not there any more: it was moved or deleted while this program runs.",
            hint="Nothing was written. Put it back where it was; or end this program"
            f" (process {os.getpid()}) and start it anew.",
        )


@contextmanager
def _alone(home: Home) -> Iterator[None]:
    try:
        handle = os.open(home.presence, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise HermesError(f"{home.presence} cannot be opened: {error.strerror}.") from error
    try:
        if not _lock(handle, fcntl.LOCK_EX):
            who = _holders(handle)
            named = f"Process {who[0]} is" if len(who) == 1 else "Other processes are"
            raise UsageError(
                f"{named} using {home.root}.",
                hint="End it first: a chat with /quit, the daemon with hermes stop. Nothing was changed.",
            )
        yield
    finally:
        os.close(handle)


def _folder_of(database: Path | None, home: Home) -> Home | None:
    """Return the folder of a database as a place that one can be in; None if there is none but the home."""
    is_elsewhere = database is not None and database.parent.resolve() != home.root.resolve()
    return Home(database.parent, home.profile) if database is not None and is_elsewhere else None


def _wait(handle: int, home: Home) -> None:
    deadline = clock.monotonic() + LOCK_SECONDS
    with suppress(OSError):  # a disk without locks
        while not _lock(handle, fcntl.LOCK_SH):
            if clock.monotonic() > deadline:
                raise Transient(
                    f"{home.root} is being restored, renamed or encrypted.", hint="Try again when that is done."
                )
            clock.sleep(_LOOK_SECONDS)


def _lock(handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holders(handle: int) -> list[int]:
    """Return the processes that hold the lock, as far as the system tells."""
    number = str(os.fstat(handle).st_ino)
    try:
        lines = [line.split() for line in _LOCKS.read_text(encoding="ascii").splitlines()]
    except (OSError, ValueError):
        return []
    held = [one for one in lines if len(one) > _FILE and "FLOCK" in one and "->" not in one]
    return sorted({int(one[_PID]) for one in held if one[_FILE].rpartition(":")[2] == number})
