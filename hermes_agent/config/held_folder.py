"""Folders for a while: each is held by whoever works in it, so that what a killed run left is told from others.

The lock is on the folder itself and goes with the process, however it ends.
"""

import fcntl
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hermes_agent.config import full_disk
from hermes_agent.errors import HermesError

_GIVEN = "[a-z0-9_]{8}"
"""What the system puts behind a prefix to make a name."""


@contextmanager
def made(where: Path, prefix: str) -> Iterator[Path]:
    """Give a folder that is ours until the block ends; those of the same prefix that nobody holds go first."""
    clear(where, prefix)
    folder, handle = _make(where, prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder until the block ends, also if it gets another name."""
    handle = _open(folder)
    try:
        with suppress(OSError):  # a disk without locks
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(handle)


def clear(where: Path, prefix: str) -> list[Path]:
    """Remove the folders that killed runs left, and return them; on a disk without locks they stay.

    What only begins like them is somebody else's.
    """
    gone: list[Path] = []
    ours = re.compile(re.escape(prefix) + _GIVEN)
    for left in [one for one in where.glob(f"{prefix}*") if ours.fullmatch(one.name)]:
        with suppress(OSError):  # somebody holds it, or it went meanwhile
            handle = _open(left)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(left, ignore_errors=True)
                gone.append(left)
            finally:
                os.close(handle)
    return gone


def _make(where: Path, prefix: str) -> tuple[Path, int]:
    """Make a folder and hold it; once more if another process took it for left before it was held."""
    while True:
        try:
            folder = Path(tempfile.mkdtemp(dir=where, prefix=prefix))
        except OSError as error:
            if full_disk.is_meant(error):
                raise full_disk.refusal(where) from error
            raise HermesError(f"No folder can be made in {where}: {error.strerror}.") from error
        with suppress(FileNotFoundError):
            handle = _open(folder)
            with suppress(OSError):  # a disk without locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            if folder.exists():
                return folder, handle
            os.close(handle)


def _open(folder: Path) -> int:
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
