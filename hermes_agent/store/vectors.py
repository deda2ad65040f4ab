"""Vectors: one for each episode or fact and each fingerprint, and which of them are missing. Derived.

A row never changes: a new vector of an item is a new row with a higher id, so that what is kept elsewhere of
the rows up to one id (`matrix.py`) stays true. A vector of zeros says that there was nothing to embed; it is
never found, and never missing either.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, get_args

from sqlalchemy import ColumnElement, Connection, Table, and_, bindparam, delete, exists, func, select

from hermes_agent.records.memory import FactState
from hermes_agent.store import meta
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import episodes, facts, fingerprints, summaries, vectors

if TYPE_CHECKING:
    from numpy import floating
    from numpy.typing import NDArray

    Numbers = Sequence[float] | NDArray[floating]

EPISODE, FACT, SUMMARY = "episode", "fact", "summary"
KINDS = (EPISODE, FACT, SUMMARY)
ERASED = "vectors.erased"
"""How often vectors were erased for good: the key of `store_meta` that whoever keeps copies looks at."""

_ENDED = [state for state in get_args(FactState) if state != "current"]
_OF_ITEMS = and_(vectors.c.kind == bindparam("kind"), is_in(vectors.c.item))
_REPLACED = delete(vectors).where(vectors.c.fingerprint_id == bindparam("fingerprint"), _OF_ITEMS)
# Every fingerprint is named, so that the index by item is used.
_REMOVED = delete(vectors).where(vectors.c.fingerprint_id.in_(select(fingerprints.c.id)), _OF_ITEMS)


def put(connection: Connection, fingerprint_id: int, kind: str, new: "Mapping[int, Numbers]") -> None:
    """Keep a vector for each item, in place of the one it had."""
    if not new:
        return
    whose = {"fingerprint": fingerprint_id, "kind": kind}
    connection.execute(_REPLACED, {**whose, "ids": new})
    fresh = insert_fresh(connection, vectors, ("fingerprint_id", "kind", "item"))
    rows = [
        {"fingerprint_id": fingerprint_id, "kind": kind, "item": item, "vector": vector}
        for item, vector in new.items()
    ]
    connection.execute(fresh, rows)


def remove(connection: Connection, kind: str, items: Collection[int], *, is_erasure: bool = False) -> None:
    """Remove the vectors of items under every fingerprint.

    After an erasure no copy may keep a trace: call the engine's `settle_vectors` when the change is committed.
    """
    connection.execute(_REMOVED, {"kind": kind, "ids": items})
    if is_erasure and items:
        note_erasure(connection)


def note_erasure(connection: Connection) -> None:
    """Let everyone who keeps copies of vectors know that some must go."""
    meta.put(connection, ERASED, str(erasures(connection) + 1))


def erasures(connection: Connection) -> int:
    """Return how often vectors were erased."""
    return int(meta.get(connection, ERASED) or 0)


def wanted(connection: Connection, kind: str) -> int:
    """Count the items that should have a vector."""
    table = _table(kind)
    return int(connection.execute(select(func.count()).select_from(table).where(_is_wanted(kind))).scalar_one())


def wanted_of(connection: Connection, kind: str, items: Collection[int]) -> set[int]:
    """Return those of the items that should have a vector."""
    table = _table(kind)
    found = connection.execute(select(table.c.id).where(_is_wanted(kind), is_in(table.c.id)), {"ids": items})
    return set(found.scalars())


def count(connection: Connection, fingerprint_id: int, kind: str) -> int:
    """Count the vectors."""
    mine = (vectors.c.fingerprint_id == fingerprint_id) & (vectors.c.kind == kind)
    return int(connection.execute(select(func.count()).select_from(vectors).where(mine)).scalar_one())


def done(connection: Connection, fingerprint_id: int, kind: str) -> int:
    """Count the vectors of items that should have one.

    Only a fact can have a vector that is not wanted: one that ended keeps it for whoever asks what was believed.
    Those are taken off: they are few and found by an index, as is the number of all.
    """
    made = count(connection, fingerprint_id, kind)
    if kind != FACT:
        return made
    ended = select(func.count()).select_from(facts).where(facts.c.state.in_(_ENDED))
    has_vector = _has_vector(fingerprint_id, kind, facts)
    return made - int(connection.execute(ended.where(has_vector)).scalar_one())


def missing(
    connection: Connection, fingerprint_id: int, kind: str, limit: int, *, below: int | None = None, since: int = 0
) -> list[int]:
    """Return items without a vector, the newest first: of those from `since` on and `below` a number.

    It looks at every item until it has found enough, so ask for the next ones below the last one returned.
    """
    table = _table(kind)
    query = select(table.c.id).where(
        table.c.id >= since, _is_wanted(kind), ~_has_vector(fingerprint_id, kind, table)
    )
    if below is not None:
        query = query.where(table.c.id < below)
    return [int(item) for item in connection.execute(query.order_by(table.c.id.desc()).limit(limit)).scalars()]


def count_orphans(connection: Connection) -> int:
    """Count the vectors of items that are gone."""
    found = (select(func.count()).select_from(vectors).where(_is_orphan(kind)) for kind in KINDS)
    return sum(int(connection.execute(query).scalar_one()) for query in found)


def remove_orphans(connection: Connection) -> None:
    """Remove the vectors of items that are gone; call the engine's `settle_vectors` when that is committed."""
    removed = sum(connection.execute(delete(vectors).where(_is_orphan(kind))).rowcount for kind in KINDS)
    if removed:
        note_erasure(connection)


def newest(connection: Connection, kind: str, count: int) -> int:
    """Return the number from which on the newest items are, so many of them."""
    table = _table(kind)
    query = select(table.c.id).order_by(table.c.id.desc()).offset(count - 1).limit(1)
    return int(connection.execute(query).scalar() or 0)


def last_put(connection: Connection, fingerprint_id: int) -> int:
    """Return the id of the newest vector of a fingerprint: the higher, the later it was in use."""
    query = select(func.max(vectors.c.id)).where(vectors.c.fingerprint_id == fingerprint_id)
    return int(connection.execute(query).scalar() or 0)


def _table(kind: str) -> Table:
    return {EPISODE: episodes, FACT: facts, SUMMARY: summaries}[kind]


def _is_wanted(kind: str) -> ColumnElement[bool]:
    return episodes.c.state == "raw" if kind == EPISODE else _table(kind).c.state == "current"


def _is_orphan(kind: str) -> ColumnElement[bool]:
    return and_(vectors.c.kind == kind, vectors.c.item.not_in(select(_table(kind).c.id)))


def _has_vector(fingerprint_id: int, kind: str, table: Table) -> ColumnElement[bool]:
    return exists().where(
        vectors.c.fingerprint_id == fingerprint_id, vectors.c.kind == kind, vectors.c.item == table.c.id
    )
