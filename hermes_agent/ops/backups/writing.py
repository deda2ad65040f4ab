"""Make a backup: read the home, pack and encrypt it as it is read, and put the file in place when it is whole.

The database is copied first, as it is at one moment; nobody who writes has to wait. Nothing of the home lies
anywhere in plain text but in the home itself.
"""

import hashlib
import io
import os
import stat
import tarfile
import threading
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO, cast

import pyrage

from hermes_agent import clock
from hermes_agent.config import held_folder, private
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import locked, put_in_place, replace_text
from hermes_agent.errors import HermesError
from hermes_agent.ops import own_files
from hermes_agent.ops.backups import beside, form, keys
from hermes_agent.ops.backups.form import Manifest, Member
from hermes_agent.ops.backups.keys import Lock
from hermes_agent.ops.steps import Step, finish
from hermes_agent.ops.whole import writing as whole
from hermes_agent.store import canonical
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store

_TEMPORARY = ".backup-"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Made:
    """A backup that was made."""

    path: Path
    size_bytes: int
    manifest: Manifest
    trouble: Sequence[str] = ()
    """What of the external memory is not in it, and why."""


def create(
    home: Home,
    store: Store,
    target: Path,
    lock: Lock,
    *,
    takes_free_name: bool = False,
    named: Sequence[Path] = (),
) -> Generator[Step, None, Made]:
    """Make a backup of a home; when this returns the file is whole and on the disk, readable by its owner only.

    A file that is there is replaced, unless the backup is to take the next free name. `named` are the paths of
    the external memory.
    """
    yield Step("Copying the memory", 0)
    with locked(home.backup_lock), held_folder.made(home.root, _TEMPORARY) as folder:
        copied, rows = _copied(store, folder)
        made_at, mark = clock.iso(clock.now()), form.mark_of(store.uid)
        own = own_files.of_home(home)
        told = Manifest(store.owner, made_at, version("hermes-agent"), HEAD, {}, rows, mark, own.left_out)
        others = beside.files_of(home, named, folder)
        files = [(copied.name, copied), *({**others.files, **own.files}).items()]
        yield Step("Packing", 0, len(files))
        target = form.free(target) if takes_free_name else target
        try:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with put_in_place(target, 0o600) as out:
                manifest = _pour(files, told, out, lock)
        except OSError as error:
            raise HermesError(f"{target} cannot be written: {error.strerror}.") from error
        except pyrage.EncryptError as error:  # what a failing disk says comes wrapped in it
            raise HermesError(f"{target} cannot be written: {error}.") from error
    if lock.is_own and home.sealed_backup_key.exists():
        sealed = home.sealed_backup_key.read_text(encoding="ascii")
        replace_text(keys.sealed_beside(target), sealed, mode=0o600)
    return Made(target, target.stat().st_size, manifest, others.trouble)


def _copied(store: Store, folder: Path) -> tuple[Path, dict[str, int]]:
    """Copy the memory as it is at one moment; return where, and how many rows each table of it has."""
    if not isinstance(store.engine, Sqlite):
        target = folder / form.MEMORY
        with target.open("wb") as out:
            return target, dict(finish(whole.export(store, out, {}, {})))
    target = folder / form.DATABASE
    with store.bare() as connection:
        store.engine.copy_to(connection, target)
    copied = replace(store.engine, path=target, is_readonly=True)
    with closing(Store(copied, store.owner)) as copy, copy.read() as connection:
        return target, {name: canonical.count(connection, name) for name in canonical.TABLES}


def _pour(files: list[tuple[str, Path]], told: Manifest, out: BinaryIO, lock: Lock) -> Manifest:
    """Pack in a thread and encrypt here, through a pipe: so a large home takes little memory."""
    packed: list[Manifest] = []
    trouble: list[Exception] = []
    reading, writing = os.pipe()

    def pack() -> None:
        try:
            with os.fdopen(writing, "wb") as end:
                packed.append(_pack(files, told, end))
        except (OSError, HermesError, tarfile.TarError) as error:
            trouble.append(error)

    thread = threading.Thread(target=pack, name="packing a backup")
    thread.start()
    try:
        with os.fdopen(reading, "rb") as begin:
            pyrage.encrypt_io(begin, out, list(lock.recipients))
    finally:
        thread.join()
    if trouble:
        raise trouble[0]
    return packed[0]


def _pack(files: list[tuple[str, Path]], told: Manifest, end: BinaryIO) -> Manifest:
    from backports import zstd

    members: dict[str, Member] = {}
    with zstd.ZstdFile(end, "wb") as out, tarfile.open(fileobj=cast(BinaryIO, out), mode="w|") as tar:
        for name, path in files:
            try:
                members[name] = _add(tar, name, path)
            except FileNotFoundError:
                if name in (form.DATABASE, form.MEMORY):
                    raise
                continue  # it went since: a skill that was just removed
        manifest = replace(told, files=members)
        text = form.written(manifest)
        tar.addfile(form.info(form.MANIFEST, len(text), 0o600), io.BytesIO(text))
    return manifest


def _add(tar: tarfile.TarFile, name: str, path: Path) -> Member:
    """Add a file as it is now: one that grows meanwhile is cut where it ended when it was opened."""
    with _reading(path):
        file: BinaryIO = path.open("rb")
    with file:
        state = os.fstat(file.fileno())
        mode = stat.S_IMODE(state.st_mode) & 0o700
        size, data = state.st_size, file
        if path.is_symlink():  # sealed under the name of what it leads to, it would not open under this one
            with _reading(path):
                whole = private.sealed(path, private.opened(path.resolve().name, file.read()))
            size, data = len(whole), io.BytesIO(whole)
        reader = _Digesting(data, size, path)
        tar.addfile(form.info(name, size, mode), cast(BinaryIO, reader))
        return Member(size, reader.digest.hexdigest(), mode)


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Say of which file it is that it cannot be read: otherwise the backup's own would be blamed."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise HermesError(f"{path} cannot be read: {error.strerror}.") from error


class _Digesting:
    """A file that is read once, and its checksum; where it became shorter, zeros stand for what is missing."""

    def __init__(self, file: BinaryIO, size: int, path: Path) -> None:
        self._file = file
        self._path = path
        self._left = size
        self.digest = hashlib.sha256()

    def read(self, size: int = _CHUNK) -> bytes:
        wanted = min(size, self._left)
        with _reading(self._path):
            data = self._file.read(wanted).ljust(wanted, b"\0")
        self._left -= wanted
        self.digest.update(data)
        return data
