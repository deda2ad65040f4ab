"""When a file finds no room: told in one sentence, whoever was writing it."""

import errno
from pathlib import Path

from hermes_agent.errors import StoreFull

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def is_meant(error: Exception) -> bool:
    """Tell whether the disk, or what its owner may use of it, is full."""
    return isinstance(error, OSError) and error.errno in _NO_ROOM


def refusal(path: Path | None = None) -> StoreFull:
    """Return the error for it; without a path where nobody knows which file it was."""
    what = "The disk is full" if path is None else f"The disk of {path} is full"
    return StoreFull(f"{what}.", hint="Make room and try again; nothing of this change was kept.")
