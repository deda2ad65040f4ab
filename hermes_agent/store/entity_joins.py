"""Spellings of one thing that were joined: kept for good here, and made aliases of the things that are there.

The things and their aliases are derived, and go with the last text that names them. What was joined stays
known, so that a rebuilt index gets its aliases back; it goes with the last conversation that named the thing.
"""

import json
from collections.abc import Collection, Iterable

from sqlalchemy import Connection, delete, func, select

from hermes_agent.records.memory import Joined, Thing
from hermes_agent.store import meta
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.tables import entities, entity_aliases, entity_links

_KEPT = "entities.joined"


def lock(connection: Connection) -> None:
    """Keep others from joining things until the transaction ends."""
    meta.lock(connection, _KEPT)


def every(connection: Connection) -> list[Joined]:
    """Return all that was joined, also things that nothing names now."""
    kept = json.loads(meta.get(connection, _KEPT) or "[]")
    return [Joined(alias, key) for alias, key in kept]


def change(connection: Connection, *, added: Iterable[Joined] = (), removed: Collection[Joined] = ()) -> None:
    """Join things, and take others apart."""
    new = list(added)
    kept = [one for one in every(connection) if one not in removed]
    kept += [one for one in new if one not in kept]
    meta.put(connection, _KEPT, json.dumps([[one.alias, one.key] for one in kept], ensure_ascii=False))
    for one in removed:
        meant = select(entities.c.id).where(entities.c.key == one.key)
        is_it = (entity_aliases.c.alias == one.alias) & entity_aliases.c.entity_id.in_(meant)
        connection.execute(delete(entity_aliases).where(is_it))
    _make_aliases(connection, new)


def restore(connection: Connection) -> None:
    """Make the aliases of all that was joined and is there."""
    _make_aliases(connection, every(connection))


def things(connection: Connection, kinds: Collection[str], limit: int) -> list[Thing]:
    """Return the things of some kinds, those that were named first before the others."""
    mentions = func.count(entity_links.c.item)
    query = (
        select(entities.c.id, entities.c.key, entities.c.name, entities.c.kind, mentions)
        .join(entity_links, entity_links.c.entity_id == entities.c.id)
        .where(entities.c.kind.in_(sorted(kinds)))
        .group_by(entities.c.id, entities.c.key, entities.c.name, entities.c.kind)
        .order_by(entities.c.id)
        .limit(limit)
    )
    return [Thing(*row) for row in connection.execute(query)]


def aliases(connection: Connection) -> set[tuple[str, str]]:
    """Return which keys mean which others, as the texts say and as they were joined."""
    query = select(entity_aliases.c.alias, entities.c.key)
    return set(connection.execute(query.join(entities, entities.c.id == entity_aliases.c.entity_id)))


def are_named_together(connection: Connection, one: int, other: int) -> bool:
    """Tell whether some text names both things: who does so means two."""
    first, second = entity_links.alias(), entity_links.alias()
    both = (first.c.kind == second.c.kind) & (first.c.item == second.c.item)
    query = select(first.c.item).join(second, both).where(first.c.entity_id == one, second.c.entity_id == other)
    return connection.execute(query.limit(1)).first() is not None


def _make_aliases(connection: Connection, joined: Collection[Joined]) -> None:
    keys = {key for one in joined for key in (one.alias, one.key)}
    if not keys:
        return
    query = select(entities.c.key, entities.c.id).where(entities.c.key.in_(sorted(keys)))
    # Held in one order, as in `entities.py`: nobody may remove them until the transaction ends.
    held = query.order_by(entities.c.key).with_for_update(read=True, key_share=True)
    ids = dict(connection.execute(held).all())
    rows = [
        {"alias": one.alias, "entity_id": ids[one.key]} for one in joined if one.alias in ids and one.key in ids
    ]
    if rows:
        connection.execute(insert_fresh(connection, entity_aliases, ("alias", "entity_id")), rows)
