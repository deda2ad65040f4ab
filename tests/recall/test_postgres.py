"""Search on PostgreSQL."""

from collections.abc import Iterator
from datetime import UTC

import pytest

from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.store import Store
from tests.postgres import server_address
from tests.recall.discover_contract import DiscoverContract
from tests.recall.large_contract import LargeContract
from tests.recall.matching_contract import MatchingContract
from tests.recall.tool_contract import ToolContract


def opened() -> Iterator[Memory]:
    store = Store(Postgres(server_address(), schema_name(new_uid())), "default")
    yield Memory(store, "default", UTC)
    store.close()


@pytest.fixture
def memory() -> Iterator[Memory]:
    yield from opened()


@pytest.fixture(scope="class")
def shared_memory() -> Iterator[Memory]:
    yield from opened()


class TestDiscover(DiscoverContract):
    """Searching on PostgreSQL."""


class TestMatching(MatchingContract):
    """What matches on PostgreSQL."""


class TestTool(ToolContract):
    """The tool on PostgreSQL."""


class TestLarge(LargeContract):
    """A large memory on PostgreSQL."""
