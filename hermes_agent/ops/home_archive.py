"""Unpack the archive of a whole home: a zip, as the public product's backup is, a tar or a tar.gz.

Somebody may have made it to do harm, so it is refused whole, and what was unpacked goes, if a name in it leads
elsewhere, if it holds a link or a device, if it needs a password, is cut off, or unpacks to more than a home has.
Sizes are not believed: what is read is counted.
"""

import errno
import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Literal, NoReturn, cast

from hermes_agent.config import full_disk, held_folder, private
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.ops import room

Kind = Literal["zip", "tar", "tar.gz"]

_LONGEST_NAME = 200
_LONGEST_READ = 32 << 20
_CHUNK = 1 << 20
_BLOCK = 512
_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
_MARKS = ("state.db", "config.yaml", "SOUL.md", "memories", "skills", "MEMORY.md", "USER.md")
"""What tells the folder of a home from the folders above it."""
_OWN_LINK = "memory.db"
_UNPACKED = ".importing-home-"
_NOT = "{} was not imported"
_DAMAGED, _NOTHING = "it is damaged or cut off", "Nothing was written."


def kind_of(file: Path) -> Kind | None:
    """Tell what kind of archive a file is by its first bytes; None if it is none."""
    try:
        if not file.is_file():
            return None
        with file.open("rb") as opened:
            head = opened.read(_BLOCK)
    except OSError as error:
        raise HermesError(f"{file} cannot be read: {error.strerror}.") from error
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head.startswith(b"\x1f\x8b"):
        return "tar.gz"
    return "tar" if head[_TAR_MAGIC_AT:].startswith(_TAR_MAGIC) else None


@contextmanager
def unpacked(file: Path, kind: Kind, home: Home) -> Iterator[Path]:
    """Give the folder of the home in an archive; it goes with the block."""
    # On the disk of the home: a database may be larger than the system's folder takes. Not if that is encrypted.
    disk = next(one for one in (home.root, *home.root.parents) if one.is_dir())
    where = private.scratch(home) or disk
    held_folder.clear(home.root.parent, _UNPACKED)
    with held_folder.made(where, _UNPACKED) as folder:
        try:
            if kind == "zip":
                _unpack_zip(file, folder)
            else:
                _unpack_tar(file, folder, is_packed=kind == "tar.gz")
        except room.UNREADABLE as error:
            raise UsageError(f"{file} was not imported: {_DAMAGED}.", hint=_NOTHING) from error
        except OSError as error:
            if error.errno in (None, errno.EEXIST, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG):
                raise UsageError(f"{file} was not imported: {_DAMAGED}.", hint=_NOTHING) from error
            raise HermesError(f"{file} cannot be unpacked: {error.strerror}.") from error
        yield _home_in(folder, file)


def profiles_in(folder: Path) -> list[str]:
    """Return the names of the other profiles that an unpacked home holds."""
    inside = Home(folder, "").root / "profiles"
    return sorted(one.name for one in inside.iterdir() if one.is_dir()) if inside.is_dir() else []


def _unpack_zip(file: Path, folder: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        members = [one for one in archive.infolist() if not _is_link_of_ours(one)]
        for member in members:
            _check_name(file, member.filename)
            if member.flag_bits & 1:
                _refuse(file, "it needs a password", "Unpack it by hand, then: hermes import FOLDER")
            form = stat.S_IFMT(member.external_attr >> 16)
            if form not in (0, stat.S_IFREG, stat.S_IFDIR):
                _refuse(file, f"{member.filename!r} is a link or a device")
        budget = room.Budget(file.stat().st_size, _NOT.format(file))
        for member in members:
            budget.expect(member.file_size)
        full_disk.require(folder, budget.expected, _NOT.format(file))
        for member in members:
            if not member.is_dir():
                with archive.open(member) as data:
                    mode = member.external_attr >> 16
                    _write(folder, member.filename, cast(BinaryIO, data), budget, mode)


def _unpack_tar(file: Path, folder: Path, *, is_packed: bool) -> None:
    budget = room.Budget(file.stat().st_size, _NOT.format(file))
    with (
        file.open("rb") as raw,
        gzip.GzipFile(fileobj=raw) if is_packed else raw as stream,
        tarfile.open(fileobj=_Bounded(cast(BinaryIO, stream), file), mode="r:") as archive,
    ):
        for member in archive:
            _check_name(file, member.name)
            if member.isdir() or (member.issym() and _is_own_link(member.name)):
                continue
            if member.issparse():
                _refuse(file, f"{member.name!r} has holes", "Pack it without --sparse.")
            if not member.isfile():
                _refuse(file, f"{member.name!r} is a link or a device")
            budget.expect(member.size)
            data = archive.extractfile(member)
            assert data is not None, "an ordinary file has content"
            _write(folder, member.name, cast(BinaryIO, data), budget, member.mode)
        stream.seek(archive.offset)
        end = stream.read(_BLOCK)
        if len(end) < _BLOCK or any(end):
            _refuse(file, _DAMAGED)


class _Bounded(io.RawIOBase):
    """A stream from which nobody reads very much at once: headers that claim to be long would fill the memory."""

    def __init__(self, stream: BinaryIO, file: Path) -> None:
        self._stream = stream
        self._file = file

    def read(self, size: int = -1, /) -> bytes:
        if size < 0 or size > _LONGEST_READ:
            _refuse(self._file, _DAMAGED)
        return self._stream.read(size)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._stream.seek(offset, whence)

    def tell(self) -> int:
        return self._stream.tell()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True


def _check_name(file: Path, name: str) -> None:
    parts = PurePosixPath(name).parts
    leads_out = not parts or parts[0] == "/" or ".." in parts or ":" in parts[0]
    if name not in (".", "./") and (leads_out or not room.is_clean(name)):
        shown = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
        _refuse(file, f"{shown!r} leads out of it" if leads_out else f"{shown!r} is no name of a file in a home")


def _is_link_of_ours(member: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(member.external_attr >> 16) and _is_own_link(member.filename)


def _is_own_link(name: str) -> bool:
    """Tell whether a link is the one this program makes in a home: a second name of its database, passed over."""
    return PurePosixPath(name).name == _OWN_LINK


def _write(folder: Path, name: str, data: BinaryIO, budget: room.Budget, mode: int) -> None:
    target = folder.joinpath(*PurePosixPath(name).parts)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with target.open("xb") as out:
        while chunk := data.read(_CHUNK):
            budget.write(len(chunk))
            out.write(chunk)
    target.chmod(0o700 if mode & 0o100 else 0o600)


def _home_in(folder: Path, file: Path) -> Path:
    """Return the folder of the home, whatever folders stand above it in the archive."""
    level = [folder]
    while level:
        homes = [one for one in level if any((one / mark).exists() for mark in _MARKS)]
        if len(homes) > 1:
            names = ", ".join(str(one.relative_to(folder)) for one in homes)
            raise UsageError(f"{file} holds more than one home: {names}.", hint="Unpack it, then import one.")
        if homes:
            return homes[0]
        level = [inside for one in level for inside in sorted(one.iterdir()) if inside.is_dir()]
    raise UsageError(
        f"{file} was not imported: it holds nothing of Hermes.",
        hint="Give an archive of a whole home, its folder, or its state.db.",
    )


def _refuse(file: Path, reason: str, hint: str = _NOTHING) -> NoReturn:
    raise UsageError(f"{file} was not imported: {reason}.", hint=hint)
