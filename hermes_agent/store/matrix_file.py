"""The file that holds the rows of a matrix, vectors as small numbers or outlines, taken into memory and scanned.

Derived: everything in it is in the store. A head, then one record for each row, by id:

    head     64 bytes: magic, bytes of a row, how many records are whole, the id up to which the store's rows are
             in it, how many erasures it has followed, whose rows these are, a checksum of the records,
             a checksum of all this
    record   8 bytes id, then the row: a signed byte for each dimension, or eight bits; all little endian

Records are only ever added behind the others, and the head that counts them is written when they are on the
disk. So a reader never sees half of one, and what a kill or a power cut leaves behind is not counted. The one
change in place is an erasure, which turns a row into zeros. Processes take turns at writing with a lock on a
file beside it; they never wait for it to search.

A file of up to 64 MB is copied into memory, a larger one is mapped. We never cut a file: one that is to be
shorter is a new one. Whoever else cuts one while it is mapped and scanned ends the process that scans it.
"""

import fcntl
import mmap
import os
import stat
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy
from numpy.typing import NDArray

from hermes_agent.config.replace import locked, put_in_place

_MAGIC = b"HRMSVEC2"
_HEAD = struct.Struct("<8sIQqq16sI")
_CHECKSUM = struct.Struct("<I")
_HEAD_BYTES = 64
_BLOCK = 65_536
# A quarter of a million vectors of 256 dimensions. A million would take most of the memory we allow ourselves.
_LARGEST_COPY = 64 * 2**20

State = tuple[int, int, int]
Ids = NDArray[numpy.int64]
Rows = NDArray[numpy.int8]


@dataclass(frozen=True, slots=True)
class Head:
    """What a file says of itself."""

    count: int
    through: int
    erasures: int
    checksum: int


@dataclass(frozen=True, slots=True)
class Mapped:
    """A file as it was at one moment; `state` tells later whether it still is so.

    The file stays mapped if its rows were copied, too: so no other one gets its inode.
    """

    head: Head
    ids: Ids
    rows: Rows
    state: State
    mapping: mmap.mmap

    @property
    def inode(self) -> int:
        return self.state[0]


