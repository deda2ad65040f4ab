"""Which things are named together, by the latest texts that name any: what a map of them is drawn from.

Only so many texts are looked at, the newest of each kind: a map shows what is talked of now, and costs the same
in a store of any size.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Table, or_, select

from hermes_agent.records.memory import ItemKind, Thing
from hermes_agent.store.entities import items_of
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import entities, entity_aliases, entity_links, episodes, facts

_KINDS: Sequence[ItemKind] = ("fact", "episode")
_TABLES: dict[ItemKind, Table] = {"fact": facts, "episode": episodes}
_MOST_ITEMS = 1_500
_MOST_TOGETHER = 500


@dataclass(frozen=True, slots=True)
class Together:
    """Things by their number, and those that each text names."""

    things: dict[int, Thing]
    named: Sequence[Collection[int]]


def latest(connection: Connection, kinds: Collection[str] = ()) -> Together:
    """Return the things that the latest texts name, of some kinds or of all."""
    items = {}
    for kind in _KINDS:
        # The last of them by their numbers, read off the end of the table: some may name nothing.
        table = _TABLES[kind]
        newest = select(table.c.id).order_by(table.c.id.desc()).limit(_MOST_ITEMS)
        items[kind] = list(connection.execute(newest).scalars())
    return _together(connection, items, kinds)


def around(connection: Connection, entity_ids: Sequence[int]) -> Together:
    """Return the things that are named together with some of them, by the latest texts that name those."""
    items = {kind: items_of(connection, entity_ids, kind, _MOST_TOGETHER) for kind in _KINDS}
    return _together(connection, items, ())


def by_key(connection: Connection, key: str) -> Thing | None:
    """Return the thing with a key; its mentions are not counted."""
    query = select(entities.c.id, entities.c.key, entities.c.name, entities.c.kind).where(entities.c.key == key)
    row = connection.execute(query).one_or_none()
    return None if row is None else Thing(*row, mentions=0)


def spellings(connection: Connection, thing: Thing) -> list[Thing]:
    """Return what else a thing is called: its short names, and what it is short for."""
    full = select(entity_aliases.c.entity_id).where(entity_aliases.c.alias == thing.key)
    short = select(entity_aliases.c.alias).where(entity_aliases.c.entity_id == thing.id)
    query = (
        select(entities.c.id, entities.c.key, entities.c.name, entities.c.kind)
        .where(or_(entities.c.id.in_(full), entities.c.key.in_(short)), entities.c.id != thing.id)
        .order_by(entities.c.name)
    )
    return [Thing(*row, mentions=0) for row in connection.execute(query)]


def _together(connection: Connection, items: Mapping[ItemKind, Sequence[int]], kinds: Collection[str]) -> Together:
    links = [(kind, item, one) for kind, some in items.items() for item, one in _links(connection, kind, some)]
    query = select(entities.c.id, entities.c.key, entities.c.name, entities.c.kind).where(is_in(entities.c.id))
    wanted = sorted({entity for _, _, entity in links})
    known = {row.id: row for row in connection.execute(query, {"ids": wanted}) if not kinds or row.kind in kinds}
    mentions: dict[int, int] = defaultdict(int)
    named: dict[tuple[str, int], set[int]] = defaultdict(set)
    for kind, item, entity in links:
        if entity in known:
            mentions[entity] += 1
            named[kind, item].add(entity)
    return Together({one: Thing(*known[one], mentions=mentions[one]) for one in known}, list(named.values()))


def _links(connection: Connection, kind: ItemKind, items: Sequence[int]) -> Iterator[tuple[int, int]]:
    query = select(entity_links.c.item, entity_links.c.entity_id).where(
        entity_links.c.kind == kind, is_in(entity_links.c.item)
    )
    yield from (tuple(row) for row in connection.execute(query, {"ids": items}))
