"""A few facts about the store itself: whose it is, when it was last vacuumed."""

from sqlalchemy import Connection, delete, insert, select

from hermes_agent.store.tables import store_meta


def get(connection: Connection, key: str) -> str | None:
    """Return what is kept under a key."""
    return connection.execute(select(store_meta.c.value).where(store_meta.c.key == key)).scalar()


def put(connection: Connection, key: str, value: str) -> None:
    """Keep a value under a key."""
    connection.execute(delete(store_meta).where(store_meta.c.key == key))
    connection.execute(insert(store_meta).values(key=key, value=value))
