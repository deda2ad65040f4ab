"""How many sessions wait to be learned from is counted as they are listed, on both engines."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.memory.memory import Memory
from hermes_agent.store import learned
from hermes_agent.store.store import Store
from tests.engines import ENGINES, opened
from tests.recall.conversations import talk


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from opened(request.param, tmp_path)


def test_as_many_are_counted_as_wait(store: Store) -> None:
    memory = Memory(store, "default")
    for number in range(3):
        talk(memory, f"s{number}", "I live in Oslo.", "Noted.")
    with store.write() as connection:
        learned.set_reached(connection, "s1", 2**40)
    later = clock.now() + clock.MICROSECONDS
    with store.read() as connection:
        assert learned.waiting(connection, later, (), 10) == ["s0", "s2"]
        assert [learned.count_waiting(connection, later, (), most) for most in (1, 2, 10)] == [1, 2, 2]
