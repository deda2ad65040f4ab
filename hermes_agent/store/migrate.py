"""Bring a database to the shape this program knows, or refuse it untouched.

Each step runs in one transaction together with the mark that it ran, so that a kill leaves the
old shape. `schema_version` holds our number where the public product's clients look for theirs:
ours begin at 101, theirs end far below. Alembic is imported only when there is something to do.
"""

from dataclasses import dataclass

import sqlalchemy
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from hermes_agent.errors import NewerStore
from hermes_agent.store import jobs, new_store
from hermes_agent.store.engine import Engine, foreign

HEAD = 113
"""The newest shape: the last revision in `migrations/versions`, as a number."""

_FIRST_WITH_EPISODES = 105
"""What was said before it gets its episodes in the background."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape a database has, and the one it should have. `found` is None in an empty database."""

    found: int | None
    wanted: int = HEAD

    @property
    def is_current(self) -> bool:
        return self.found == self.wanted


def bring_to_shape(connections: sqlalchemy.Engine, engine: Engine) -> Shape:
    """Migrate if needed; return the shape that was found."""
    try:
        with connections.connect() as connection:
            shape = find_shape(connection, engine)
        if not shape.is_current:
            _upgrade(connections, engine)
    except DBAPIError as error:
        raise engine.explain(error) from error
    return shape


def find_shape(connection: Connection, engine: Engine) -> Shape:
    """Read which shape the database has; refuse another program's, and a newer one of ours."""
    tables = set(inspect(connection).get_table_names(schema=engine.schema))
    if not tables:
        return Shape(None)
    if "alembic_version" not in tables or "schema_version" not in tables:
        raise foreign(engine.place)
    return Shape(refuse_newer(connection, engine))


def refuse_newer(connection: Connection, engine: Engine) -> int | None:
    """Return the shape's number; refuse one that a newer program made, also while this one had it open."""
    found: int | None = connection.exec_driver_sql("SELECT max(version) FROM schema_version").scalar()
    if found is not None and found > HEAD:
        raise NewerStore(
            f"{engine.place} has shape {found}; this version of hermes knows shapes up to {HEAD}.",
            hint="Upgrade hermes-agent, or restart it where it was upgraded. The store was not touched.",
        )
    return found


def _upgrade(connections: sqlalchemy.Engine, engine: Engine) -> None:
    with connections.connect() as connection, connection.execution_options(writes=True).begin():
        engine.lock_shape(connection)
        # Another process may have migrated while we waited for the lock.
        shape = find_shape(connection, engine)
        if shape.is_current:
            return
        if shape.found is None:
            new_store.make(connection, engine)
            return
        take_steps(connection, engine)
        if shape.found < _FIRST_WITH_EPISODES:
            jobs.add(connection, "episodes", "episodes")


def take_steps(connection: Connection, engine: Engine) -> None:
    """Run every migration that the database has not seen, within the transaction that is open."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "hermes_agent.store:migrations")
    config.attributes["connection"] = connection
    config.attributes["schema"] = engine.schema
    command.upgrade(config, "head")
