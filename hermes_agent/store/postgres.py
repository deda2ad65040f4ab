"""The PostgreSQL engine: one schema for each profile, shared by as many daemons as there are.

The connection string is taken as 002 prints it (`postgres://` or `postgresql://`); the password
in it is never shown.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar

import sqlalchemy
from sqlalchemy import Connection, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError

from hermes_agent.errors import (
    HermesError,
    SettingError,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnreachable,
)
from hermes_agent.records.vectors import Fingerprint, Near, Nearest
from hermes_agent.store.engine import Condition
from hermes_agent.store.postgres_text import PostgresText
from hermes_agent.store.vectors import EPISODE

if TYPE_CHECKING:
    from hermes_agent.store.vectors import Numbers

_NAME_LENGTH = 63
_CONNECT_SECONDS = 10
_SHAPE_LOCK = 0x6865726D6573  # "hermes"


def schema_name(profile: str) -> str:
    """Return the schema of a profile: a short readable name and a hash that keeps two profiles apart."""
    digest = hashlib.sha256(profile.encode()).hexdigest()[:8]
    return f"hermes_{re.sub(r'[^a-z0-9]', '_', profile.lower())[:24]}_{digest}"


def _require_driver() -> None:
    if find_spec("psycopg") is None:
        raise StoreError(
            "memory.backend is postgres, but the package psycopg is not installed.",
            hint='Run: pip install "hermes-agent[postgres]" (in a checkout: pip install -e ".[postgres]")',
        )


@dataclass(frozen=True, slots=True)
class Postgres:
    """A PostgreSQL database and the schema in it."""

    connection_string: str = field(repr=False)
    schema: str
    pool_size: int = 5
    ssl_mode: str = "prefer"
    former_schema: str | None = None
    """The schema of the profile before it was renamed; it gets the new name when it is first opened."""
    text: PostgresText = field(default_factory=PostgresText)

    name = "postgres"
    packs_bodies = False
    """Of large values PostgreSQL takes care by itself."""
    # PostgreSQL's default sees a new moment with each statement.
    reading: ClassVar[Mapping[str, Any]] = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z_][a-z0-9_]*", self.schema) or len(self.schema) > _NAME_LENGTH:
            raise SettingError(
                f"{self.schema!r} cannot be the name of a schema.",
                hint="memory.schema takes lower-case letters, digits and _, at most 63 of them.",
            )

    @property
    def place(self) -> str:
        # Made of parts: a password may also stand among the query's options.
        url = self._url
        host = url.host or url.query.get("host") or "localhost"
        port = "" if url.port is None else f":{url.port}"
        return f"postgresql://{host}{port}/{url.database or ''}, schema {self.schema}"

    def open(self) -> sqlalchemy.Engine:
        """Make a pool; each of its connections works in our schema."""
        url = self._url
        arguments: dict[str, Any] = {"connect_timeout": _CONNECT_SECONDS, "application_name": self._client_name}
        if "sslmode" not in url.query:
            arguments["sslmode"] = self.ssl_mode
        _require_driver()
        engine = sqlalchemy.create_engine(
            url, pool_size=self.pool_size, max_overflow=2, pool_pre_ping=True, connect_args=arguments
        )
        # `public` is where extensions live; a profile's own tables are always found first.
        path = f'SET search_path TO "{self.schema}", public'

        def enter_schema(connection: DBAPIConnection, _: object) -> None:
            cursor = connection.cursor()
            cursor.execute(path)
            connection.commit()
            cursor.close()

        event.listen(engine, "connect", enter_schema)
        return engine

    def copied(self, connections: sqlalchemy.Engine) -> AbstractContextManager[Connection]:
        """Open a transaction in a private copy, of which nothing is kept."""
        from hermes_agent.store import postgres_copy  # here: only what is tried first needs it

        return postgres_copy.opened(connections, self.schema)

    def explain(self, error: Exception) -> HermesError:
        """Turn what PostgreSQL says into the error a person can act on."""
        cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
        said = (str(cause).strip() or type(cause).__name__).splitlines()[0]
        state = str(getattr(cause, "sqlstate", None) or "")
        if state.startswith("53"):
            return StoreFull(f"PostgreSQL has no room ({said}).", hint="Nothing of this change was kept.")
        if "extension" in said and "vector" in said:
            return StoreError(
                f"This PostgreSQL lacks the extension pgvector ({said}).",
                hint="Install it on the server (Debian: postgresql-NN-pgvector), then try again.",
            )
        if state in {"40001", "40P01", "55P03"}:
            return StoreBusy(f"Another process was in the way ({said}).", hint="Try again; nothing was changed.")
        if state in {"25006", "42501"}:
            return StoreReadOnly(f"PostgreSQL does not let us write ({said}).", hint="Check the role's rights.")
        if state.startswith("28") or not state or state.startswith(("08", "57", "3D")):
            return StoreUnreachable(
                f"PostgreSQL at {self.place} cannot be used: {said}",
                hint="Check memory.connectionString, memory.sslMode and that the server runs.",
            )
        return StoreError(f"PostgreSQL at {self.place}: {said}")

    def lock_shape(self, connection: Connection) -> None:
        """Take the one advisory lock of all our schemas (they share extensions), then make this schema."""
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _SHAPE_LOCK})
        if self.former_schema is not None and self._is_there(connection, self.former_schema):
            if self._is_there(connection, self.schema):
                raise StoreError(
                    f"{self.place} is there beside {self.former_schema}, which should get its name.",
                    hint="Two memories are never mixed: drop or rename one of the two schemas by hand.",
                )
            connection.execute(text(f'ALTER SCHEMA "{self.former_schema}" RENAME TO "{self.schema}"'))
        connection.execute(text(f'CREATE SCHEMA IF NOT EXISTS "{self.schema}"'))

    def has_schema(self, connection: Connection, profile: str) -> bool:
        """Tell whether the database holds the schema of a profile, or what is left of one."""
        return self._is_there(connection, schema_name(profile))

    def count_others(self, connection: Connection) -> int:
        """Count the connections that others have to this schema, from whatever machine."""
        return int(
            connection.execute(
                text(
                    "SELECT count(*) FROM pg_stat_activity WHERE application_name = :name"
                    " AND datname = current_database() AND pid <> pg_backend_pid()"
                ),
                {"name": self._client_name},
            ).scalar_one()
        )

    @staticmethod
    def _is_there(connection: Connection, schema: str) -> bool:
        query = text("SELECT 1 FROM pg_namespace WHERE nspname = :schema")
        return connection.execute(query, {"schema": schema}).first() is not None

    @property
    def _client_name(self) -> str:
        """What the server calls our connections: others see by it who works in the schema."""
        return f"hermes {self.schema}"[:_NAME_LENGTH]

    def match_vectors(
        self,
        connection: Connection,
        fingerprint: Fingerprint,
        vector: "Numbers",
        limit: int,
        *,
        kinds: Sequence[str] = (EPISODE,),
    ) -> Nearest:
        """Let pgvector compare."""
        from hermes_agent.store import nearness, postgres_vectors  # here: most commands search no vectors

        wanted = nearness.direction(vector, fingerprint)
        if wanted is None or limit <= 0:
            return Nearest([], 0.0)
        found: list[Near] = []
        for kind in kinds:
            found += postgres_vectors.match(connection, fingerprint, kind, wanted.tolist(), limit)
        return nearness.best_of(found, limit)

    def match_outlines(self, connection: Connection, bits: bytes, limit: int) -> Sequence[int]:
        """Let pgvector compare."""
        from hermes_agent.store import postgres_vectors

        return postgres_vectors.match_outlines(connection, bits, limit)

    def settle_vectors(self, connection: Connection, *, is_erasure: bool = False, is_anew: bool = False) -> None:
        """Make the indexes that are missing, drop those that nobody needs; nothing is copied, nor left behind."""
        from hermes_agent.store import postgres_vectors

        if not is_erasure:
            postgres_vectors.settle(connection, self.schema)

    def check_vectors(self, connection: Connection) -> Sequence[str]:
        """Nothing to say: nothing is copied."""
        return ()

    def inspect(self, connection: Connection, *, is_thorough: bool) -> Condition:
        """Tell version and size; PostgreSQL checks its own pages as it reads them."""
        size = connection.execute(
            text(
                "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) FROM pg_class c"
                " WHERE c.relnamespace = CAST(:schema AS regnamespace) AND c.relkind = 'r'"
            ),
            {"schema": self.schema},
        ).scalar_one()
        version = connection.execute(text("SHOW server_version")).scalar_one()
        return Condition(f"PostgreSQL {version}", int(size), ())

    def vacuum(self, connection: Connection) -> None:
        """Give dead rows back and refresh the statistics that searches are planned with."""
        tables = sqlalchemy.inspect(connection).get_table_names(schema=self.schema)
        for table in tables:
            connection.execute(text(f'VACUUM (ANALYZE) "{self.schema}"."{table}"'))

    def erase(self, connection: Connection) -> bool:
        """Write every table, its large values and its indexes anew; the server's log is the server's."""
        for table in sqlalchemy.inspect(connection).get_table_names(schema=self.schema):
            connection.execute(text(f'VACUUM (FULL, ANALYZE) "{self.schema}"."{table}"'))
        return True

    def fold(self, connection: Connection) -> bool:
        """Nothing to do: a server is not copied by its files."""
        return True

    @property
    def _url(self) -> sqlalchemy.URL:
        try:
            url = make_url(self.connection_string)
        except (ArgumentError, ValueError) as error:
            raise SettingError(
                "memory.connectionString is not a database address.",
                hint="It looks like postgres://user:password@host:5432/database",
            ) from error
        if url.get_backend_name() not in {"postgres", "postgresql"}:
            raise SettingError(
                f"memory.connectionString begins with {url.drivername}://, which is not PostgreSQL.",
                hint="It looks like postgres://user:password@host:5432/database",
            )
        return url.set(drivername="postgresql+psycopg")
