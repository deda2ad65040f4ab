"""Where the rows of a matrix come from: a table, which of its rows, and what each of them is in the matrix.

A row of such a table never changes: what takes its place is a new row with a higher id, which no row had before.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy
from sqlalchemy import Connection

from hermes_agent.store.matrix_file import Ids, Rows
from hermes_agent.store.matrix_rows import Part
from hermes_agent.store.nearness import Floats
from hermes_agent.store.types import BITS


class Stored(NamedTuple):
    """A row as the store has it: whose it is, and what is kept of it."""

    id: int
    item: int
    kept: bytes


@dataclass(frozen=True, slots=True)
class Source:
    """Rows of a table: those with the values in `whose`; `item` and `kept` are columns.

    What is kept of a row has `kept_bytes`, in the matrix it has `width`; `read` makes one of the other.
    """

    table: str
    item: str
    kept: str
    whose: Mapping[str, int | str]
    kept_bytes: int
    width: int
    read: Callable[[bytes], Rows]

    def after(self, connection: Connection, through: int, last: int, limit: int) -> Part:
        """Return the next rows behind an id, by id; a limit of -1 is none."""
        found = connection.exec_driver_sql(
            f"SELECT id, {self.kept} FROM {self.table} WHERE id > ? AND id <= ?{self._is_fit} ORDER BY id LIMIT ?",
            (through, last, *self.whose.values(), self.kept_bytes, limit),
        ).all()
        ids = numpy.fromiter((row[0] for row in found), numpy.int64, len(found))
        return Part(ids, self.read(b"".join(row[1] for row in found)))

    def fetch(self, connection: Connection, ids: Sequence[int]) -> list[Stored]:
        """Return those of the rows that the store has."""
        found = connection.exec_driver_sql(
            f"SELECT id, {self.item}, {self.kept} FROM {self.table}"
            f" WHERE id IN (SELECT value FROM json_each(?)){self._is_fit}",
            (json.dumps(ids), *self.whose.values(), self.kept_bytes),
        )
        return [Stored(*row) for row in found.all()]

    def ids(self, connection: Connection) -> Ids:
        """Return the ids of all rows."""
        found = connection.exec_driver_sql(f"SELECT id FROM {self._mine}", tuple(self.whose.values())).scalars()
        return numpy.fromiter(found, numpy.int64)

    def count(self, connection: Connection) -> int:
        """Count the rows."""
        found = connection.exec_driver_sql(f"SELECT count(*) FROM {self._mine}", tuple(self.whose.values()))
        return int(found.scalar_one())

    def last_id(self, connection: Connection) -> int:
        """Return the highest id a row of the table ever had, as far as this reader sees."""
        query = "SELECT seq FROM sqlite_sequence WHERE name = ?"
        return int(connection.exec_driver_sql(query, (self.table,)).scalar() or 0)

    @property
    def _is_fit(self) -> str:
        # The plus keeps SQLite from using the index by item: rows are wanted by id.
        mine = "".join(f" AND +{column} = ?" for column in self.whose)
        return f"{mine} AND length({self.kept}) = ?"

    @property
    def _mine(self) -> str:
        condition = " AND ".join(f"{column} = ?" for column in self.whose)
        return f"{self.table} WHERE {condition or 'true'}"


def bit_rows(kept: bytes) -> Rows:
    """Return outlines as they are kept."""
    return numpy.frombuffer(kept, numpy.int8).reshape(-1, BITS // 8)


def vectors_of(fingerprint_id: int, kind: str, dimensions: int) -> Source:
    """Return the vectors of one fingerprint and kind, as small numbers."""

    def rounded(kept: bytes) -> Rows:
        return quantise(floats(kept, dimensions))

    whose: dict[str, int | str] = {"fingerprint_id": fingerprint_id, "kind": kind}
    return Source("vectors", "item", "vector", whose, 2 * dimensions, dimensions, rounded)


OUTLINES = Source("outlines", "episode_id", "bits", {}, BITS // 8, BITS // 8, bit_rows)


def floats(kept: bytes, dimensions: int) -> Floats:
    """Return the vectors that the store keeps as halves; what a disk made of a number that is none now is zero."""
    read = numpy.frombuffer(kept, "<f2").reshape(-1, dimensions).astype(numpy.float32)
    return numpy.nan_to_num(read, copy=False, nan=0, posinf=0, neginf=0)


def quantise(vectors: Floats) -> Rows:
    """Round each row to signed bytes, its largest number to 127."""
    largest = numpy.abs(vectors).max(axis=1, keepdims=True)
    scales = 127 / numpy.where(largest == 0, 1, largest)
    return numpy.rint(vectors * scales).astype(numpy.int8)
