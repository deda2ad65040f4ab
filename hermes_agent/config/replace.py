"""Change a file so that a reader sees the old text or the new text, never a half of either."""

import contextlib
import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from hermes_agent import clock
from hermes_agent.config import full_disk
from hermes_agent.errors import SettingError, Transient

_LOCK = ".lock"
LOCK_SECONDS = 10.0
_ASIDE = "put_back"
"""As long as what the system puts behind a name: who tidies up half a write takes this for one."""
_HALF = re.compile(r"\.(.+)\.[a-z0-9_]{8}")


def replace_text(path: Path, text: str, *, mode: int | None = None) -> None:
    """Write the text beside the file, then put it in its place; a link keeps pointing to its target.

    The file keeps its mode unless one is given; a new file is closed to other users.
    """
    replace_bytes(path, to_bytes(path, text), mode=mode)


def replace_bytes(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Do the same with bytes."""
    target = path.resolve()
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise SettingError(f"{path} may not be written.", hint=f"Run `chmod u+w {path}`.")
        if mode is None:
            mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
        with put_in_place(target, mode) as file:
            file.write(data)
    except OSError as error:
        if full_disk.is_meant(error):
            raise full_disk.refusal(path) from error
        raise SettingError(f"{path} cannot be written: {error.strerror}.") from error


def to_bytes(path: Path, text: str) -> bytes:
    """Return what a file holds that is written with a text."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise SettingError(f"Half a character cannot be written to {path}.") from error


@contextlib.contextmanager
def put_in_place(target: Path, mode: int) -> Iterator[BinaryIO]:
    """Give a file to write to; when the block ends well it stands at `target`, whole and on the disk."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
    sync_folder(target.parent)


@contextlib.contextmanager
def put_back(path: Path) -> Iterator[None]:
    """Let a file be what it was, to the byte, if the block fails; that needs no room on the disk.

    Who is killed in the block leaves the file as it is then, and beside it what looks like half a write.
    """
    target = path.resolve()
    aside = target.with_name(f".{target.name}.{_ASIDE}")
    try:
        aside.unlink(missing_ok=True)
        try:
            os.link(target, aside)
        except OSError:  # a disk without links: what finds no room is refused before anything is changed
            shutil.copy2(target, aside)
    except OSError as error:
        aside.unlink(missing_ok=True)
        if full_disk.is_meant(error):
            raise full_disk.refusal(path) from error
        raise SettingError(f"{path} cannot be kept aside: {error.strerror}.") from error
    is_kept = False
    try:
        yield
        is_kept = True
    finally:
        if is_kept:
            aside.unlink(missing_ok=True)
        else:
            aside.replace(target)


def half_of(path: Path) -> str | None:
    """Return the name of the file that was being replaced when its writer was killed; None if this is no half."""
    found = _HALF.fullmatch(path.name)
    return None if found is None else found[1]


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    _sync(folder)


def sync_file(file: Path) -> None:
    """Bring what a file holds to the disk; a link holds nothing of its own."""
    if not file.is_symlink():
        _sync(file)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked(lock: Path) -> Iterator[None]:
    """Keep other processes from changing the same files until the block ends."""
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if full_disk.is_meant(error):
            raise full_disk.refusal(lock) from error
        raise SettingError(f"{lock} cannot be opened: {error.strerror}.") from error
    try:
        _wait_for(handle, lock)
        yield
    finally:
        os.close(handle)


def is_lock(file: Path) -> bool:
    """Tell whether a file is one that is held while others are written: empty; the uv.lock of a skill is not."""
    return file.name.endswith(_LOCK) and file.stat().st_size == 0


def _wait_for(handle: int, lock: Path) -> None:
    deadline = clock.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if clock.monotonic() > deadline:
                raise Transient(
                    f"Another process has been changing the same file for {LOCK_SECONDS:.0f} seconds.",
                    hint=f"Try again; {lock} is held.",
                ) from error
            clock.sleep(0.01)
