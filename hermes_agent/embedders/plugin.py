"""Embedders that installed packages bring: loaded, watched, and never able to stop the program.

The boundary to code of others: whatever goes wrong there becomes an EmbedderError that people can read.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint

import numpy

from hermes_agent.embedders.answers import check_dimensions, finite
from hermes_agent.embedders.batches import unit
from hermes_agent.embedders.embedder import Embedder, Matrix, Vector
from hermes_agent.errors import EmbedderDown, EmbedderError, EmbedderMismatch
from hermes_agent.text.clean import preview


class Plugin:
    """An embedder of another package. What it returns is checked and brought to length 1."""

    def __init__(self, provider: str, inner: Embedder) -> None:
        self._provider = provider
        self._inner = inner
        self.name = f"{provider}:{inner.name}"
        self.fingerprint = f"{provider}/{inner.fingerprint.removeprefix(provider + '/')}"
        self.dimensions = int(inner.dimensions)
        self.is_local = bool(inner.is_local)
        self.batch_size = max(1, int(inner.batch_size))

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return a row of length 1 for each text."""
        rows = numpy.zeros((len(texts), self.dimensions), numpy.float32)
        filled = [position for position, text in enumerate(texts) if text.strip()]
        for at in range(0, len(filled), self.batch_size):
            batch = filled[at : at + self.batch_size]
            with _watched(self._provider):
                came = numpy.asarray(self._inner.embed([texts[position] for position in batch]), numpy.float32)
            rows[batch] = self._checked(came, len(batch))
        return rows

    def embed_query(self, text: str) -> Vector:
        """Return the vector of what somebody looks for."""
        if not text.strip():
            return numpy.zeros(self.dimensions, numpy.float32)
        with _watched(self._provider):
            came = numpy.asarray(self._inner.embed_query(text), numpy.float32)
        row: Vector = self._checked(came.reshape(1, -1), 1)[0]
        return row

    def _checked(self, rows: Matrix, count: int) -> Matrix:
        if rows.ndim != 2 or len(rows) != count:
            raise EmbedderMismatch(f"The embedder {self._provider} was to give {count:,} vectors, and did not.")
        check_dimensions(rows.shape[1], self.dimensions)
        return unit(finite(rows))


def load(point: EntryPoint, settings: Mapping[str, object]) -> Plugin:
    """Build the embedder of an entry point: a function that takes the settings and returns an Embedder."""
    with _watched(point.name):
        made = point.load()(settings)
        if isinstance(made, Embedder):
            return Plugin(point.name, made)
    raise EmbedderDown(
        f"The plugin {point.name} ({point.value}) did not give an embedder.",
        hint="docs/guides/embeddings.md says what an embedder has.",
    )


@contextmanager
def _watched(provider: str) -> Iterator[None]:
    """Turn whatever the code of others raises into an error that the status shows and that words outlive."""
    try:
        yield
    except EmbedderError:
        raise
    except Exception as error:
        words = preview(str(error), 200)
        raise EmbedderDown(
            f"The embedder {provider} failed: {type(error).__name__}{': ' + words if words else ''}.",
            hint="It comes from an installed package. Ours: hermes config set memory.embeddings.provider local",
        ) from error
