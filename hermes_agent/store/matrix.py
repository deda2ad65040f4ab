"""All rows of one set in memory, so that a scan can compare them all.

Most rows are in a file that all processes share (`matrix_file.py`); what the file does not have yet is
a tail in this process. The store has the last word on both: a row counts up to the newest id a reader sees,
and one that the store does not have any more is never returned.
"""

import threading
from contextlib import suppress

import numpy
from sqlalchemy import Connection

from hermes_agent.store.matrix_file import Mapped, MatrixFile, State
from hermes_agent.store.matrix_rows import Part, Tail
from hermes_agent.store.matrix_source import Source, Stored
from hermes_agent.store.scanning import Scan, nearest_ids
from hermes_agent.store.vectors import erasures

_READ = 8_192
# The file grows by at least so many rows at a time, so that a search seldom writes.
_FEWEST = 256
# A tail longer than this goes into the file while the store is still being read: memory stays low.
_LONGEST_TAIL = 65_536
# So many of a file's newest rows are compared with the store when it is first opened: a store that was put
# back to an earlier state gives their ids to others.
_CHECKED = 256
_DEAD_SHARE = 0.1


class Matrix:
    """All rows of a source. Safe to use from several threads.

    Every row up to `_through` is in the file or, if its id is higher than the file's, in the tail.
    """

    def __init__(self, file: MatrixFile | None, source: Source) -> None:
        self._file = file
        self._source = source
        self._guard = threading.Lock()
        self._mapped: Mapped | None = None
        self._seen: State | None = None
        self._ahead: Mapped | None = None
        self._tail = Tail(source.width)
        self._through = 0
        self._erasures = 0

    def nearest(self, connection: Connection, scan: Scan, enough: int) -> list[Stored]:
        """Return the rows that a scan finds nearest, about `enough`, as the store has them; in no order."""
        parts = self._parts(connection)
        total = sum(len(part.ids) for part in parts)
        # Some may be gone from the store: more are taken, and more again if that was too few.
        limit = enough + enough // 4
        while True:
            stored = self._source.fetch(connection, nearest_ids(parts, scan, limit))
            if len(stored) >= enough or limit >= total:
                return stored
            limit *= 4

    def settle(self, connection: Connection) -> None:
        """Let the file hold all rows and nothing of those that are gone; many of them give their room back."""
        with self._guard:
            last = self._look(connection)
            if (
                self._file is not None
                and self._mapped is not None
                and self._is_worth_cleaning(self._mapped, connection)
            ):
                with self._file.waiting():
                    self._clean(connection, last)
            if self._ahead is None:
                self._catch_up(connection, last)

    def is_true_copy(self, connection: Connection) -> bool:
        """Tell whether the file, if there is one, has every row as the store has it."""
        if self._file is None:
            return True
        with self._file.writing() as may_write:
            mapped = self._file.map()
        if mapped is None:  # one that somebody is just writing cannot be judged
            return not may_write or self._file.state() is None
        if mapped.head.erasures > erasures(connection):
            return True  # of a later moment: the rows of what was erased since are zeros
        through = min(mapped.head.through, self._source.last_id(connection))
        after = 0
        while len((stored := self._source.after(connection, after, through, _READ)).ids):
            at = numpy.searchsorted(mapped.ids, stored.ids)
            if at[-1] == len(mapped.ids) or (mapped.ids[at] != stored.ids).any():
                return False
            if (mapped.rows[at] != stored.rows).any():
                return False
            after = int(stored.ids[-1])
        return True

    def _is_worth_cleaning(self, mapped: Mapped, connection: Connection) -> bool:
        dead = mapped.head.count + self._tail.count - self._source.count(connection)
        return mapped.head.erasures < self._erasures or dead > _DEAD_SHARE * mapped.head.count

    def _parts(self, connection: Connection) -> list[Part]:
        """Return all rows that this reader may see, bringing file and tail up to date."""
        with self._guard:
            last = self._look(connection)
            if self._ahead is not None:
                return [Part(self._ahead.ids, self._ahead.rows).up_to(last)]
            mapped = self._mapped
            if self._file is not None and mapped is not None and mapped.head.erasures < self._erasures:
                with self._file.writing() as may_write, suppress(OSError):
                    if may_write:
                        self._clean(connection, last)
            new = []
            if not connection.get_execution_options().get("writes", False):
                self._catch_up(connection, last)
            elif last > self._through:
                # What this transaction wrote may be taken back, and the ids given to others: nothing is kept.
                new = [self._source.after(connection, self._through, last, limit=-1)]
            parts = [self._tail.part, *new]
            if self._mapped is not None:
                parts.insert(0, Part(self._mapped.ids, self._mapped.rows))
            return [part.up_to(last) for part in parts]

    def _look(self, connection: Connection) -> int:
        """Take in what others did to the store and to the file; return the newest id this reader sees."""
        last, erased = self._source.last_id(connection), erasures(connection)
        if erased > self._erasures:
            self._reset()
            self._erasures = erased
        self._follow(connection, last)
        return last

    def _follow(self, connection: Connection, last: int) -> None:
        """Map the file as it is now, unless it was looked at as it is."""
        state = None if self._file is None else self._file.state()
        if self._file is None or state == self._seen:
            return
        before, found = self._mapped, self._file.map(self._mapped or self._ahead)
        self._seen, self._ahead = state, None
        is_known = before is not None and found is not None and before.inode == found.inode
        if found is None or not is_known and not self._is_true(connection, found, last):
            if before is not None:  # what was in it must be read from the store again
                self._reset()
            return
        if not is_known and found.head.through > last:
            # We see a moment before it was written, or the store was put back to an earlier state and will
            # give those ids to others: what it has up to here is good for this once.
            self._seen, self._ahead = None, found
            return
        self._mapped = found
        if before is not None and found.head.through < before.head.through:
            self._tail.clear()
            self._through = 0
        self._tail.keep_after(found.head.through)
        self._through = max(self._through, found.head.through)

    def _is_true(self, connection: Connection, mapped: Mapped, last: int) -> bool:
        """Tell whether a file's newest rows are those that the store has under their ids."""
        part = Part(mapped.ids, mapped.rows).up_to(last)
        ids, rows = part.ids[-_CHECKED:], part.rows[-_CHECKED:]
        if (numpy.diff(ids, prepend=0) <= 0).any():
            return False
        stored = self._source.fetch(connection, ids.tolist())
        at = numpy.searchsorted(ids, [row.id for row in stored])
        return bool((rows[at] == self._source.read(b"".join(row.kept for row in stored))).all())

    def _catch_up(self, connection: Connection, last: int) -> None:
        """Read what the store has got meanwhile; move it into the file when it is much."""
        while self._through < last:
            part = self._source.after(connection, self._through, last, _READ)
            is_end = len(part.ids) < _READ
            self._tail.add(part)
            self._through = last if is_end else int(part.ids[-1])
            if self._tail.count >= (_FEWEST if is_end else _LONGEST_TAIL):
                self._write(connection, last)

    def _write(self, connection: Connection, last: int) -> None:
        """Move the tail into the file, unless another process is just writing it or nothing can be written."""
        if self._file is None:
            return
        with self._file.writing() as may_write:
            if not may_write:
                return
            self._follow(connection, last)
            part, mapped = self._tail.part, self._mapped
            if not len(part.ids) or self._ahead is not None:
                return
            with suppress(OSError):  # no room, or no right: the tail stays where it is
                if mapped is None:
                    self._file.begin(part.ids, part.rows, self._through, self._erasures)
                elif mapped.head.erasures == self._erasures:
                    self._file.append(mapped.head, part.ids, part.rows, self._through)
            self._follow(connection, last)

    def _clean(self, connection: Connection, last: int) -> None:
        """Erase from the file what the store does not have any more. To be called with the right to write."""
        self._follow(connection, last)
        mapped = self._mapped
        if mapped is None or self._file is None:
            return
        live = self._source.ids(connection)
        is_dead = ~numpy.isin(mapped.ids, live) & (mapped.ids <= last)
        self._file.blank(mapped.head, numpy.flatnonzero(is_dead), self._erasures)
        if is_dead.sum() > _DEAD_SHARE * len(is_dead):
            kept = numpy.flatnonzero(~is_dead)
            self._file.begin(mapped.ids, mapped.rows, mapped.head.through, self._erasures, kept)
        self._follow(connection, last)

    def _reset(self) -> None:
        self._mapped = self._seen = self._ahead = None
        self._tail.clear()
        self._through = 0
