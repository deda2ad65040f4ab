"""An empty memory on each of the engines; a test that wants another one says so itself."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from hermes_agent.memory.memory import Memory
from hermes_agent.store.store import Store
from tests.engines import ENGINES, opened


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store on each of the engines."""
    yield from opened(request.param, tmp_path)


@pytest.fixture
def memory(store: Store) -> Memory:
    return Memory(store, "default", UTC)
