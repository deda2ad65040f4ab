"""The file that holds a fingerprint's vectors as rows of small numbers, mapped into memory and scanned.

Derived: everything in it is in the store. A head, then one record for each vector, by id:

    head     64 bytes: magic, dimensions, how many records are whole, the id up to which the store's rows are
             in it, how many erasures it has followed, whose vectors these are, a checksum of all this
    record   8 bytes id, then a signed byte for each dimension; all little endian

Records are only ever added behind the others, and the head that counts them is written when they are on the
disk. So a reader never sees half of one, and what a kill or a power cut leaves behind is not counted. The one
change in place is an erasure, which turns a row into zeros. Processes take turns at writing with a lock on a
file beside it; they never wait for it to search.
"""

import fcntl
import mmap
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy
from numpy.typing import NDArray

from hermes_agent.config.replace import locked, put_in_place

_MAGIC = b"HRMSVEC1"
_HEAD = struct.Struct("<8sIQqq16s")
_CHECKSUM = struct.Struct("<I")
_HEAD_BYTES = 64
_BLOCK = 65_536

State = tuple[int, int, int]
Ids = NDArray[numpy.int64]
Rows = NDArray[numpy.int8]


@dataclass(frozen=True, slots=True)
class Head:
    """What a file says of itself."""

    count: int
    through: int
    erasures: int


@dataclass(frozen=True, slots=True)
class Mapped:
    """A file as it was at one moment; `state` tells later whether it still is so."""

    head: Head
    ids: Ids
    rows: Rows
    state: State

    @property
    def inode(self) -> int:
        return self.state[0]


@dataclass(frozen=True, slots=True)
class MatrixFile:
    """Where the rows of one set of vectors are; `identity` says whose they are."""

    path: Path
    lock: Path
    identity: bytes
    dimensions: int

    @property
    def record(self) -> numpy.dtype[numpy.void]:
        return numpy.dtype([("id", "<i8"), ("row", "i1", (self.dimensions,))])

    def state(self) -> State | None:
        """Return what changes whenever the file does; None while there is none."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def map(self) -> Mapped | None:
        """Map what is there; None if there is nothing, or nothing of ours."""
        try:
            with self.path.open("rb") as file:
                found = os.fstat(file.fileno())
                head = self._parse(file.read(_HEAD_BYTES))
                if head is None:
                    return None
                whole = min(head.count, (found.st_size - _HEAD_BYTES) // self.record.itemsize)
                if whole <= 0:
                    return None
                data = mmap.mmap(
                    file.fileno(), _HEAD_BYTES + whole * self.record.itemsize, access=mmap.ACCESS_READ
                )
        except (OSError, ValueError):
            return None
        records = numpy.frombuffer(data, self.record, whole, _HEAD_BYTES)
        ids = records["id"]
        if whole < head.count:  # somebody cut it; what is left of it is good
            head = replace(head, count=whole, through=int(ids[-1]))
        return Mapped(head, ids, records["row"], (found.st_ino, found.st_size, found.st_mtime_ns))

    def begin(
        self, ids: Ids, rows: Rows, through: int, erasures: int, positions: NDArray[numpy.int64] | None = None
    ) -> None:
        """Put a new file in the place of whatever is there, with these records or those at some positions."""
        chosen = numpy.arange(len(ids)) if positions is None else positions
        with put_in_place(self.path, 0o600) as file:
            file.write(self._head(Head(len(chosen), through, erasures)))
            for start in range(0, len(chosen), _BLOCK):
                some = chosen[start : start + _BLOCK]
                file.write(self._records(ids[some], rows[some]))

    def append(self, head: Head, ids: Ids, rows: Rows, through: int) -> None:
        """Add records behind those that `head` counts."""
        with self.path.open("r+b") as file:
            file.seek(_HEAD_BYTES + head.count * self.record.itemsize)
            file.write(self._records(ids, rows))
            # Before the head: after a power cut it must not count what never reached the disk.
            file.flush()
            os.fsync(file.fileno())
            self._write_head(file.fileno(), Head(head.count + len(ids), through, head.erasures))

    def blank(self, head: Head, positions: NDArray[numpy.int64], erasures: int) -> None:
        """Turn rows into zeros, for everyone who has the file mapped, too; their ids stay."""
        zeros = bytes(self.dimensions)
        with self.path.open("r+b") as file:
            for position in positions.tolist():
                os.pwrite(file.fileno(), zeros, _HEAD_BYTES + position * self.record.itemsize + 8)
            os.fsync(file.fileno())
            self._write_head(file.fileno(), replace(head, erasures=erasures))

    @contextmanager
    def writing(self) -> Iterator[bool]:
        """Hold the right to write; False if another process has it, or nothing can be written here."""
        try:
            handle = os.open(self.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            yield False
            return
        try:
            yield _is_locked(handle)
        finally:
            os.close(handle)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for the right to write, and hold it."""
        with locked(self.lock):
            yield

    def _records(self, ids: Ids, rows: Rows) -> bytes:
        made = numpy.empty(len(ids), self.record)
        made["id"], made["row"] = ids, rows
        return made.tobytes()

    def _write_head(self, handle: int, head: Head) -> None:
        os.pwrite(handle, self._head(head), 0)

    def _head(self, head: Head) -> bytes:
        packed = _HEAD.pack(_MAGIC, self.dimensions, head.count, head.through, head.erasures, self.identity)
        return (packed + _CHECKSUM.pack(zlib.crc32(packed))).ljust(_HEAD_BYTES, b"\0")

    def _parse(self, data: bytes) -> Head | None:
        if len(data) < _HEAD_BYTES:
            return None
        packed = data[: _HEAD.size]
        (checksum,) = _CHECKSUM.unpack_from(data, _HEAD.size)
        magic, dimensions, count, through, erasures, identity = _HEAD.unpack(packed)
        is_ours = (magic, dimensions, identity) == (_MAGIC, self.dimensions, self.identity)
        return Head(count, through, erasures) if is_ours and checksum == zlib.crc32(packed) else None


def _is_locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
