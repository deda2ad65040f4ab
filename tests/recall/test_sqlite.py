"""Search on SQLite."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from hermes_agent.memory.memory import Memory
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.recall.discover_contract import DiscoverContract
from tests.recall.large_contract import LargeContract
from tests.recall.matching_contract import MatchingContract
from tests.recall.tool_contract import ToolContract


def opened(folder: Path) -> Iterator[Memory]:
    store = Store(Sqlite(folder / "state.db"), "default")
    yield Memory(store, "default", UTC)
    store.close()


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    yield from opened(tmp_path)


@pytest.fixture(scope="class")
def shared_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    yield from opened(tmp_path_factory.mktemp("shared"))


class TestDiscover(DiscoverContract):
    """Searching on SQLite."""


class TestMatching(MatchingContract):
    """What matches on SQLite."""


class TestTool(ToolContract):
    """The tool on SQLite."""


class TestLarge(LargeContract):
    """A large memory on SQLite."""
