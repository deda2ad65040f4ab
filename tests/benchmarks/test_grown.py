"""A memory grown by copies is whole: every table and index holds each thing once more, and all of it is found."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from sqlalchemy import func, select

from benchmarks.grown import grow, last
from hermes_agent.embedders.local import Local
from hermes_agent.memory import facts
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor
from hermes_agent.store import tables
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.recall.conversations import talk
from tests.recall.remembering import read, recalled

TABLES = ("sessions", "messages", "episodes", "sketches", "entity_links", "vectors", "passages")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(Sqlite(tmp_path / "state.db", cache=tmp_path), "default")
    yield opened
    opened.close()


def sizes(store: Store) -> dict[str, int]:
    with store.read() as connection:
        return {
            name: connection.execute(select(func.count()).select_from(tables.metadata.tables[name])).scalar_one()
            for name in TABLES
        }


def test_a_grown_memory_holds_everything_once_more(store: Store) -> None:
    memory = Memory(store, "default", UTC)
    talk(memory, "yard", "The kiln of Rosalind Hartmann broke.", "Shall I look for a potter?", day=2)
    talk(memory, "bowls", "I painted the bowl blue.", "Lovely.", day=3)
    read(memory, Local())
    before = sizes(store)
    grow(store, 3)
    assert sizes(store) == {name: 4 * count for name, count in before.items()}
    assert doctor.check(store).is_well
    hits = recalled(memory, "What broke?", Local()).hits
    assert "The kiln of Rosalind Hartmann broke." in {hit.text for hit in hits}


def test_what_was_there_before_can_be_left_alone(store: Store) -> None:
    memory = Memory(store, "default", UTC)
    talk(memory, "yard", "The kiln of Rosalind Hartmann broke.", "Shall I look for a potter?", day=2)
    facts.add(store, "Rosalind Hartmann is a potter")
    read(memory, Local())
    before, alone = last(store), sizes(store)
    talk(memory, "bowls", "I painted the bowl of Rosalind Hartmann blue.", "Lovely.", day=3)
    read(memory, Local())
    came = {name: count - alone[name] for name, count in sizes(store).items()}
    grow(store, 3, after=before)
    assert sizes(store) == {name: alone[name] + 4 * count for name, count in came.items()}
    assert doctor.check(store).is_well
