"""Reading the bytes of a database without taking its locks away.

A process that closes any handle of a file loses all the locks it has on that file (POSIX). SQLite's would be gone:
the next program that opens the database takes itself for the only one, folds the log and deletes it, and what this
process writes from then on is lost. So what this process has open is read by another one.
"""

import errno
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_HANDLES = Path("/dev/fd")
_DATABASE = re.compile(r".*\.(db|sqlite3?)(-wal|-shm|-journal)?")
_COPY = """
import shutil, sys
try:
    shutil.copyfileobj(open(sys.argv[1], "rb"), sys.stdout.buffer, 1 << 20)
except OSError as error:
    sys.exit(str(error.errno))
"""
"""Writes a file to its output; why that cannot be done is the number it says instead."""
_PART = 1 << 20
opening = threading.Lock()
"""Held while a database is opened, and while `head` reads one that is open nowhere here: closed, that would
take the locks away of a database that was opened meanwhile."""


def parts(file: Path, size: int = _PART) -> Iterator[bytes]:
    """Yield the bytes of a file, some at a time. OSError if it cannot be read."""
    if is_lockable(file):
        yield from _parts_beside(file, size)
        return
    with file.open("rb") as opened:
        while part := opened.read(size):
            yield part


def _parts_beside(file: Path, size: int) -> Iterator[bytes]:
    """Let another process read a file."""
    import subprocess  # here: a command that only opens its store does not need it

    command = [sys.executable, "-I", "-S", "-c", _COPY, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        try:
            while part := process.stdout.read(size):
                yield part
            if process.wait():
                raise _unread(file, process.stderr.read().decode("utf-8", "replace").strip())
        finally:
            process.kill()


def _unread(file: Path, said: str) -> OSError:
    """Return the error that another process met, as if it were met here."""
    if said.isdecimal():
        return OSError(int(said), os.strerror(int(said)), str(file))
    return OSError(errno.EIO, said.rpartition("\n")[2] or os.strerror(errno.EIO), str(file))


def head(file: Path, length: int) -> bytes:
    """Return the first bytes of a file; one that is not open here yet is read quickly."""
    with opening:
        if _is_open_here(file) is False:
            with file.open("rb") as opened:
                return opened.read(length)
    return next(_parts_beside(file, length), b"")


def is_lockable(file: Path) -> bool:
    """Tell whether this process may have locks on a file: where nobody tells what it has open, on every file."""
    return _is_named_so(file) or _is_open_here(file) is not False


def is_database(file: Path) -> bool:
    """Tell whether a file is named like a database, or is known to be open here."""
    return _is_named_so(file) or _is_open_here(file) is True


def _is_named_so(file: Path) -> bool:
    return _DATABASE.fullmatch(file.name) is not None


def _is_open_here(file: Path) -> bool | None:
    """Tell whether this process has a file open; None where nobody tells."""
    state = file.stat()
    if not _HANDLES.is_dir():
        return None
    for handle in _HANDLES.iterdir():
        with suppress(OSError):  # closed meanwhile
            if os.path.samestat(state, os.fstat(int(handle.name))):
                return True
    return False
