"""Being the only process that does something with a store, also where several machines share it.

On PostgreSQL it is a lock of the connection, which goes with it. A SQLite file is on one machine, where a lock on
a file does the same (`config/held_file.py`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError, PendingRollbackError

from hermes_agent.store.store import Store


@dataclass(frozen=True, slots=True)
class Hold:
    """That nobody else does something, for as long as the connection lasts; a file is held otherwise."""

    connection: Connection | None

    def is_lost(self) -> bool:
        """Tell whether the connection broke: then somebody else may do it by now. Ask in one thread at a time."""
        if self.connection is None:
            return False
        try:
            self.connection.execute(select(1))
        except (DBAPIError, PendingRollbackError):
            return True
        return False


@contextmanager
def alone(store: Store, what: str) -> Iterator[Hold | None]:
    """Let nobody else do something until the block ends; None if somebody does."""
    if store.engine.schema is None:
        yield Hold(None)
        return
    with store.bare() as connection:
        key = func.hashtextextended(f"{store.engine.schema} {what}", 0)
        is_ours = bool(connection.execute(select(func.pg_try_advisory_lock(key))).scalar())
        try:
            yield Hold(connection) if is_ours else None
        finally:
            # Where it broke, the lock went with it.
            if is_ours and not connection.invalidated:
                connection.execute(select(func.pg_advisory_unlock(key)))
