"""What both engines do alike when vectors are compared."""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray

from hermes_agent.errors import EmbedderMismatch
from hermes_agent.records.vectors import Fingerprint, Near, Nearest

Floats = NDArray[numpy.float32]


def direction(vector: Sequence[float] | Floats, fingerprint: Fingerprint) -> Floats | None:
    """Return the vector with length 1; None if it has none, since nothing is near it."""
    wanted = numpy.asarray(vector, dtype=numpy.float32)
    if wanted.shape != (fingerprint.dimensions,):
        raise EmbedderMismatch(
            f"{fingerprint.name} makes vectors of {fingerprint.dimensions} numbers; this one has {wanted.size}."
        )
    length = float(numpy.linalg.norm(wanted))
    return wanted / length if length > 0 and numpy.isfinite(length) else None


def best_of(found: list[Near], limit: int) -> Nearest:
    """Return the best of what was found, in order; what has no direction has no cosine, and is left out."""
    ordered = sorted(
        (near for near in found if near.cosine == near.cosine),
        key=lambda near: (-near.cosine, near.item, near.kind),
    )
    best = ordered[:limit]
    return Nearest(best, best[-1].cosine if best else 0.0)


def cosines(vectors: Floats, wanted: Floats) -> Floats:
    """Return the cosine of each vector with the wanted one, of length 1; that of a vector of zeros is NaN."""
    norms = numpy.linalg.norm(vectors, axis=1)
    found: Floats = (vectors @ wanted / numpy.where(norms == 0, numpy.nan, norms)).astype(numpy.float32)
    return found
