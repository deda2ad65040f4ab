"""A stand-in for an embedder that is not ours: words become directions by chance, the same in every process."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy

from hermes_agent.embedders.embedder import Matrix
from hermes_agent.errors import EmbedderDown


@dataclass
class HashedEmbedder:
    """Makes vectors of words, remembers the texts it was given, and fails when it is told to."""

    fingerprint: str = "hashed/words@1/32/plain"
    dimensions: int = 32
    batch_size: int = 16
    is_local: bool = False
    texts: list[str] = field(default_factory=list)
    given_dimensions: int | None = None
    """Of vectors it gives instead of those it promised."""
    is_down: bool = False
    refused: str | None = None
    """A word; what holds it gets zeros."""
    meanwhile: Callable[[], None] = lambda: None
    """What happens elsewhere while it works."""

    @property
    def name(self) -> str:
        return self.fingerprint.partition("@")[0]

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return a row of length 1 for each text; a blank text has a row of zeros."""
        self.meanwhile()
        if self.is_down:
            raise EmbedderDown(f"{self.name} does not answer.")
        self.texts += texts
        size = self.given_dimensions or self.dimensions
        rows = numpy.zeros((len(texts), size), numpy.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row += _direction(f"{self.fingerprint} {word}", size)
            row /= float(numpy.linalg.norm(row)) or 1.0
            if self.refused is not None and self.refused in text:
                row[:] = 0
        return rows

    def embed_query(self, text: str) -> Matrix:
        """Return the vector of what somebody looks for."""
        row: Matrix = self.embed([text])[0]
        return row


@cache
def _direction(word: str, size: int) -> Matrix:
    seed = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()[:8]
    return numpy.random.default_rng(int.from_bytes(seed)).normal(size=size).astype(numpy.float32)
