"""What forgetting reads, on both engines: a batch of conversations costs hardly more than one of them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy
from sqlalchemy import event

from hermes_agent.memory import reflections
from hermes_agent.memory.memory import Memory
from tests.memory.test_reflections import work

_DONE = ("Rename the garage", "Paint a fence", "Wash six shirts", "Bake bread", "Count sheep", "Sort old photos")


@contextmanager
def statements() -> Iterator[list[str]]:
    """Give what is asked of the store in the block."""
    asked: list[str] = []

    def listen(*given: object) -> None:
        asked.append(str(given[2]))

    event.listen(sqlalchemy.Engine, "before_cursor_execute", listen)
    try:
        yield asked
    finally:
        event.remove(sqlalchemy.Engine, "before_cursor_execute", listen)


def taught(memory: Memory, session_id: str, tasks: int) -> None:
    """Do tasks in one conversation, and reflect on them."""
    for place, what in enumerate(_DONE[:tasks]):
        work(memory, f"{session_id}{place}", what)
    with memory.store.write() as connection:
        moved = f"UPDATE messages SET session_id = '{session_id}0' WHERE session_id LIKE '{session_id}%%'"
        connection.exec_driver_sql(moved)
    reflections.reflect_on(memory.store, f"{session_id}0")


def test_lessons_are_read_once_however_many_go(memory: Memory) -> None:
    taught(memory, "few", 2)
    taught(memory, "many", 6)
    assert len(reflections.recent(memory.store, 99)) == len(_DONE)
    counts = []
    for session_id in ("few0", "many0"):
        with statements() as asked:
            memory.delete([session_id], "owner")
        counts.append(len([one for one in asked if one.startswith("SELECT") and "FROM reflections" in one]))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("is_pruning", [False, True])
def test_the_journal_is_read_once_for_many_conversations(memory: Memory, is_pruning: bool) -> None:
    for place in range(12):
        work(memory, f"s{place}", "Hello")
    counts = []
    for session_ids in (["s0"], [f"s{place}" for place in range(1, 12)]):
        with statements() as asked:
            gone = memory.delete(session_ids, "owner", quiet_since=2**60 if is_pruning else None)
        assert gone == len(session_ids)
        read = [one for one in asked if one.startswith("SELECT") and "FROM journal" in one]
        counts.append(len(read))
    assert counts[0] == counts[1] > 0
