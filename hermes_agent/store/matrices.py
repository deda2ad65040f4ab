"""The matrices of a SQLite store: one for each fingerprint and kind, made when it is first searched.

Without a cache folder (an encrypted home: vectors can be inverted) all of them are in memory only.
"""

import hashlib
import threading
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path

from sqlalchemy import Connection

from hermes_agent.config.paths import cached
from hermes_agent.config.replace import locked
from hermes_agent.records.vectors import Fingerprint, Near, Nearest
from hermes_agent.store import fingerprints
from hermes_agent.store.matrix import Matrix
from hermes_agent.store.matrix_file import MatrixFile
from hermes_agent.store.nearness import Floats, best_of, direction
from hermes_agent.store.vectors import KINDS

# So many of the best by rounded numbers are compared again in float, at least, and beyond those wanted.
_FEWEST, _SPARE = 100, 50
_PREFIX = "vectors-"
_FILES = f"*{_PREFIX}*"


class Matrices:
    """All matrices of the store in one file."""

    def __init__(self, store: Path, cache: Path | None) -> None:
        self._store = store
        self._cache = cache
        self._guard = threading.Lock()
        self._made: dict[tuple[int, str], Matrix] = {}

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
        found: list[Near] = []
        for kind in kinds:
            matrix = self._matrix(fingerprint, kind)
            items, cosines = matrix.nearest(connection, wanted, max(_FEWEST, limit + _SPARE))
            found += map(Near, repeat(kind), items, cosines.tolist())
        return best_of(found, limit)

    def settle(self, connection: Connection, *, is_anew: bool) -> None:
        """Bring the files up to date, and leave nothing in the cache folder of vectors that are gone."""
        if is_anew and self._cache is not None:
            self._prune(self._cache, set())
        known = _every(connection)
        for fingerprint, kind in known:
            self._matrix(fingerprint, kind).settle(connection)
        if self._cache is not None:
            self._prune(self._cache, {self._name(fingerprint, kind) for fingerprint, kind in known})

    def damaged(self, connection: Connection) -> list[Path]:
        """Return the files that do not have what the store has."""
        return [
            file.path
            for fingerprint, kind in _every(connection)
            if (file := self._file(fingerprint, kind)) is not None
            and not self._matrix(fingerprint, kind).is_true_copy(connection)
        ]

    def _prune(self, cache: Path, names: set[str]) -> None:
        """Remove the files of fingerprints that were dropped, and what a process left behind that was killed."""
        if any(file.name not in names for file in cache.glob(_FILES)):
            with locked(self._lock(cache)):
                for file in cache.glob(_FILES):
                    if file.name not in names:
                        file.unlink(missing_ok=True)

    def _matrix(self, fingerprint: Fingerprint, kind: str) -> Matrix:
        with self._guard:
            matrix = self._made.get((fingerprint.id, kind))
            if matrix is None:
                file = self._file(fingerprint, kind)
                matrix = Matrix(file, fingerprint.id, kind, fingerprint.dimensions)
                self._made[fingerprint.id, kind] = matrix
            return matrix

    def _file(self, fingerprint: Fingerprint, kind: str) -> MatrixFile | None:
        if self._cache is None:
            return None
        path = cached(self._cache, self._name(fingerprint, kind))
        return MatrixFile(path, self._lock(self._cache), self._identity(fingerprint, kind), fingerprint.dimensions)

    def _lock(self, cache: Path) -> Path:
        return cached(cache, ".vectors.lock")

    def _name(self, fingerprint: Fingerprint, kind: str) -> str:
        return f"{_PREFIX}{fingerprint.id}-{kind}-{self._identity(fingerprint, kind).hex()[:12]}.i8"

    def _identity(self, fingerprint: Fingerprint, kind: str) -> bytes:
        """Name a set of vectors so that no other store, moved or copied here, takes its file for its own."""
        whose = f"{self._store.resolve()}\0{fingerprint.id}\0{fingerprint.name}\0{fingerprint.made_at}\0{kind}"
        return hashlib.sha256(whose.encode("utf-8", "surrogatepass")).digest()[:16]


def _every(connection: Connection) -> list[tuple[Fingerprint, str]]:
    return [(fingerprint, kind) for fingerprint in fingerprints.every(connection) for kind in KINDS]
