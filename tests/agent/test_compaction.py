"""Long conversations: what leaves the window, what stands for it, and that nothing is lost."""

from dataclasses import replace

from hermes_agent.agent.nudge import Intervals
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.errors import WindowFull
from hermes_agent.memory.memory import Memory
from hermes_agent.store import jobs
from tests.agent.bench import bench_for, kept, take_turn
from tests.fakes import PlainTool, ScriptedModel, call, reply


def test_a_full_window_is_compacted_and_nothing_is_lost(memory: Memory) -> None:
    model = ScriptedModel([reply("x " * 700)], context_window=4_000)
    without_words = ScriptedModel([], is_embedded=True)
    bench = replace(bench_for(memory, model, recall_tokens=0), light_model=without_words)
    for number in range(12):
        list(take_turn(bench, f"Tell me about thing{number} and marmalade{number}"))
    every = kept(memory, bench)
    assert len([m for m in every if m.role == "user"]) == 12
    assert any(m.state == "compacted" for m in every)
    assert any(m.is_summary and "thing0" in (m.content or "") for m in every)
    found = memory.session_search({"query": "marmalade0"})
    assert found["count"] == 1
    asked = model.requests[-1]
    assert sum(len(str(line)) for line in asked.lines) < 4_000 * 3


def test_a_model_that_refuses_the_length_is_asked_again_with_less(memory: Memory) -> None:
    model = ScriptedModel([reply("first"), reply("second"), WindowFull("Too long."), reply("third")])
    bench = bench_for(memory, model, recall_tokens=0)
    for said in ("One", "Two"):
        list(take_turn(bench, said + " word " * 100))
    list(take_turn(bench, "Three " + "word " * 3000))
    assert kept(memory, bench)[-1].content == "third"


def test_a_long_turn_is_compacted_round_by_round_and_keeps_its_request(memory: Memory) -> None:
    rounds = [reply("", call("look", id=f"c{number}")) for number in range(40)]
    model = ScriptedModel([*rounds, reply("Done.")], context_window=4_000)
    tool = PlainTool("look", lambda _: ToolResult("x" * 1_800))
    bench = replace(
        bench_for(memory, model, tool, recall_tokens=0),
        light_model=ScriptedModel([], is_embedded=True),
        max_rounds=50,
    )
    list(take_turn(bench, "Find the marmalade"))
    assert kept(memory, bench)[-1].content == "Done."
    for request in model.requests:
        text = str(request.lines)
        assert text.count("Find the marmalade") == 1
        assert len(text) < 4_000 * 3
        assert "No result was recorded" not in text
        assert text.count("[Summary of the ") <= 1


def test_a_later_summary_carries_the_earlier_one(memory: Memory) -> None:
    light = ScriptedModel([reply("FIRST-MARK was said."), reply("SECOND")])
    model = ScriptedModel([reply("x " * 700)], context_window=4_000)
    bench = replace(bench_for(memory, model, recall_tokens=0), light_model=light)
    for number in range(12):
        list(take_turn(bench, f"Tell me about thing{number}"))
    assert len(light.requests) >= 2
    assert "FIRST-MARK" in str(light.requests[1].lines)


def test_a_review_is_due_also_after_compaction(memory: Memory) -> None:
    model = ScriptedModel([reply("x " * 700)], context_window=4_000)
    bench = replace(
        bench_for(memory, model, recall_tokens=0),
        light_model=ScriptedModel([], is_embedded=True),
        nudges=Intervals(memory_turns=10, skill_rounds=0),
    )
    for number in range(10):
        list(take_turn(bench, f"Tell me about thing{number}"))
    with memory.store.read() as connection:
        assert [job.kind for job in jobs.recent(connection, 5)] == ["review"]
