"""Texts made ready for a model and handed to it in batches that it can hold.

A batch holds texts of like length: models pad all texts of a batch to the longest one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy

from hermes_agent.embedders.embedder import Matrix


@dataclass(frozen=True, slots=True)
class Limits:
    """Most bytes of one text, most texts of a batch, most bytes of a batch. A token has at least one byte."""

    text_bytes: int
    batch_texts: int
    batch_bytes: int


def clean(text: str, most_bytes: int) -> str:
    """Return the beginning of a text as tokenizers and JSON take it: no NUL, no half of a surrogate pair."""
    start = text[:most_bytes].replace("\0", " ")
    if start.isascii():
        return start
    return start.encode("utf-8", "replace")[:most_bytes].decode("utf-8", "ignore")


def embed_in_batches(
    texts: Sequence[str], dimensions: int, limits: Limits, embed: Callable[[Sequence[str]], Matrix]
) -> Matrix:
    """Return a row of length 1 for each text, in its order; blank texts are not embedded and have zeros."""
    ready = [clean(text.strip(), limits.text_bytes) for text in texts]
    rows = numpy.zeros((len(texts), dimensions), numpy.float32)
    for batch in _batches(ready, limits):
        rows[batch] = unit(embed([ready[position] for position in batch]))
    return rows


def unit(matrix: Matrix) -> Matrix:
    """Return the rows at length 1; a row of zeros stays one."""
    lengths = numpy.linalg.norm(matrix.astype(numpy.float64), axis=1, keepdims=True)
    return (matrix / numpy.where(lengths == 0, 1.0, lengths)).astype(numpy.float32)


def _batches(texts: Sequence[str], limits: Limits) -> Iterator[list[int]]:
    """Yield the positions of the texts that hold something, the shortest texts first."""
    batch: list[int] = []
    size = 0
    for position in sorted((position for position, text in enumerate(texts) if text), key=lambda i: len(texts[i])):
        added = len(texts[position].encode("utf-8"))
        if batch and (len(batch) == limits.batch_texts or size + added > limits.batch_bytes):
            yield batch
            batch, size = [], 0
        batch.append(position)
        size += added
    if batch:
        yield batch
