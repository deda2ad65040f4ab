"""Every way a turn ends leaves its episode: answered, failed, stopped in the middle, or out of rounds."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.agent.events import TextDelta
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.errors import ModelBusy
from hermes_agent.memory.memory import Memory
from hermes_agent.store import episodes
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.agent.bench import bench_for, kept, take_turn
from tests.fakes import PlainTool, ScriptedModel, call, reply


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    store = Store(Sqlite(tmp_path / "state.db"), owner="default")
    yield Memory(store, "default")
    store.close()


def extents(memory: Memory) -> list[tuple[int, int]]:
    with memory.store.read() as connection:
        return [(one.first_message, one.last_message) for one in episodes.latest(connection, 10)][::-1]


def test_an_answered_turn_with_tools_is_one_episode(memory: Memory) -> None:
    model = ScriptedModel([reply("", call("look")), reply("Seen.")])
    bench = bench_for(memory, model, PlainTool("look", lambda _: ToolResult("a lot of output")))
    list(take_turn(bench, "Look"))
    ids = [message.id for message in kept(memory, bench)]
    assert extents(memory) == [(ids[0], ids[-1])]


def test_a_failed_turn_is_an_episode(memory: Memory) -> None:
    bench = bench_for(memory, ScriptedModel([reply("")]))
    with pytest.raises(ModelBusy):
        list(take_turn(bench, "Say nothing"))
    ids = [message.id for message in kept(memory, bench)]
    assert extents(memory) == [(ids[0], ids[-1])]


def test_a_stopped_turn_is_an_episode(memory: Memory) -> None:
    bench = bench_for(memory, ScriptedModel([reply("one two three")]))
    turn = take_turn(bench, "Count")
    for event in turn:
        if isinstance(event, TextDelta):
            break
    turn.close()
    ids = [message.id for message in kept(memory, bench)]
    assert len(ids) == 2
    assert extents(memory) == [(ids[0], ids[-1])]


def test_a_turn_out_of_rounds_is_an_episode(memory: Memory) -> None:
    model = ScriptedModel([reply("", call("look", id=f"call_{number}")) for number in range(5)])
    bench = bench_for(memory, model, PlainTool("look", lambda _: ToolResult("seen")))
    list(take_turn(bench, "Look for ever"))
    ids = [message.id for message in kept(memory, bench)]
    assert extents(memory) == [(ids[0], ids[-1])]
