"""Write and remove files below a folder, and never follow a link out of it.

Every folder on the way is opened from the one above it without following a link, and a file is put into its
place by a rename inside the folder that was opened: a link that is swapped in meanwhile leads nowhere. Comparing
resolved paths just before would leave that moment open. A link that is in the way gives way to what is written;
what it leads to is not touched.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath

from hermes_agent.config import private
from hermes_agent.config.replace import to_bytes
from hermes_agent.crypto import sealing
from hermes_agent.crypto.sealing import OVERHEAD
from hermes_agent.errors import SettingError

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# Opening a pipe must not wait for somebody to write into it.
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CLOSED_TO_OTHERS = 0o600
_BEGUN = ".hermes-fresh"
"""A file that is being written; a name made of the file's own could be longer than a name may be."""


def write(folder: Path, name: str, text: str) -> None:
    """Bring a file to hold a text; it keeps its mode, and a new one is closed to other users.

    Only one process at a time may write below a folder: what a kill left of a file is found by its name.
    """
    data, path = to_bytes(folder / name, text), PurePosixPath(name)
    if path.name in ("", ".."):
        raise SettingError(f"{name!r} is no file of {folder}.")
    with _opened(folder, path.parent.parts, is_made=True) as handle:
        with suppress(FileNotFoundError):
            os.unlink(_BEGUN, dir_fd=handle)
        former = _mode_and_bytes(handle, path.name, len(data) + OVERHEAD)
        sealed = private.sealed(folder / name, data)
        if former is not None and _is_same(former[1], data, path.name, is_sealed=sealed is not data):
            return
        if former is not None and not os.access(path.name, os.W_OK, dir_fd=handle):
            raise SettingError(f"{folder / name} may not be written.", hint=f"Run `chmod u+w {folder / name}`.")
        with os.fdopen(os.open(_BEGUN, _FRESH, _CLOSED_TO_OTHERS, dir_fd=handle), "wb") as file:
            file.write(sealed)
            file.flush()
            os.fchmod(file.fileno(), _CLOSED_TO_OTHERS if former is None else former[0])
            os.fsync(file.fileno())
        os.rename(_BEGUN, path.name, src_dir_fd=handle, dst_dir_fd=handle)
        os.fsync(handle)


def remove(folder: Path, name: str) -> None:
    """Remove a file, and the folders inside that are empty then; what lies behind a link is not there."""
    *above, last = PurePosixPath(name).parts
    with suppress(FileNotFoundError, NotADirectoryError), _opened(folder, above, is_made=False) as handle:
        os.unlink(last, dir_fd=handle)
    while above:
        *above, last = above
        try:
            with _opened(folder, above, is_made=False) as handle:
                os.rmdir(last, dir_fd=handle)
        except OSError:  # it holds something, is a link, or is not there
            return


def _is_same(former: bytes, data: bytes, name: str, *, is_sealed: bool) -> bool:
    """Tell whether a file holds the data in the way it should: a plain one in an encrypted home is sealed anew."""
    try:
        return private.opened(name, former) == data and sealing.is_sealed(former) == is_sealed
    except PermissionError:
        return False


@contextmanager
def _opened(folder: Path, parts: Sequence[str], *, is_made: bool) -> Iterator[int]:
    """Open a folder below another, step by step, and never one above."""
    if any(part in ("..", "/") for part in parts):
        raise SettingError(f"{'/'.join(parts)!r} leads out of {folder}.")
    handle = os.open(folder, _FOLDER)
    try:
        for part in parts:
            inner = _entered(handle, part, is_made=is_made)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        os.close(handle)


def _entered(handle: int, name: str, *, is_made: bool) -> int:
    try:
        return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=handle)
    except OSError as error:
        if error.errno == errno.ELOOP:  # said of a link by some systems; others say that it is no folder
            error = NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), name)
        is_missing = isinstance(error, FileNotFoundError)
        if not is_made or not (is_missing or _is_link(handle, name)):
            raise error from None
        if not is_missing:
            os.unlink(name, dir_fd=handle)
    os.mkdir(name, dir_fd=handle)
    return os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=handle)


def _is_link(handle: int, name: str) -> bool:
    return stat.S_ISLNK(os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode)


def _mode_and_bytes(handle: int, name: str, length: int) -> tuple[int, bytes] | None:
    """Return the mode of a file and what it holds, to one byte more than the length; None if none is there."""
    try:
        opened = os.open(name, _READ, dir_fd=handle)
    except FileNotFoundError:
        return None
    except OSError:
        found = os.stat(name, dir_fd=handle, follow_symlinks=False)
        # A file that is closed to us is there all the same.
        return (stat.S_IMODE(found.st_mode), b"") if stat.S_ISREG(found.st_mode) else None
    with os.fdopen(opened, "rb") as file:
        found = os.fstat(opened)
        if not stat.S_ISREG(found.st_mode):
            return None
        return stat.S_IMODE(found.st_mode), file.read(length + 1)
