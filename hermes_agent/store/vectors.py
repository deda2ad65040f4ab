"""Vectors by fingerprint: kept for an item's uid, found by nearness. Derived.

A fingerprint names what made the vector (model, revision, dimensions, text form); vectors of
different fingerprints are never compared.
"""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, delete, insert, select

from hermes_agent.store import tables

_BLOCK = 8_192


def put(connection: Connection, fingerprint: str, vectors: Mapping[str, Sequence[float]]) -> None:
    """Keep a vector for each uid, in place of the one it had."""
    if not vectors:
        return
    table = tables.vectors
    connection.execute(delete(table).where(table.c.fingerprint == fingerprint, table.c.item.in_(list(vectors))))
    rows = [{"fingerprint": fingerprint, "item": uid, "vector": vector} for uid, vector in vectors.items()]
    connection.execute(insert(table), rows)


def scan(connection: Connection, fingerprint: str, vector: Sequence[float], limit: int) -> list[tuple[str, float]]:
    """Compare with every vector of the fingerprint, exactly; the nearest first, by cosine."""
    import numpy

    wanted = numpy.asarray(vector, dtype="<f4")
    wanted = wanted / (float(numpy.linalg.norm(wanted)) or 1.0)
    table = tables.vectors
    rows = connection.execute(
        select(table.c.item, table.c.vector).where(table.c.fingerprint == fingerprint)
    ).yield_per(_BLOCK)
    best: list[tuple[str, float]] = []
    for block in rows.partitions():
        matrix = numpy.frombuffer(b"".join(row.vector for row in block), dtype="<f4").reshape(len(block), -1)
        norms = numpy.linalg.norm(matrix, axis=1)
        cosines = matrix @ wanted / numpy.where(norms == 0, 1.0, norms)
        top = numpy.argsort(-cosines, kind="stable")[:limit]
        best += [(block[i].item, float(cosines[i])) for i in top]
        best = sorted(best, key=lambda hit: (-hit[1], hit[0]))[:limit]
    return best
