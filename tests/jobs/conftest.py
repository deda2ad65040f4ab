"""A store for jobs, on each of the engines."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.ids import new_uid
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.postgres import server_address


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    is_file = request.param == "sqlite"
    engine = Sqlite(tmp_path / "s.db") if is_file else Postgres(server_address(), schema_name(new_uid()))
    store = Store(engine, "default")
    yield store
    store.close()
