"""An empty store on either engine."""

from collections.abc import Iterator
from pathlib import Path

from hermes_agent.ids import new_uid
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.postgres import server_address

ENGINES = ("sqlite", "postgres")


def opened(name: str, folder: Path) -> Iterator[Store]:
    """Open a new store, and close it when it is no longer wanted."""
    is_file = name == "sqlite"
    engine = Sqlite(folder / "s.db") if is_file else Postgres(server_address(), schema_name(new_uid()))
    store = Store(engine, "default")
    yield store
    store.close()
