"""Vectors on PostgreSQL: pgvector compares them, with an HNSW index once there are many.

Each fingerprint and kind has an index of its own: a search among the few facts would have to wade through
all episodes otherwise. The names and numbers in its condition stand in the statements as they are, since a
statement with parameters in their place could not be proven to fit the index.
"""

from sqlalchemy import Connection, text

from hermes_agent.records.vectors import Fingerprint, Near
from hermes_agent.store import fingerprints, vectors
from hermes_agent.store.types import vector_text

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
            " WHERE c.relnamespace = CAST(:schema AS regnamespace) AND c.relname LIKE 'vectors\\_near\\_%'"
        ),
        {"schema": schema},
    )
    valid = {str(row.relname): bool(row.indisvalid) for row in found}
    every = fingerprints.every(connection)
    wanted = {_name(fingerprint, kind): (fingerprint, kind) for fingerprint in every for kind in vectors.KINDS}
    for name in valid.keys() - wanted.keys():
        connection.execute(text(f'DROP INDEX CONCURRENTLY IF EXISTS "{schema}"."{name}"'))
    for name, (fingerprint, kind) in wanted.items():
        is_large = vectors.count(connection, fingerprint.id, kind) >= indexed_from
        if is_large and fingerprint.dimensions <= _MOST_DIMENSIONS and not valid.get(name, False):
            if name in valid:  # whoever began it did not live to finish it
                connection.execute(text(f'DROP INDEX CONCURRENTLY IF EXISTS "{schema}"."{name}"'))
            connection.execute(
                text(
                    f'CREATE INDEX CONCURRENTLY IF NOT EXISTS "{name}" ON "{schema}".vectors USING hnsw'
                    f" ((CAST(vector AS halfvec({int(fingerprint.dimensions)}))) halfvec_cosine_ops)"
                    f" WITH ({_MAKING}) WHERE {_condition(fingerprint, kind)}"
                )
            )


def _name(fingerprint: Fingerprint, kind: str) -> str:
    return f"vectors_near_{int(fingerprint.id)}_{kind}"


def _condition(fingerprint: Fingerprint, kind: str) -> str:
    if kind not in vectors.KINDS:
        raise ValueError(f"no such kind: {kind!r}")
    return f"fingerprint_id = {int(fingerprint.id)} AND kind = '{kind}'"
