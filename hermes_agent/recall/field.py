"""The field: the messages a question is compared with, side by side as arrays.

It holds the candidates the passes brought and their neighbours; of a small memory it holds everything.
Rows are in order of session and message. `before` leads to the message said just before in the same
session, if that is in the field.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from hermes_agent.text.marks import CAPITALS_AT, NAMES_AT, Mark

Floats = NDArray[numpy.float32]
Ints = NDArray[numpy.int64]


class Row(NamedTuple):
    """One message: its sketch, and where its episode stands in the session."""

    message_id: int
    episode_id: int
    session_id: str
    number: int
    """How many episodes of the session came before its own; of a long session counted up to some number."""
    size: int
    """How many episodes the session has, counted likewise."""
    follows: int | None
    """The episode just before its own."""
    role: str
    speaker: str | None
    day: int
    """The day it was said, as an ordinal, in the user's zone."""
    marks: int
    stems: bytes
    cuts: bytes
    words: str
    days: bytes
    gist: bytes | None


@dataclass(frozen=True, slots=True)
class Passages:
    """The vectors of the messages that have some: `owners` names the row of the field for each.

    `is_whole` marks the vector of a whole message. A message that is one passage has no other.
    """

    vectors: Floats
    owners: Ints
    is_whole: NDArray[numpy.bool_]


class Field:
    """The messages, as arrays of one length."""

    def __init__(self, rows: Sequence[Row], passages: Passages | None = None) -> None:
        self.rows = rows
        self.passages = passages
        self.ids = numpy.array([row.message_id for row in rows], numpy.int64)
        self.day = numpy.array([row.day for row in rows], numpy.int64)
        self.number = numpy.array([row.number for row in rows], numpy.int64)
        self.size = numpy.array([row.size for row in rows], numpy.int64)
        self.is_answer = numpy.array([row.role == "assistant" for row in rows], bool)
        self.marks = numpy.array([row.marks for row in rows], numpy.int64)
        self.session = _codes([row.session_id for row in rows])
        self.episode = _codes([str(row.episode_id) for row in rows])
        self.before = self._before()

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def speakers(self) -> list[str]:
        """Who speaks, each once, sorted."""
        return sorted({row.speaker for row in self.rows if row.speaker})

    @cached_property
    def who(self) -> Ints:
        """The place of each message's speaker among the speakers; -1 where nobody is named."""
        place = {speaker: i for i, speaker in enumerate(self.speakers)}
        return numpy.array([place.get(row.speaker or "", -1) for row in self.rows], numpy.int64)

    def has(self, mark: Mark) -> Floats:
        """Return 1 for the messages with a mark."""
        return ((self.marks & int(mark)) > 0).astype(numpy.float32)

    @cached_property
    def capitals(self) -> Floats:
        return ((self.marks >> CAPITALS_AT) & 3).astype(numpy.float32) / numpy.float32(3)

    @cached_property
    def names(self) -> Floats:
        return ((self.marks >> NAMES_AT) & 7).astype(numpy.float32) / numpy.float32(4)

    @cached_property
    def stems(self) -> NDArray[numpy.uint32]:
        """The stems of all messages, one after the other."""
        return numpy.frombuffer(b"".join(row.stems for row in self.rows), "<u4")

    @cached_property
    def length(self) -> Ints:
        """How many stems each message has."""
        return numpy.array([len(row.stems) // 4 for row in self.rows], numpy.int64)

    @cached_property
    def stem_row(self) -> Ints:
        """The message of each stem."""
        return numpy.repeat(numpy.arange(len(self)), self.length)

    @cached_property
    def stem_passage(self) -> Ints:
        """The passage of each stem, counted over all messages."""
        return numpy.repeat(numpy.arange(len(self.passage_row)), self.passage_length)

    @cached_property
    def passage_length(self) -> Ints:
        """How many stems each passage has."""
        cuts = numpy.frombuffer(b"".join(row.cuts for row in self.rows), "<u2").astype(numpy.int64)
        lengths = numpy.diff(cuts, prepend=0)
        first = numpy.cumsum([0, *self._passage_counts])[:-1]
        first = first[numpy.array(self._passage_counts) > 0]
        lengths[first] = cuts[first]
        return lengths

    @cached_property
    def passage_row(self) -> Ints:
        """The message of each passage."""
        return numpy.repeat(numpy.arange(len(self)), self._passage_counts)

    @cached_property
    def _passage_counts(self) -> list[int]:
        return [len(row.cuts) // 2 for row in self.rows]

    @cached_property
    def told(self) -> Ints:
        """The days that messages speak of: row of the message, first day, last day."""
        days = numpy.frombuffer(b"".join(row.days for row in self.rows), "<i4").astype(numpy.int64).reshape(-1, 2)
        owners = numpy.repeat(numpy.arange(len(self)), [len(row.days) // 8 for row in self.rows])
        return numpy.column_stack([owners, days])

    def nearness(self, topic: Floats) -> Floats | None:
        """Return how near the nearest passage of each message is, NaN where it has none; None without vectors."""
        if self.passages is None or not len(self.passages.vectors):
            return None
        near = numpy.full(len(self), numpy.nan, numpy.float32)
        numpy.fmax.at(near, self.passages.owners, self.passages.vectors @ topic)
        return near

    def shifted(self, values: Floats, steps: int = 1) -> Floats:
        """Give each message the value of the one said `steps` before it (after it, if negative); else 0."""
        way = self.before if steps > 0 else self.after
        place = numpy.arange(len(self))
        for _ in range(abs(steps)):
            place = numpy.where(place >= 0, way[place], -1)
        found = values[place]
        found[place < 0] = 0
        return found

    @cached_property
    def after(self) -> Ints:
        after = numpy.full(len(self), -1, numpy.int64)
        has_before = self.before >= 0
        after[self.before[has_before]] = numpy.flatnonzero(has_before)
        return after

    def best_of(self, groups: Ints, values: Floats) -> Floats:
        """Give each message the best value of its group (its session, its episode)."""
        if not len(values):
            return values
        best = numpy.full(int(groups.max()) + 1, -numpy.inf, numpy.float32)
        numpy.maximum.at(best, groups, values)
        return best[groups]

    def _before(self) -> Ints:
        """Neighbours are of one episode, or of episodes that follow each other."""
        before = numpy.full(len(self.rows), -1, numpy.int64)
        for place, (row, last) in enumerate(zip(self.rows[1:], self.rows, strict=False)):
            if last.episode_id in (row.episode_id, row.follows):
                before[place + 1] = place
        return before


def _codes(names: Sequence[str]) -> Ints:
    place = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return numpy.array([place[name] for name in names], numpy.int64)
