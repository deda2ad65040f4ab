"""A memory of its own for each test of the agent."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.memory.memory import Memory
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    store = Store(Sqlite(tmp_path / "state.db"), owner="default")
    yield Memory(store, "default")
    store.close()
