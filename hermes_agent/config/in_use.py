"""Who works in a home: everybody holds a lock together, and whoever converts the home must hold it alone.

A file that is exchanged under the feet of a process that has it open would take with it what that process writes.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError, Transient


def join(home: Home) -> int | None:
    """Hold the lock beside others until the handle is closed; None where a home cannot be written to."""
    try:
        handle = os.open(home.use_lock, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None  # a read-only home, or none yet: nobody converts it
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise Transient(
            f"{home.root} is just being encrypted or decrypted.", hint="Try again when that is done."
        ) from error
    except OSError:
        os.close(handle)
        return None  # a file system without locks
    return handle


@contextmanager
def alone(home: Home) -> Iterator[None]:
    """Hold the lock alone; HermesError while a chat, a daemon or another command works in the home."""
    try:
        handle = os.open(home.use_lock, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise HermesError(f"{home.use_lock} cannot be opened: {error.strerror}.") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise HermesError(
                f"{home.root} is in use: a chat, a daemon or another command is open.",
                hint="Close the chat; stop the daemon: hermes stop",
            ) from error
        yield
    finally:
        os.close(handle)
