"""Who works in a home: each process holds a lock on one file of it, shared with the others, until it is done.

Only who wants to move the home away needs it for itself, and is refused while somebody is there. The lock goes
with the process, however that ends.
"""

import contextlib
import fcntl
import os
from collections.abc import Iterator

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.errors import NotFound, Transient, UsageError

_PATIENCE_SECONDS = 10.0
_LOOK_SECONDS = 0.01


@contextlib.contextmanager
def using(home: Home) -> Iterator[None]:
    """Work in a home until the block ends; where nothing may be written, nobody can move it either."""
    handle = _open(home)
    if handle is None:
        yield
        return
    try:
        _share(handle, home)
        yield
    finally:
        os.close(handle)


@contextlib.contextmanager
def alone(home: Home) -> Iterator[None]:
    """Have a home for oneself until the block ends, or be refused."""
    handle = _open(home)
    if handle is None:
        raise UsageError(f"{home.root} may not be written.", hint="Check who owns it.")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise UsageError(
            f"The profile {home.profile!r} is in use: a chat or another command works in it.",
            hint="End it, then try again.",
        ) from error
    finally:
        os.close(handle)


def _open(home: Home) -> int | None:
    try:
        return os.open(home.in_use, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None


def _share(handle: int, home: Home) -> None:
    deadline = clock.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            break
        except BlockingIOError as error:
            if clock.monotonic() > deadline:
                raise Transient(f"The profile {home.profile!r} is being renamed.", hint="Try again.") from error
            clock.sleep(_LOOK_SECONDS)
        except OSError:
            return  # a file system without locks
    # While we waited the home may have got another name: what is there now is not what we locked.
    if not home.in_use.exists() or not os.path.samestat(os.fstat(handle), home.in_use.stat()):
        raise NotFound(f"The profile {home.profile!r} was just renamed.", hint="See: hermes profile list")
