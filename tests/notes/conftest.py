"""A notebook in a home of its own, with small limits, and the memory tool on it."""

from collections.abc import Iterator

import pytest

from hermes_agent.agent.tools.memory import MemoryTool
from hermes_agent.config.paths import Home, ensure
from hermes_agent.memory.notebook import Notebook
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store


@pytest.fixture
def notebook(own_home: Home) -> Iterator[Notebook]:
    ensure(own_home)
    store = Store(Sqlite(own_home.state_db), "default")
    yield Notebook(store, own_home, memory_limit=500, user_limit=300)
    store.close()


@pytest.fixture
def tool(notebook: Notebook) -> MemoryTool:
    return MemoryTool(notebook, "s1")
