"""A new store is made at once, and is what the migrations would have made of an empty database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from hermes_agent.ids import new_uid
from hermes_agent.store.engine import Engine
from hermes_agent.store.migrate import HEAD, take_steps
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.engines import ENGINES
from tests.postgres import server_address
from tools.new_store import FOLDER, script


def empty(name: str, folder: Path) -> Iterator[Engine]:
    """Yield empty databases of one kind."""
    while True:
        is_file = name == "sqlite"
        yield (
            Sqlite(folder / f"{new_uid()}.db") if is_file else Postgres(server_address(), schema_name(new_uid()))
        )


_ASKED = {
    "sqlite": ("SELECT type, name, sql FROM sqlite_schema", "PRAGMA application_id"),
    "postgres": (
        "SELECT table_name, column_name, ordinal_position, data_type, udt_name, is_nullable, column_default"
        " FROM information_schema.columns WHERE table_schema = current_schema()",
        "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()",
        "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint"
        " WHERE connamespace = current_schema()::regnamespace",
    ),
}
_MARKS = ("SELECT version FROM schema_version", "SELECT version_num FROM alembic_version")


def shape(engine: Engine) -> dict[str, list[str]]:
    """Return what a database holds: its tables with their columns and indexes, and its marks."""
    connections = engine.open()
    with connections.connect() as connection:
        told = {
            question: sorted(
                "".join(" | ".join(map(str, row)).replace(f"{engine.schema}.", "").split())
                for row in connection.execute(text(question))
            )
            for question in (*_ASKED[engine.name], *_MARKS)
        }
    connections.dispose()
    return told


@pytest.mark.parametrize("name", ENGINES)
def test_a_new_store_is_what_the_migrations_make(name: str, tmp_path: Path) -> None:
    engines = empty(name, tmp_path)
    new, migrated = next(engines), next(engines)
    store = Store(new, "default")
    with store.read():
        assert store.shape_found.found is None
    store.close()
    connections = migrated.open()
    with connections.connect() as connection, connection.execution_options(writes=True).begin():
        migrated.lock_shape(connection)
        take_steps(connection, migrated)
    connections.dispose()
    made = shape(new)
    assert made == shape(migrated)
    assert made[_MARKS[0]] == [str(HEAD)]


@pytest.mark.parametrize("name", ENGINES)
def test_the_script_is_what_the_migrations_execute(name: str, tmp_path: Path) -> None:
    """If this fails a migration came: run `python -m tools.new_store`."""
    assert (FOLDER / f"new_{name}.sql").read_text() == script(next(empty(name, tmp_path)))
