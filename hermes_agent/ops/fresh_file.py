"""Write a file that is whole or not there: beside its place first, then put into it, closed to others."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hermes_agent.errors import HermesError, UsageError


@contextmanager
def fresh_file(path: Path, *, overwrites: bool = False) -> Iterator[BinaryIO]:
    """Give a file to write to; when the block ends well it stands at `path`, on the disk, mode 0600."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise UsageError(f"{path} is not a file.", hint="To print instead of writing a file use: -")
    if target.exists() and not overwrites:
        raise UsageError(f"{path} exists already.", hint="Add --force to replace it.")
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        fresh = Path(name)
        try:
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)
        sync_folder(target.parent)
    except OSError as error:
        raise HermesError(f"{path} cannot be written: {error.strerror}.") from error


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
