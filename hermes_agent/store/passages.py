"""Vectors of messages and of their passages, compared once a message is a candidate. Derived.

They are never searched, only read for some messages at a time, so they are kept as small numbers: one value
for each message, in it one record for each vector:

    4 bytes  the scale, a float32, little endian
    then     a signed byte for each dimension; times the scale they are the vector

Record 0 is the whole message. Its passages follow, if it has more than one.
"""

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


def rows(records: bytes, dimensions: int) -> NDArray[numpy.int8]:
    """Read vectors back as the small numbers they are kept as."""
    found: NDArray[numpy.int8] = numpy.frombuffer(records, _record(dimensions))["row"]
    return found


def unpack(records: bytes, count: int) -> Floats:
    """Read vectors back from records of one length, so many of them."""
    found = numpy.frombuffer(records, _record(len(records) // count - _SCALE_BYTES))
    vectors: Floats = found["row"].astype(numpy.float32) * found["scale"][:, None]
    return vectors


def _record(dimensions: int) -> numpy.dtype[numpy.void]:
    return numpy.dtype([("scale", "<f4"), ("row", "i1", (dimensions,))])
