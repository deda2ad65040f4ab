"""Vectors of messages and of their passages, compared once a message is a candidate. Derived.

They are never searched, only read for some messages at a time, so they are kept as small numbers: one value
for each message, in it one record for each vector:

    4 bytes  the scale, a float32, little endian
    then     a signed byte for each dimension; times the scale they are the vector

Record 0 is the whole message. Its passages follow, if it has more than one. Of an old message a sketch carries a
bit for each dimension only (`shrunk`).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray
from sqlalchemy import Connection, bindparam, delete, select

from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import passages

Floats = NDArray[numpy.float32]

_SCALE_BYTES = 4
_SHRUNK_BYTES = 64
"""A gist is longer, one that is shrunk is not: our own model has 256 dimensions."""
_ROUNDING = math.sqrt(math.pi / 2)
"""How much nearer two directions are than their signs say."""

_MINE = passages.c.fingerprint_id == bindparam("fingerprint")
_REPLACED = delete(passages).where(_MINE, is_in(passages.c.message_id))
_OF_MESSAGES = select(passages.c.message_id, passages.c.vectors).where(_MINE, is_in(passages.c.message_id))


@dataclass(frozen=True, slots=True)
class Passages:
    """The vectors of some messages, one below the other: `row_counts[i]` rows belong to `message_ids[i]`.

    A message that has none is not listed.
    """

    message_ids: NDArray[numpy.int64]
    row_counts: NDArray[numpy.int64]
    rows: NDArray[numpy.int8]
    scales: Floats


def put(connection: Connection, fingerprint_id: int, new: Mapping[int, Floats]) -> None:
    """Keep the vectors of each message, in place of those it had."""
    if not new:
        return
    connection.execute(_REPLACED, {"fingerprint": fingerprint_id, "ids": new})
    fresh = insert_fresh(connection, passages, ("fingerprint_id", "message_id"))
    rows = [
        {"fingerprint_id": fingerprint_id, "message_id": message_id, "vectors": pack(vectors)}
        for message_id, vectors in new.items()
    ]
    connection.execute(fresh, rows)


def of_messages(connection: Connection, fingerprint_id: int, dimensions: int, ids: Sequence[int]) -> Passages:
    """Return the vectors of these messages."""
    found = connection.execute(_OF_MESSAGES, {"fingerprint": fingerprint_id, "ids": ids}).all()
    record = _record(dimensions)
    whole = [(message_id, data) for message_id, data in found if len(data) % record.itemsize == 0]
    records = numpy.frombuffer(b"".join([data for _, data in whole]), record)
    return Passages(
        numpy.array([message_id for message_id, _ in whole], numpy.int64),
        numpy.array([len(data) // record.itemsize for _, data in whole], numpy.int64),
        numpy.ascontiguousarray(records["row"]),
        numpy.ascontiguousarray(records["scale"]),
    )


def pack(vectors: Floats) -> bytes:
    """Write vectors as records."""
    largest = numpy.abs(vectors).max(axis=1)
    records = numpy.zeros(len(vectors), _record(vectors.shape[1]))
    records["scale"] = largest / 127
    records["row"] = numpy.rint(vectors / numpy.where(largest == 0, 1, largest / 127)[:, None])
    return records.tobytes()


def shrunk(record: bytes) -> bytes:
    """Keep of a packed vector which way it points in each dimension: a bit for each."""
    if len(record) <= _SHRUNK_BYTES:
        return record
    row: NDArray[numpy.int8] = numpy.frombuffer(record, _record(len(record) - _SCALE_BYTES))["row"][0]
    return numpy.packbits(row > 0).tobytes()


def gists(records: Sequence[bytes]) -> Floats:
    """Read vectors back, whole or shrunk; of a shrunk one the cosines are about those of the whole."""
    is_shrunk = numpy.array([len(record) <= _SHRUNK_BYTES for record in records], bool)
    dimensions = len(records[0]) * 8 if is_shrunk[0] else len(records[0]) - _SCALE_BYTES
    found: Floats = numpy.empty((len(records), dimensions), numpy.float32)
    if is_shrunk.any():
        small = b"".join(record for record in records if len(record) <= _SHRUNK_BYTES)
        bits = numpy.unpackbits(numpy.frombuffer(small, numpy.uint8)).reshape(-1, dimensions)
        found[is_shrunk] = (bits.astype(numpy.float32) * 2 - 1) * numpy.float32(_ROUNDING / math.sqrt(dimensions))
    if not is_shrunk.all():
        whole = [record for record in records if len(record) > _SHRUNK_BYTES]
        found[~is_shrunk] = unpack(b"".join(whole), len(whole))
    return found


def unpack(records: bytes, count: int) -> Floats:
    """Read vectors back from records of one length, so many of them."""
    found = numpy.frombuffer(records, _record(len(records) // count - _SCALE_BYTES))
    vectors: Floats = found["row"].astype(numpy.float32) * found["scale"][:, None]
    return vectors


def _record(dimensions: int) -> numpy.dtype[numpy.void]:
    return numpy.dtype([("scale", "<f4"), ("row", "i1", (dimensions,))])