@dataclass(frozen=True, slots=True)
class MatrixFile:
    """Where the rows of one matrix are; `identity` says whose they are."""

    path: Path
    lock: Path
    identity: bytes
    width: int

    @property
    def record(self) -> numpy.dtype[numpy.void]:
        return numpy.dtype([("id", "<i8"), ("row", "i1", (self.width,))])

    def state(self) -> State | None:
        """Return what changes whenever the file does; None while there is none."""
        try:
            found = self.path.stat()
        except OSError:
            return None
        return _state_of(found)

    def map(self, known: Mapped | None = None) -> Mapped | None:
        """Take into memory what is there; None if there is nothing, or nothing of ours, or it is damaged.

        What was added to a file as it is `known` is verified alone.
        """
        try:
            # Not blocking: a pipe in its place would wait for somebody who writes.
            handle = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode):
                return None
            if known is not None and known.state == _state_of(found):
                return known
            mapping = mmap.mmap(handle, found.st_size, access=mmap.ACCESS_READ)
            data = mapping if found.st_size > _LARGEST_COPY else os.pread(handle, found.st_size, 0)
        except (OSError, ValueError):
            return None
        finally:
            os.close(handle)
        head = self._parse(data[:_HEAD_BYTES])
        verified = known.head if known is not None and known.inode == found.st_ino else None
        if head is None or not self._is_whole(data, head, verified):
            return None
        records = numpy.frombuffer(data, self.record, head.count, _HEAD_BYTES)
        return Mapped(head, records["id"], records["row"], _state_of(found), mapping)

    def begin(
        self, ids: Ids, rows: Rows, through: int, erasures: int, positions: NDArray[numpy.int64] | None = None
    ) -> None:
        """Put a new file in the place of whatever is there, with these records or those at some positions."""
        chosen = numpy.arange(len(ids)) if positions is None else positions
        checksum = 0
        with put_in_place(self.path, 0o600) as file:
            file.seek(_HEAD_BYTES)
            for start in range(0, len(chosen), _BLOCK):
                some = chosen[start : start + _BLOCK]
                data = self._records(ids[some], rows[some])
                checksum = zlib.crc32(data, checksum)
                file.write(data)
            file.seek(0)
            file.write(self._head(Head(len(chosen), through, erasures, checksum)))

    def append(self, head: Head, ids: Ids, rows: Rows, through: int) -> None:
        """Add records behind those that `head` counts."""
        data = self._records(ids, rows)
        with self.path.open("r+b") as file:
            file.seek(self._end(head.count))
            file.write(data)
            # Before the head: after a power cut it must not count what never reached the disk.
            file.flush()
            os.fsync(file.fileno())
            checksum = zlib.crc32(data, head.checksum)
            self._write_head(file.fileno(), Head(head.count + len(ids), through, head.erasures, checksum))

    def blank(self, head: Head, positions: NDArray[numpy.int64], erasures: int) -> None:
        """Turn rows into zeros; their ids stay."""
        zeros = bytes(self.width)
        with self.path.open("r+b") as file:
            for position in positions.tolist():
                os.pwrite(file.fileno(), zeros, self._end(position) + 8)
            os.fsync(file.fileno())
            checksum = self._checksum(file.fileno(), head.count) if len(positions) else head.checksum
            self._write_head(file.fileno(), replace(head, erasures=erasures, checksum=checksum))

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

    def _end(self, count: int) -> int:
        """Return where in the file so many records end."""
        return _HEAD_BYTES + count * self.record.itemsize

    def _is_whole(self, data: bytes | mmap.mmap, head: Head, verified: Head | None) -> bool:
        """Tell whether all records are there as they were written; measured, a million take 0.1 seconds."""
        if len(data) < self._end(head.count):
            return False
        start = checksum = 0
        # Only what is behind the known records is new. If nothing is, the file was changed by something else.
        if verified is not None and verified.erasures == head.erasures and verified.count < head.count:
            start, checksum = verified.count, verified.checksum
        return zlib.crc32(memoryview(data)[self._end(start) : self._end(head.count)], checksum) == head.checksum

    def _checksum(self, handle: int, count: int) -> int:
        checksum = 0
        for start in range(0, count, _BLOCK):
            length = self._end(min(start + _BLOCK, count)) - self._end(start)
            checksum = zlib.crc32(os.pread(handle, length, self._end(start)), checksum)
        return checksum

    def _records(self, ids: Ids, rows: Rows) -> bytes:
        made = numpy.empty(len(ids), self.record)
        made["id"], made["row"] = ids, rows
        return made.tobytes()

    def _write_head(self, handle: int, head: Head) -> None:
        os.pwrite(handle, self._head(head), 0)

    def _head(self, head: Head) -> bytes:
        numbers = (head.count, head.through, head.erasures)
        packed = _HEAD.pack(_MAGIC, self.width, *numbers, self.identity, head.checksum)
        return (packed + _CHECKSUM.pack(zlib.crc32(packed))).ljust(_HEAD_BYTES, b"\0")

    def _parse(self, data: bytes) -> Head | None:
        if len(data) < _HEAD_BYTES:
            return None
        packed = data[: _HEAD.size]
        (checksum,) = _CHECKSUM.unpack_from(data, _HEAD.size)
        magic, width, count, through, erasures, identity, of_records = _HEAD.unpack(packed)
        is_ours = (magic, width, identity) == (_MAGIC, self.width, self.identity)
        return Head(count, through, erasures, of_records) if is_ours and checksum == zlib.crc32(packed) else None


def _state_of(found: os.stat_result) -> State:
    return found.st_ino, found.st_size, found.st_mtime_ns


def _is_locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
