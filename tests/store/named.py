"""The things that a store knows by name, read from its tables."""

from sqlalchemy import Connection, select

from hermes_agent.records.memory import ItemKind, Named
from hermes_agent.store.tables import entities, entity_links

_NAMED = select(entities.c.key, entities.c.name, entities.c.kind).order_by(entities.c.key)


def names(connection: Connection) -> list[Named]:
    """Return all of them, in the order of their keys."""
    return [Named(*row) for row in connection.execute(_NAMED)]


def of_item(connection: Connection, kind: ItemKind, item: int) -> list[Named]:
    """Return those that one episode or fact names."""
    named = _NAMED.join(entity_links, entity_links.c.entity_id == entities.c.id)
    return [
        Named(*row)
        for row in connection.execute(named.where(entity_links.c.kind == kind, entity_links.c.item == item))
    ]
