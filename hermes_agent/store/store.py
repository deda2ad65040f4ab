"""The store: one database of one profile, brought to our shape and handed out in transactions.

`read()` and `write()` are the only ways in. Statements live beside the thing they are about
(`sessions.py`, `messages.py`, `jobs.py`, …); what the engines do their own way hangs on
`store.engine`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, ExceptionContext, event
from sqlalchemy.exc import DBAPIError, PendingRollbackError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from hermes_agent import clock
from hermes_agent.errors import DamagedStore, HermesError, StoreBusy, StoreError, StoreFull
from hermes_agent.ids import new_uid
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import journal, meta, migrate
from hermes_agent.store.engine import Engine


class Store:
    """A store that opens, and migrates, when it is first used."""

    def __init__(self, engine: Engine, owner: str, *, former: str | None = None) -> None:
        """`former` is what the profile was called before it was renamed: a store of that name is its own."""
        self.engine = engine
        self.owner = owner
        self._former = former
        self.shape_found = migrate.Shape(None)
        """The shape the database had when it was opened, before it was migrated."""
        self.has_written = False
        """Whether somebody opened a transaction that writes, and not only as an aside."""
        self._was_full = False

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that sees one moment of the store."""
        with self._transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def write(self, *, is_aside: bool = False, waits: bool = True) -> Iterator[Connection]:
        """Open a transaction that writes: all of it is kept at the end, or nothing.

        An aside is what a read notes about itself: whoever only read has still not written. What `waits` not
        fails at once while another writes.
        """
        with self._transaction(writes=True, waits=waits) as connection:
            # A newer program may have changed the shape since this one opened the store.
            migrate.refuse_newer(connection, self.engine)
            self.has_written = self.has_written or not is_aside
            yield connection

    def refuse_lost(self) -> None:
        """Refuse like a change, without making one, while the file is not where it was opened."""
        with self._transaction(writes=False, looks=True):
            pass  # to begin is to look

    def seek_room(self, *, is_doubtful: bool = False) -> None:
        """Try whether it can be written, without waiting: StoreFull while there is no room, StoreBusy meanwhile.

        Something is kept only after a change found no room, or where it `is_doubtful` whether there is any: a
        transaction that keeps nothing needs none.
        """
        with self.write(is_aside=True, waits=False) as connection:
            if self._was_full or is_doubtful:
                meta.put(connection, meta.ROOM_SOUGHT, str(clock.now()))
        self._was_full = False

    @contextmanager
    def copied(self) -> Iterator[Connection]:
        """Open a transaction in a private copy of this moment, to see what a change would do.

        Nobody waits for it, and nothing of it is kept. Like the store, it is encrypted where the home is.
        """
        with self._explained(), self.engine.copied(self._connections) as connection:
            migrate.refuse_newer(connection, self.engine)
            yield connection

    @contextmanager
    def bare(self) -> Iterator[Connection]:
        """Open a connection outside transactions, for what an engine refuses inside one (VACUUM)."""
        with self._explained(), self._connect(isolation_level="AUTOCOMMIT", is_bare=True) as connection:
            yield connection

    @cached_property
    def uid(self) -> str:
        """What tells this store from every other; a copy of it has the same."""
        with self.read() as connection:
            known = meta.get(connection, meta.STORE_UID)
        if known is not None:
            return known
        with self.write(is_aside=True) as connection:
            return meta.put_first(connection, meta.STORE_UID, new_uid(clock.now()))

    def close(self) -> None:
        """Close the connections. SQLite folds its log into the file when the last process does."""
        if "_connections" in self.__dict__:
            self._connections.dispose()
            del self.__dict__["_connections"]

    @cached_property
    def _connections(self) -> sqlalchemy.Engine:
        engine = self.engine.open()
        event.listen(engine, "handle_error", self._tell_damage)
        try:
            self.shape_found = migrate.bring_to_shape(engine, self.engine)
            self._claim(engine)
        except HermesError:
            engine.dispose()
            raise
        return engine

    def _claim(self, connections: sqlalchemy.Engine) -> None:
        """Mark a new store as this profile's; refuse another profile's, whatever setting led here."""
        with self._explained(), connections.connect() as connection:
            owner = meta.get(connection, "profile")
        if owner is None or owner == self._former:
            connecting = connections.connect().execution_options(writes=True)
            with self._explained(), connecting as connection, connection.begin():
                owner = meta.put_first(connection, "profile", self.owner)
                if owner == self._former:
                    owner = self._rename(connection, owner)
        if owner != self.owner:
            raise StoreError(
                f"{self.engine.place} is the memory of profile {owner!r}, not of {self.owner!r}.",
                hint=f"Profiles never share a store. Use -p {owner}, or set memory.path or memory.schema here.",
            )

    def _rename(self, connection: Connection, former: str) -> str:
        meta.put(connection, "profile", self.owner)
        text = f"The profile {former} was renamed to {self.owner}."
        entry = NewEntry("profile.renamed", self.owner, text, before=former, after=self.owner)
        journal.write(connection, entry)
        return self.owner

    @contextmanager
    def _transaction(self, *, writes: bool, waits: bool = True, looks: bool = False) -> Iterator[Connection]:
        options = {"writes": True, "waits": waits} if writes else {**self.engine.reading, "looks": looks}
        connecting = self._connect(**options)
        with self._explained(), connecting as connection, connection.begin():
            yield connection

    # Any: what SQLAlchemy takes as options.
    def _connect(self, **options: Any) -> Connection:
        with self._explained():
            return self._connections.connect().execution_options(**options)

    def _tell_damage(self, context: ExceptionContext) -> None:
        """A name or a text that is none is damage, which drivers do not tell as an error of their own."""
        if isinstance(context.original_exception, UnicodeDecodeError):
            raise DamagedStore(
                f"{self.engine.place} is damaged: a text in it is none.",
                hint="The file was left as it is. Save what can be read: hermes db repair",
            )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except PoolTimeout as error:
            raise StoreBusy(
                "All connections to the store are in use.", hint="Try again, or raise memory.poolSize."
            ) from error
        except (DBAPIError, PendingRollbackError) as error:
            explained = self.engine.explain(error)
            self._was_full = self._was_full or isinstance(explained, StoreFull)
            raise explained from error
