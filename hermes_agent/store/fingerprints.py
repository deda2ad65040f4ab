"""Fingerprints: what made vectors, which of them reads use, and what goes wrong while they are made.

At most one is complete: the one that reads use. Another takes its place in the moment it is complete
itself, so that no search ever meets half a set of vectors while a whole one is there.
"""

from sqlalchemy import Connection, RowMapping, delete, select, update

from hermes_agent import clock
from hermes_agent.errors import EmbedderMismatch
from hermes_agent.records.vectors import Fingerprint
from hermes_agent.store import meta
from hermes_agent.store import vectors as stored
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.tables import fingerprints, passages, vectors

_UNRELATED = "fingerprint.{}.unrelated"


def require(connection: Connection, name: str, dimensions: int) -> Fingerprint:
    """Return the fingerprint of a name, a new one if there is none; other dimensions are refused."""
    values = {"name": name, "dimensions": dimensions, "made_at": clock.now()}
    if get(connection, name) is None:
        connection.execute(insert_fresh(connection, fingerprints, "name"), values)
    found = get(connection, name)
    assert found is not None
    if found.dimensions != dimensions:
        raise EmbedderMismatch(
            f"{name} gives vectors of {dimensions} numbers now; those it made before have {found.dimensions}.",
            hint="Check memory.embeddings.model and memory.embeddings.dimensions.",
        )
    return found


def get(connection: Connection, name: str) -> Fingerprint | None:
    """Return the fingerprint of a name."""
    row = connection.execute(select(fingerprints).where(fingerprints.c.name == name)).mappings().one_or_none()
    return None if row is None else _record(row)


def every(connection: Connection) -> list[Fingerprint]:
    """Return all, the newest first."""
    rows = connection.execute(select(fingerprints).order_by(fingerprints.c.id.desc())).mappings()
    return [_record(row) for row in rows]


def complete(connection: Connection) -> Fingerprint | None:
    """Return the complete one."""
    return next((each for each in every(connection) if each.is_complete), None)


def current(connection: Connection, wanted: str) -> Fingerprint | None:
    """Return the one that reads use: the complete one, or the wanted one as far as it is, if none is."""
    return complete(connection) or get(connection, wanted)


def mark_complete(connection: Connection, fingerprint_id: int) -> None:
    """Let reads use this one from now on, and no other."""
    is_this = fingerprints.c.id == fingerprint_id
    connection.execute(update(fingerprints).values(is_complete=is_this))


def set_trouble(connection: Connection, fingerprint_id: int, trouble: str | None) -> None:
    """Keep why nothing could be embedded; None once something could."""
    connection.execute(
        update(fingerprints)
        .where(fingerprints.c.id == fingerprint_id)
        .values(trouble=trouble, trouble_at=None if trouble is None else clock.now())
    )


def unrelated(connection: Connection, fingerprint_id: int) -> float | None:
    """Return the cosine of texts that have nothing to do with each other; None if that was not measured."""
    kept = meta.get(connection, _UNRELATED.format(fingerprint_id))
    return None if kept is None else float(kept)


def set_unrelated(connection: Connection, fingerprint_id: int, cosine: float) -> None:
    """Keep the cosine of texts that have nothing to do with each other."""
    meta.put(connection, _UNRELATED.format(fingerprint_id), str(cosine))


def drop(connection: Connection, fingerprint_id: int, limit: int) -> bool:
    """Remove so many vectors and so many messages' passages of a fingerprint; True once it is gone itself."""
    left = 0
    for table, key in ((vectors, vectors.c.id), (passages, passages.c.message_id)):
        mine = table.c.fingerprint_id == fingerprint_id
        ids = list(connection.execute(select(key).where(mine).limit(limit)).scalars())
        connection.execute(delete(table).where(mine, key.in_(ids)))
        left += len(ids)
    if left:
        return False
    connection.execute(delete(fingerprints).where(fingerprints.c.id == fingerprint_id))
    stored.note_erasure(connection)
    return True


def _record(row: RowMapping) -> Fingerprint:
    return Fingerprint(**{name: row[name] for name in Fingerprint.__dataclass_fields__})
