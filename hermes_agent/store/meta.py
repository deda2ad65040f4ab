"""A few facts about the store itself: whose it is, when it was last vacuumed."""

from collections.abc import Collection, Sequence

from sqlalchemy import Connection, bindparam, delete, select, update

from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.tables import store_meta

LAST_VACUUM = "last_vacuum"
LAST_COMPRESSION = "last_compression"
ROOM_SOUGHT = "room_sought"
"""When it was last tried whether there is room again."""
STORE_UID = "store_uid"
"""What tells a store from every other; a copy of it has the same."""
JOURNAL_EMPTIED = "journal.emptied"
"""The latest uid of the entries that a reset removed."""
RECEIPT_KEY = "receipts.key"
"""What the hashes of receipts are keyed with, once more: their files are worth nothing without it."""
_BLOCK = 500
_GET = select(store_meta.c.value).where(store_meta.c.key == bindparam("key"))


def get(connection: Connection, key: str) -> str | None:
    """Return what is kept under a key."""
    return connection.execute(_GET, {"key": key}).scalar()


def get_many(connection: Connection, keys: Sequence[str]) -> dict[str, str]:
    """Return what is kept under keys, those under which anything is."""
    found: dict[str, str] = {}
    for start in range(0, len(keys), _BLOCK):
        is_one = store_meta.c.key.in_(keys[start : start + _BLOCK])
        found |= dict(connection.execute(select(store_meta.c.key, store_meta.c.value).where(is_one)).all())
    return found


def put_first(connection: Connection, key: str, value: str) -> str:
    """Keep a value under a key that has none yet; return what is kept there."""
    connection.execute(insert_fresh(connection, store_meta, "key"), {"key": key, "value": value})
    return str(connection.execute(select(store_meta.c.value).where(store_meta.c.key == key)).scalar_one())


def lock(connection: Connection, key: str) -> None:
    """Keep others from locking the same key until the transaction ends; on SQLite a write does so already."""
    put_first(connection, key, "")
    connection.execute(select(store_meta.c.key).where(store_meta.c.key == key).with_for_update())


def hold(connection: Connection, key: str) -> None:
    """Keep others from locking a key until the transaction ends; several may hold it at once."""
    held = select(store_meta.c.key).where(store_meta.c.key == key).with_for_update(read=True)
    if connection.execute(held).first() is None:
        put_first(connection, key, "")
        connection.execute(held)


def put(connection: Connection, key: str, value: str) -> None:
    """Keep a value under a key."""
    put_first(connection, key, value)
    connection.execute(update(store_meta).where(store_meta.c.key == key).values(value=value))


def remove(connection: Connection, keys: Collection[str]) -> None:
    """Keep nothing under keys any more."""
    connection.execute(delete(store_meta).where(store_meta.c.key.in_(sorted(keys))))
