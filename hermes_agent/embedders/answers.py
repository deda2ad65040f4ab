"""Take apart what a server answered: vectors in the order of the texts, or an error that says what came."""

import base64
from collections.abc import Mapping, Sequence
from operator import itemgetter

import numpy

from hermes_agent.embedders.embedder import Matrix, Vector
from hermes_agent.errors import EmbedderMismatch


def numbered_vectors(answer: object, count: int) -> Sequence[object]:
    """Read OpenAI's form: objects with an `embedding` and an `index`, for they may come in any order."""
    entries = answer.get("data") if isinstance(answer, Mapping) else None
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise unreadable()
    numbers = [entry.get("index", place) for place, entry in enumerate(entries)]
    if not all(isinstance(number, int) for number in numbers):
        raise unreadable()
    if len(entries) != count or set(numbers) != set(range(count)):
        raise _wrong_count(len(set(numbers)), count)
    return [entry.get("embedding") for _, entry in sorted(zip(numbers, entries, strict=True), key=itemgetter(0))]


def listed_vectors(answer: object, count: int) -> Sequence[object]:
    """Read Ollama's form: the vectors in the order of the texts."""
    vectors = answer.get("embeddings") if isinstance(answer, Mapping) else None
    if not isinstance(vectors, list):
        raise unreadable()
    if len(vectors) != count:
        raise _wrong_count(len(vectors), count)
    return vectors


def matrix(vectors: Sequence[object], dimensions: int) -> Matrix:
    """Return the vectors as rows. Each comes as a list of numbers, or as the bytes of them in base64."""
    rows = [_row(vector) for vector in vectors]
    for row in rows:
        check_dimensions(len(row), dimensions)
    return finite(numpy.stack(rows))


def check_dimensions(came: int, expected: int) -> None:
    """Refuse vectors of another length than was asked for."""
    if came != expected:
        raise EmbedderMismatch(
            f"Vectors of {expected:,} numbers were expected, and vectors of {came:,} came.",
            hint=f"If that is what the model gives: hermes config set memory.embeddings.dimensions {came}",
        )


def finite(rows: Matrix) -> Matrix:
    """Refuse rows that hold infinity, or what is no number."""
    if not numpy.isfinite(rows).all():
        raise _no_number()
    return rows


def unreadable() -> EmbedderMismatch:
    """Say that the answer has none of the forms that are known."""
    return EmbedderMismatch(
        "An answer came that holds no vectors.", hint="Is memory.embeddings.baseUrl the address of an embedder?"
    )


def _row(vector: object) -> Vector:
    try:
        if isinstance(vector, str):
            return numpy.frombuffer(base64.b64decode(vector, validate=True), "<f4").astype(numpy.float32)
        if not isinstance(vector, list):
            raise unreadable()
        with numpy.errstate(over="ignore"):  # what does not fit becomes infinity, which is refused
            row = numpy.array(vector, numpy.float64).astype(numpy.float32)
    except (ValueError, TypeError, OverflowError):
        raise _no_number() from None
    if row.ndim != 1:
        raise _no_number()
    return row


def _no_number() -> EmbedderMismatch:
    return EmbedderMismatch("A vector came that holds something else than numbers.")


def _wrong_count(came: int, expected: int) -> EmbedderMismatch:
    return EmbedderMismatch(f"{expected:,} vectors were expected, and {came:,} came.")
