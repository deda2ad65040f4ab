"""An empty memory on each of the engines; a test that wants another one says so itself."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest

from hermes_agent.memory.memory import Memory
from hermes_agent.store.store import Store
from tests.engines import ENGINES, opened
from tests.memory.old_talk import DAY, LONG_AGO, NOW, talk, work_off


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store on each of the engines."""
    yield from opened(request.param, tmp_path)


@pytest.fixture
def memory(store: Store) -> Memory:
    return Memory(store, "default", UTC)


@pytest.fixture
def old(memory: Memory) -> Memory:
    """A memory with three conversations of March and one of May."""
    for number in range(3):
        talk(memory, f"march-{number}", LONG_AGO + number * DAY)
    talk(memory, "may", NOW - 3 * DAY, [("The new cat is called Mimi.", "Mimi!")])
    work_off(memory)
    return memory
