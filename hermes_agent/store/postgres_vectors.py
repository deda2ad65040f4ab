"""Vectors and outlines on PostgreSQL: pgvector compares them, with an HNSW index once there are many.

Each fingerprint and kind has an index of its own: a search among the few facts would have to wade through
all episodes otherwise. The names and numbers in its condition stand in the statements as they are, since a
statement with parameters in their place could not be proven to fit the index.
"""

from dataclasses import dataclass

from sqlalchemy import Connection, text

from hermes_agent.records.vectors import Fingerprint, Near
from hermes_agent.store import fingerprints, vectors
from hermes_agent.store.types import BITS, bit_text, vector_text

INDEXED_FROM = 10_000
"""With fewer vectors an exact scan takes a few milliseconds."""
_MOST_DIMENSIONS = 4_000
"""What pgvector can index as halves; longer ones are always scanned."""
_SPARE = 32
_LOCK = 1_986_356_078
"""Beside a number for the schema it names the advisory lock under which indexes are made."""
# How well the neighbours are known, how many a search keeps in sight, and that it goes on until it has enough.
# Measured with 20,000 vectors of sentences: these find 99 % of the ten nearest; pgvector's own values, 90 %.
_MAKING = "m = 24, ef_construction = 128"
_SEARCHING = (
    "SELECT set_config('hnsw.ef_search', '400', true), set_config('hnsw.iterative_scan', 'strict_order', true)"
)


@dataclass(frozen=True, slots=True)
class _Index:
    """What one index is called, which rows of which table are in it, and what it compares."""

    name: str
    table: str
    compared: str
    condition: str
    dimensions: int


_OUTLINES = _Index("outlines_near", "outlines", "bits bit_hamming_ops", "true", BITS)


def match(
    connection: Connection, fingerprint: Fingerprint, kind: str, wanted: list[float], limit: int
) -> list[Near]:
    """Return the nearest items; one without a direction has no number as its cosine."""
    size = int(fingerprint.dimensions)
    connection.execute(text(_SEARCHING))
    rows = connection.execute(
        text(
            # The inner order takes the wanted vector in halves too, as the index does; the outer one does not.
            "SELECT item, 1 - (CAST(vector AS vector) <=> CAST(:wanted AS vector)) AS cosine FROM"
            f" (SELECT item, vector FROM vectors WHERE {_condition(fingerprint, kind)}"
            f" ORDER BY CAST(vector AS halfvec({size})) <=> CAST(:wanted AS halfvec({size})) LIMIT :count) near"
        ),
        {"wanted": vector_text(wanted, digits=9), "count": limit + limit // 4 + _SPARE},
    )
    return [Near(kind, int(row.item), float(row.cosine)) for row in rows]


def match_outlines(connection: Connection, bits: bytes, limit: int) -> list[int]:
    """Return the episodes of the nearest outlines, so many outlines; of equals the older ones."""
    connection.execute(text(_SEARCHING))
    distance = f"bits <~> CAST(:wanted AS bit({BITS}))"
    rows = connection.execute(
        # The index gives them by distance; only those that are as near as each other are sorted.
        text(f"SELECT episode_id FROM outlines ORDER BY {distance}, id LIMIT :count"),
        {"wanted": bit_text(bits), "count": max(0, limit)},
    )
    return list(dict.fromkeys(int(row.episode_id) for row in rows))


def settle(connection: Connection, schema: str, indexed_from: int = INDEXED_FROM) -> None:
    """Make the indexes that are worth it, and remove those of fingerprints that are gone.

    While another connection is at it nothing is done: an index that it is making looks like one left half made.
    """
    lock = {"number": _LOCK, "schema": schema}
    if not connection.execute(text("SELECT pg_try_advisory_lock(:number, hashtext(:schema))"), lock).scalar_one():
        return
    try:
        _settle(connection, schema, indexed_from)
    finally:
        connection.execute(text("SELECT pg_advisory_unlock(:number, hashtext(:schema))"), lock)


def _settle(connection: Connection, schema: str, indexed_from: int) -> None:
    found = connection.execute(
        text(
            "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
            " WHERE c.relnamespace = CAST(:schema AS regnamespace)"
            " AND (c.relname LIKE 'vectors\\_near\\_%' OR c.relname = 'outlines_near')"
        ),
        {"schema": schema},
    )
    valid = {str(row.relname): bool(row.indisvalid) for row in found}
    every = fingerprints.every(connection)
    wanted = [_OUTLINES, *(_index(fingerprint, kind) for fingerprint in every for kind in vectors.KINDS)]
    for name in valid.keys() - {index.name for index in wanted}:
        connection.execute(text(f'DROP INDEX CONCURRENTLY IF EXISTS "{schema}"."{name}"'))
    for index in wanted:
        if index.dimensions > _MOST_DIMENSIONS or valid.get(index.name, False):
            continue
        count = f'SELECT count(*) FROM "{schema}".{index.table} WHERE {index.condition}'
        if int(connection.execute(text(count)).scalar_one()) < indexed_from:
            continue
        if index.name in valid:  # whoever began it did not live to finish it
            connection.execute(text(f'DROP INDEX CONCURRENTLY IF EXISTS "{schema}"."{index.name}"'))
        connection.execute(
            text(
                f'CREATE INDEX CONCURRENTLY IF NOT EXISTS "{index.name}" ON "{schema}".{index.table} USING hnsw'
                f" ({index.compared}) WITH ({_MAKING}) WHERE {index.condition}"
            )
        )


def _index(fingerprint: Fingerprint, kind: str) -> _Index:
    size = int(fingerprint.dimensions)
    compared = f"(CAST(vector AS halfvec({size}))) halfvec_cosine_ops"
    name = f"vectors_near_{int(fingerprint.id)}_{kind}"
    return _Index(name, "vectors", compared, _condition(fingerprint, kind), size)


def _condition(fingerprint: Fingerprint, kind: str) -> str:
    if kind not in vectors.KINDS:
        raise ValueError(f"no such kind: {kind!r}")
    return f"fingerprint_id = {int(fingerprint.id)} AND kind = '{kind}'"
