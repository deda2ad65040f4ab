"""Compare words: BM25 over messages, passages, windows and sessions, and how much of a question is covered.

A word counts by how rare it is in the whole memory (`Corpus`), not only in the field.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from hermes_agent.recall.field import Field, Floats, Ints


@dataclass(frozen=True, slots=True)
class Corpus:
    """How many messages the memory holds, and in how many of them each stem of the question is."""

    messages: int
    frequency: Mapping[int, int]

    def rarity(self, stem: int) -> float:
        """Return the inverse document frequency of a stem."""
        found = min(self.frequency.get(stem, 0), self.messages)
        return math.log(1 + (self.messages - found + 0.5) / (found + 0.5))


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each stem of the question is in each unit (message, passage, …): units × stems."""

    stems: tuple[int, ...]
    counts: Floats
    length: Floats

    def bm25(self, weights: NDArray[numpy.float32], k1: float, b: float) -> Floats:
        """Score each unit; `weights` is what each stem counts, rarity included."""
        mean = max(float(self.length.mean()), 1.0) if len(self.length) else 1.0
        norm = k1 * (1 - b + b * self.length / mean)
        share = self.counts * numpy.float32(k1 + 1) / (self.counts + norm[:, None])
        scored: Floats = share.astype(numpy.float32) @ weights
        return scored

    def rarity(self) -> Floats:
        """Return how rare each stem is among these units."""
        held = (self.counts > 0).sum(0)
        rare: Floats = numpy.log(1 + (len(self.length) - held + 0.5) / (held + 0.5)).astype(numpy.float32)
        return rare

    def cover(self, weights: NDArray[numpy.float32]) -> Floats:
        """Return the share of the weights that a unit holds."""
        total = float(weights.sum())
        covered: Floats = (self.counts > 0).astype(numpy.float32) @ weights / max(total, 1e-9)
        return covered


def count(stems: tuple[int, ...], field: Field) -> Counts:
    """Count the question's stems in each message."""
    return _count(stems, field.stems, field.stem_row, field.length)


def count_passages(stems: tuple[int, ...], field: Field) -> Counts:
    """Count the question's stems in each passage."""
    return _count(stems, field.stems, field.stem_passage, field.passage_length)


def _count(stems: tuple[int, ...], found: NDArray[numpy.uint32], units: Ints, length: Ints) -> Counts:
    counts = numpy.zeros((len(length), len(stems)), numpy.float32)
    for place, stem in enumerate(stems):
        rows = units[found == stem]
        counts[:, place] = numpy.bincount(rows, minlength=len(length))
    return Counts(stems, counts, length.astype(numpy.float32))


def windows(counts: Counts, field: Field) -> Counts:
    """Let each message stand with the two before it and the two after it."""
    both = numpy.column_stack([counts.counts, counts.length])
    total = both + sum(field.shifted(both, steps) for steps in (1, 2, -1, -2))
    return Counts(counts.stems, total[:, :-1], total[:, -1])


def sessions(counts: Counts, field: Field) -> Counts:
    """Put the messages of each session together; one unit for each session."""
    number = int(field.session.max()) + 1 if len(field) else 0
    both = numpy.column_stack([counts.counts, counts.length])
    total = numpy.zeros((number, both.shape[1]), numpy.float32)
    numpy.add.at(total, field.session, both)
    return Counts(counts.stems, total[:, :-1], total[:, -1])


def field_corpus(field: Field, stems: tuple[int, ...]) -> Corpus:
    """Count a memory that is in the field whole."""
    counts = count(stems, field).counts
    held = (counts > 0).sum(0)
    return Corpus(len(field), {stem: int(held[place]) for place, stem in enumerate(stems)})
