"""Being the only process that does something with a store, also where several machines share it.

On PostgreSQL it is a lock of the connection, which goes with it. A SQLite file is on one machine, where a lock on
a file does the same (`config/held_file.py`).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import func, select

from hermes_agent.store.store import Store


@contextmanager
def alone(store: Store, what: str) -> Iterator[bool]:
    """Tell whether nobody else does something, and let nobody do it until the block ends."""
    if store.engine.schema is None:
        yield True
        return
    with store.bare() as connection:
        key = func.hashtextextended(f"{store.engine.schema} {what}", 0)
        is_ours = bool(connection.execute(select(func.pg_try_advisory_lock(key))).scalar())
        try:
            yield is_ours
        finally:
            if is_ours:
                connection.execute(select(func.pg_advisory_unlock(key)))
