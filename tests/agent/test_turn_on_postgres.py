"""The same turn on PostgreSQL: kept step by step, compacted, counted."""

from dataclasses import replace

from hermes_agent.agent.nudge import Intervals
from hermes_agent.agent.recollection import Recollection
from hermes_agent.agent.toolbox import Toolbox, ToolResult
from hermes_agent.agent.turn import Bench, hear, take_turn
from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewSession
from hermes_agent.store import jobs
from hermes_agent.store.postgres import schema_name
from tests.fakes import PlainTool, ScriptedModel, call, reply
from tests.postgres import server_address
from tests.proof.places import open_at


def test_turns_are_kept_compacted_and_counted_on_postgres() -> None:
    store = open_at(f"{server_address()}#{schema_name(new_uid())}")
    memory = Memory(store, "default")
    session_id = memory.begin(NewSession(source="cli", system_prompt="You remember."))
    tool = PlainTool("look", lambda _: ToolResult("seen"))
    model = ScriptedModel([reply("", call("look")), reply("x " * 700)], context_window=4_000)
    bench = Bench(
        archive=memory,
        model=model,
        light_model=ScriptedModel([], is_embedded=True),
        toolbox=Toolbox({"look": tool}),
        session_id=session_id,
        prompt=lambda: "You remember.",
        max_rounds=5,
        nudges=Intervals(memory_turns=10, skill_rounds=0),
        recollection=Recollection(memory, session_id, 0),
    )
    for number in range(10):
        turn = replace(bench, model=replace(model, requests=[]))
        list(take_turn(turn, hear(memory, session_id, f"Look for thing{number}")))
    kept = list(memory.messages(session_id))
    assert len([message for message in kept if message.role == "user"]) == 10
    assert len([message for message in kept if message.role == "tool"]) == 10
    assert any(message.state == "compacted" for message in kept)
    assert memory.session_search({"query": "thing0"})["count"] == 1
    with store.read() as connection:
        assert [job.kind for job in jobs.recent(connection, 5)] == ["review"]
    store.close()
