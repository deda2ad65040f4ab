"""Where a test finds the file of vectors, and how long its head is."""

from pathlib import Path

HEAD_BYTES = 64


def file_in(cache: Path) -> Path:
    """Return the one file of vectors in a cache."""
    (file,) = cache.glob("vectors-*")
    return file
