"""Which things are named together, by the latest texts that name any: what a map of them is drawn from.

Only so many links are read, the newest of each kind: a map shows what is talked of now, and costs the same in a
store of any size.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, or_, select

from hermes_agent.records.memory import ItemKind, Thing
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import entities, entity_aliases, entity_links

_KINDS: Sequence[ItemKind] = ("fact", "episode")
_MOST_LINKS = 10_000
_MOST_TOGETHER = 2_000


@dataclass(frozen=True, slots=True)
class Together:
    """Things by their number, and those that each text names."""

    things: dict[int, Thing]
    named: Sequence[Collection[int]]


def latest(connection: Connection, kinds: Collection[str] = ()) -> Together:
    """Return the things that the latest texts name, of some kinds or of all."""
    rows: list[tuple[str, int, int]] = []
    for kind in _KINDS:
        newest = (
            select(entity_links.c.kind, entity_links.c.item, entity_links.c.entity_id)
            .where(entity_links.c.kind == kind)
            .order_by(entity_links.c.item.desc())
            .limit(_MOST_LINKS)
        )
        rows += [(kind, item, entity) for _, item, entity in connection.execute(newest)]
    return _together(connection, rows, kinds)


def around(connection: Connection, entity_ids: Sequence[int]) -> Together:
    """Return the things that are named together with some of them, by the latest texts that name those."""
    rows: list[tuple[str, int, int]] = []
    for kind in _KINDS:
        items = select(entity_links.c.item).where(entity_links.c.kind == kind, is_in(entity_links.c.entity_id))
        newest = items.order_by(entity_links.c.item.desc()).limit(_MOST_TOGETHER)
        found = sorted(set(connection.execute(newest, {"ids": entity_ids}).scalars()))
        named = select(entity_links.c.item, entity_links.c.entity_id).where(
            entity_links.c.kind == kind, is_in(entity_links.c.item)
        )
        rows += [(kind, item, entity) for item, entity in connection.execute(named, {"ids": found})]
    return _together(connection, rows, ())


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


def _together(connection: Connection, rows: Sequence[tuple[str, int, int]], kinds: Collection[str]) -> Together:
    query = select(entities.c.id, entities.c.key, entities.c.name, entities.c.kind).where(is_in(entities.c.id))
    wanted = sorted({entity for _, _, entity in rows})
    known = {row.id: row for row in connection.execute(query, {"ids": wanted}) if not kinds or row.kind in kinds}
    mentions: dict[int, int] = defaultdict(int)
    named: dict[tuple[str, int], set[int]] = defaultdict(set)
    for kind, item, entity in rows:
        if entity in known:
            mentions[entity] += 1
            named[kind, item].add(entity)
    return Together({one: Thing(*known[one], mentions=mentions[one]) for one in known}, list(named.values()))
