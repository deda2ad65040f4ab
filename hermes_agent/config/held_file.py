"""A file that one process holds: the lock goes with the process, however it ends."""

import fcntl
import os
from contextlib import ExitStack
from pathlib import Path

from hermes_agent.errors import HermesError


def take(held: ExitStack, path: Path) -> bool:
    """Hold a file until the stack is left; False if another process holds it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise HermesError(f"{path} cannot be opened: {error.strerror}.", hint="Check who owns it.") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return False
    held.callback(os.close, handle)
    return True
