"""The matrices of a SQLite store: one for each fingerprint and kind and one of outlines,
made when it is first searched.

Without a cache folder (an encrypted home: vectors can be inverted) all of them are in memory only.
"""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path

from sqlalchemy import Connection

from hermes_agent.config.paths import cached
from hermes_agent.config.replace import locked
from hermes_agent.records.vectors import Fingerprint, Near, Nearest
from hermes_agent.store import fingerprints
from hermes_agent.store.matrix import Matrix
from hermes_agent.store.matrix_file import MatrixFile
from hermes_agent.store.matrix_source import OUTLINES, Source, bit_rows, floats, quantise, vectors_of
from hermes_agent.store.nearness import Floats, best_of, cosines, direction
from hermes_agent.store.scanning import by_bits, by_cosine, differing_bits
from hermes_agent.store.vectors import KINDS

# So many of the best by rounded numbers are compared again in float, at least, and beyond those wanted.
_FEWEST, _SPARE = 100, 50
_FILES = "*vectors-*"


@dataclass(frozen=True, slots=True)
class _Set:
    """The rows of one matrix: what its file is called, and whose they are, told from any others."""

    name: str
    whose: str
    source: Source


_OUTLINES = _Set("outlines", "outlines", OUTLINES)


class Matrices:
    """All matrices of the store in one file."""

    def __init__(self, store: Path, cache: Path | None) -> None:
        self._store = store
        self._cache = cache
        self._guard = threading.Lock()
        self._made: dict[str, Matrix] = {}

    def match(
        self,
        connection: Connection,
        fingerprint: Fingerprint,
        vector: Sequence[float] | Floats,
        limit: int,
        kinds: Sequence[str],
    ) -> Nearest:
        """Return the nearest items, by the exact cosine."""
        wanted = direction(vector, fingerprint)
        if wanted is None or limit <= 0:
            return Nearest([], 0.0)
        scan = by_cosine(quantise(wanted[None, :])[0])
        found: list[Near] = []
        for kind in kinds:
            matrix = self._matrix(_vectors(fingerprint, kind))
            stored = matrix.nearest(connection, scan, max(_FEWEST, limit + _SPARE))
            vectors = floats(b"".join(row.kept for row in stored), fingerprint.dimensions)
            items = [row.item for row in stored]
            found += map(Near, repeat(kind), items, cosines(vectors, wanted).tolist())
        return best_of(found, limit)

    def match_outlines(self, connection: Connection, bits: bytes, limit: int) -> list[int]:
        """Return the episodes of the nearest outlines, so many outlines; of equals the older ones."""
        if limit <= 0:
            return []
        wanted = bit_rows(bits)[0]
        stored = self._matrix(_OUTLINES).nearest(connection, by_bits(wanted), limit)
        distances = differing_bits(bit_rows(b"".join(row.kept for row in stored)), wanted)
        best = sorted(zip(distances.tolist(), stored, strict=True))[:limit]
        return list(dict.fromkeys(row.item for _, row in best))

    def settle(self, connection: Connection, *, is_anew: bool) -> None:
        """Bring the files up to date, and leave nothing in the cache folder of vectors that are gone."""
        if is_anew and self._cache is not None:
            self._prune(self._cache, set())
        known = _every(connection)
        for one in known:
            self._matrix(one).settle(connection)
        if self._cache is not None:
            self._prune(self._cache, {self._name(one) for one in known})

    def damaged(self, connection: Connection) -> list[Path]:
        """Return the files that do not have what the store has."""
        return [
            file.path
            for one in _every(connection)
            if (file := self._file(one)) is not None and not self._matrix(one).is_true_copy(connection)
        ]

    def _prune(self, cache: Path, names: set[str]) -> None:
        """Remove the files of fingerprints that were dropped, and what a process left behind that was killed."""
        if any(file.name not in names for file in cache.glob(_FILES)):
            with locked(self._lock(cache)):
                for file in cache.glob(_FILES):
                    if file.name not in names:
                        file.unlink(missing_ok=True)

    def _matrix(self, one: _Set) -> Matrix:
        with self._guard:
            matrix = self._made.get(one.name)
            if matrix is None:
                matrix = self._made[one.name] = Matrix(self._file(one), one.source)
            return matrix

    def _file(self, one: _Set) -> MatrixFile | None:
        if self._cache is None:
            return None
        path = cached(self._cache, self._name(one))
        return MatrixFile(path, self._lock(self._cache), self._identity(one), one.source.width)

    def _lock(self, cache: Path) -> Path:
        return cached(cache, ".vectors.lock")

    def _name(self, one: _Set) -> str:
        return f"vectors-{one.name}-{self._identity(one).hex()[:12]}.i8"

    def _identity(self, one: _Set) -> bytes:
        """Name a set of rows so that no other store, moved or copied here, takes its file for its own."""
        whose = f"{self._store.resolve()}\0{one.whose}"
        return hashlib.sha256(whose.encode("utf-8", "surrogatepass")).digest()[:16]


def _every(connection: Connection) -> list[_Set]:
    every = fingerprints.every(connection)
    return [_OUTLINES, *(_vectors(fingerprint, kind) for fingerprint in every for kind in KINDS)]


def _vectors(fingerprint: Fingerprint, kind: str) -> _Set:
    whose = f"{fingerprint.id}\0{fingerprint.name}\0{fingerprint.made_at}\0{kind}"
    source = vectors_of(fingerprint.id, kind, fingerprint.dimensions)
    return _Set(f"{fingerprint.id}-{kind}", whose, source)
