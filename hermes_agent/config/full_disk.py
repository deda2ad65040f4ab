"""When a file finds no room, or would find none: told in one sentence, whoever was writing it."""

import errno
import shutil
from pathlib import Path

from hermes_agent.errors import HermesError, StoreFull
from hermes_agent.text.quantities import size as shown

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_LEFT = 64 << 20
"""So much stays free for whoever else writes, if nothing less is enough for them."""

_LITTLE = 1 << 20
"""No change is much larger than this."""


def is_meant(error: BaseException) -> bool:
    """Tell whether the disk, or what its owner may use of it, is full."""
    return isinstance(error, OSError) and error.errno in _NO_ROOM


def refusal(path: Path | None = None) -> StoreFull:
    """Return the error for it; without a path where nobody knows which file it was."""
    what = "The disk is full" if path is None else f"The disk of {path} is full"
    return StoreFull(f"{what}.", hint="Make room and try again; nothing of this change was kept.")


def is_near(folder: Path) -> bool:
    """Tell whether so little is free on the disk of a folder that a change may find no room."""
    try:
        return shutil.disk_usage(folder).free < _LITTLE
    except OSError:
        return False


def require(folder: Path, size: int, what: str, *, left: int = _LEFT) -> None:
    """Refuse to write so many bytes to the disk of a folder if they would fill it."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise HermesError(f"{what}: {folder} cannot be looked at: {error.strerror}.") from error
    if size + left > free:
        raise StoreFull(
            f"{what}: it needs {shown(size)}, and {shown(free)} are free on the disk of {folder}.",
            hint="Make room and try again. Nothing was changed.",
        )
