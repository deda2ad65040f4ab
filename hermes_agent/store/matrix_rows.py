"""Rows of a matrix in memory, with their ids: some of them, and a tail that grows."""

from dataclasses import dataclass

import numpy

from hermes_agent.store.matrix_file import Ids, Rows


@dataclass(frozen=True, slots=True)
class Part:
    """Some rows and the ids of their vectors, ascending."""

    ids: Ids
    rows: Rows

    def up_to(self, last: int) -> "Part":
        """Return the rows whose ids are not higher."""
        whole = int(numpy.searchsorted(self.ids, last, side="right"))
        return self if whole == len(self.ids) else Part(self.ids[:whole], self.rows[:whole])

    def after(self, through: int) -> "Part":
        """Return the rows whose ids are higher."""
        first = int(numpy.searchsorted(self.ids, through, side="right"))
        return Part(self.ids[first:], self.rows[first:])


class Tail:
    """Rows in memory that others are added behind."""

    def __init__(self, dimensions: int) -> None:
        self.none: Rows = numpy.empty((0, dimensions), numpy.int8)
        self.clear()

    def clear(self) -> None:
        """Let go of all rows."""
        self._ids: Ids = numpy.empty(0, numpy.int64)
        self._rows = self.none
        self.count = 0

    def keep_after(self, through: int) -> None:
        """Let go of the rows whose ids are not higher."""
        rest = self.part.after(through)
        if len(rest.ids) < self.count:
            self.clear()
            self.add(rest)

    @property
    def part(self) -> Part:
        return Part(self._ids[: self.count], self._rows[: self.count])

    def add(self, part: Part) -> None:
        """Add rows; who has seen the rows before still sees those."""
        end = self.count + len(part.ids)
        if end > len(self._ids):
            room = max(end, 2 * len(self._ids))
            self._ids, old_ids = numpy.empty(room, numpy.int64), self._ids
            self._rows, old_rows = numpy.empty((room, self._rows.shape[1]), numpy.int8), self._rows
            self._ids[: self.count], self._rows[: self.count] = old_ids[: self.count], old_rows[: self.count]
        self._ids[self.count : end], self._rows[self.count : end] = part.ids, part.rows
        self.count = end
