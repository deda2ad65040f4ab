"""The things that texts name, and which episodes and facts name them. Derived.

A thing is known by its key, in which its spellings meet (`text/entities.py`). A short name and the
name it stands for stay two things, joined by an alias: so each goes when the last text that used
it goes. What nothing names any more is removed at once, because its name was somebody's words.

Several processes may name the same thing at the same moment. Keys are inserted and rows are locked
in one order, so that on PostgreSQL nobody waits in a circle; on SQLite there is one writer anyway.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from sqlalchemy import Connection, Table, bindparam, delete, exists, func, insert, select

from hermes_agent.records.memory import ItemKind, Named, NamedThings
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import entities, entity_aliases, entity_links, episodes, facts

_ITEMS: dict[ItemKind, Table] = {"episode": episodes, "fact": facts}

# Built once: these run in every turn.
_IS_MINE = (entity_links.c.kind == bindparam("kind")) & is_in(entity_links.c.item)
_NAMED_BY = select(entity_links.c.entity_id).where(_IS_MINE).distinct()
_UNLINK = delete(entity_links).where(_IS_MINE)
_KNOWN = select(entities.c.key, entities.c.id).where(is_in(entities.c.key, "keys"))
_MEANT = select(entity_aliases.c.alias, entity_aliases.c.entity_id).where(
    entity_aliases.c.alias.in_(bindparam("keys", expanding=True))
)
_FULL, _SHORT = entities.alias("full"), entities.alias("short")
_SHORTENED = (
    select(_FULL.c.key, _SHORT.c.id)
    .join(entity_aliases, entity_aliases.c.entity_id == _FULL.c.id)
    .join(_SHORT, _SHORT.c.key == entity_aliases.c.alias)
    .where(_FULL.c.key.in_(bindparam("keys", expanding=True)))
)
# Nobody may remove them until the transaction ends.
_HELD = _KNOWN.order_by(entities.c.key).with_for_update(read=True, key_share=True)
_NEWEST_NAMING = (
    select(entity_links.c.item)
    .where(entity_links.c.entity_id == bindparam("entity"), entity_links.c.kind == bindparam("kind"))
    .order_by(entity_links.c.item.desc())
    .limit(bindparam("most"))
)


def link(connection: Connection, kind: ItemKind, named: Mapping[int, NamedThings]) -> None:
    """Say what each item names; none of them is linked yet."""
    things = {thing.key: thing for naming in named.values() for thing in naming.things}
    if not things:
        return
    ids = _require(connection, things)
    links = {(ids[thing.key], item) for item, naming in named.items() for thing in naming.things}
    rows = [{"entity_id": entity_id, "kind": kind, "item": item} for entity_id, item in sorted(links)]
    connection.execute(insert(entity_links), rows)
    for alias, key in sorted({pair for naming in named.values() for pair in naming.aliases}):
        _join(connection, alias, ids[key])


def unlink(connection: Connection, kind: ItemKind, items: Sequence[int]) -> None:
    """Forget what the items name, and the things that nothing names then."""
    mine = {"kind": kind, "ids": items}
    named = list(connection.execute(_NAMED_BY, mine).scalars())
    if not named:
        return
    connection.execute(_UNLINK, mine)
    # Locked in a statement of its own: the next one then sees what others have linked meanwhile.
    locked = select(entities.c.id).where(is_in(entities.c.id)).order_by(entities.c.key).with_for_update()
    connection.execute(locked, {"ids": named})
    is_unnamed = is_in(entities.c.id) & ~exists().where(entity_links.c.entity_id == entities.c.id)
    short = entity_aliases.c.alias.in_(select(entities.c.key).where(is_unnamed))
    connection.execute(delete(entity_aliases).where(short), {"ids": named})
    connection.execute(delete(entities).where(is_unnamed), {"ids": named})


def resolve(connection: Connection, keys: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the things each known key means: the thing itself, what it is short for, and its short names."""
    wanted = sorted(set(keys))
    if not wanted:
        return {}
    found: dict[str, dict[int, None]] = {}
    for query in (_KNOWN, _MEANT, _SHORTENED):
        for key, entity in sorted(connection.execute(query, {"keys": wanted})):
            found.setdefault(key, {})[entity] = None
    return {key: tuple(ids) for key, ids in found.items()}


def items_of(connection: Connection, entity_ids: Sequence[int], kind: ItemKind, limit: int) -> list[int]:
    """Return the items that name any of the things, the newest first."""
    found: set[int] = set()
    # One by one, each read off the end of its index: something often named is in thousands of items.
    for entity_id in entity_ids:
        values = {"entity": entity_id, "kind": kind, "most": limit}
        found.update(connection.execute(_NEWEST_NAMING, values).scalars())
    return sorted(found, reverse=True)[:limit]


def named_in(connection: Connection, session_ids: Collection[str]) -> set[str]:
    """Return the keys of the things that episodes of some sessions name."""
    query = (
        select(entities.c.key)
        .join(entity_links, (entity_links.c.entity_id == entities.c.id) & (entity_links.c.kind == "episode"))
        .join(episodes, episodes.c.id == entity_links.c.item)
        .where(is_in(episodes.c.session_id))
    )
    return set(connection.execute(query, {"ids": session_ids}).scalars())


def known(connection: Connection, keys: Collection[str]) -> set[str]:
    """Return those of the keys that something names."""
    return set(connection.execute(_KNOWN, {"keys": keys}).scalars())


def count(connection: Connection) -> int:
    """Count the things that are named."""
    return int(connection.execute(select(func.count()).select_from(entities)).scalar_one())


def remove_stale(connection: Connection) -> None:
    """Remove links to what is gone, and things that nothing names."""
    for kind, table in _ITEMS.items():
        is_there = exists().where(table.c.id == entity_links.c.item)
        connection.execute(delete(entity_links).where(entity_links.c.kind == kind, ~is_there))
    connection.execute(delete(entities).where(~exists().where(entity_links.c.entity_id == entities.c.id)))
    is_thing = exists().where(entities.c.key == entity_aliases.c.alias)
    connection.execute(delete(entity_aliases).where(~is_thing))


def _require(connection: Connection, things: Mapping[str, Named]) -> dict[str, int]:
    """Return the id of each thing, made where it is new."""
    fresh = insert_fresh(connection, entities, "key")
    while True:
        ids = dict(connection.execute(_HELD, {"keys": sorted(things)}).all())
        missing = sorted(things.keys() - ids.keys())
        if not missing:
            return ids
        # One that another process removes before we hold it is made again.
        new = [{"key": key, "name": things[key].name, "kind": things[key].kind} for key in missing]
        connection.execute(fresh, new)


def _join(connection: Connection, alias: str, entity_id: int) -> None:
    fresh = insert_fresh(connection, entity_aliases, ("alias", "entity_id"))
    connection.execute(fresh, {"alias": alias, "entity_id": entity_id})
