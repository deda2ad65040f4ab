"""A turn that is stopped: what had come is kept, and every call has an answer."""

from collections.abc import Iterator
from dataclasses import replace

from hermes_agent.agent.events import (
    Event,
    Finished,
    TextDelta,
    ToolFinished,
)
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.turn import Begun, FinishedTurn
from tests.agent.bench import bench_for, kept, roles, take_turn
from tests.fakes import PlainTool, ScriptedModel, call, reply


def stop_at(turn: Iterator[Event], kind: type[Event]) -> None:
    for event in turn:
        if isinstance(event, kind):
            return


def test_closing_a_turn_keeps_the_words_that_had_come(memory: Memory) -> None:
    bench = bench_for(memory, ScriptedModel([reply("one two three"), reply("Fine.")]))
    turn = take_turn(bench, "Count")
    stop_at(turn, TextDelta)
    turn.close()
    assert [(m.content, m.finish_reason) for m in kept(memory, bench)][1] == ("one ", "interrupted")
    list(take_turn(bench, "Never mind"))
    assert roles(memory, bench) == ["user", "assistant", "user", "assistant"]


def test_closing_a_turn_before_its_second_tool_answers_both_calls(memory: Memory) -> None:
    calls = [call("look", id="a"), call("look", id="b")]
    model = ScriptedModel([reply("", *calls), reply("Fine.")])
    bench = bench_for(memory, model, PlainTool("look", lambda _: ToolResult("seen")))
    turn = take_turn(bench, "Look twice")
    stop_at(turn, ToolFinished)
    turn.close()
    results = {m.tool_call_id: m.content or "" for m in kept(memory, bench) if m.role == "tool"}
    assert results["a"] == "seen"
    assert "stopped" in results["b"]


def test_ctrl_c_in_a_tool_stops_the_turn_and_says_so(memory: Memory) -> None:
    def interrupted(arguments: object) -> ToolResult:
        raise KeyboardInterrupt

    bench = bench_for(memory, ScriptedModel([reply("", call("work"))]), PlainTool("work", interrupted))
    events = list(take_turn(bench, "Work"))
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.response.ending == "interrupted"
    assert "running" in (kept(memory, bench)[2].content or "")


def test_a_turn_that_is_over_is_not_interrupted_by_leaving_it(memory: Memory) -> None:
    bench = bench_for(memory, ScriptedModel([reply("Done")]))
    turn = take_turn(bench, "Go")
    stop_at(turn, Finished)
    turn.close()
    assert roles(memory, bench) == ["user", "assistant"]


def test_ctrl_c_right_after_the_last_commit_answers_once(memory: Memory) -> None:
    class Pressed(Memory):
        def finish_turn(self, session_id: str, turn: FinishedTurn) -> int:
            super().finish_turn(session_id, turn)
            raise KeyboardInterrupt

    bench = bench_for(memory, ScriptedModel([reply("Hello Ada")]))
    pressed = replace(bench, archive=Pressed(memory.store, "default"))
    last = list(take_turn(pressed, "Hello"))[-1]
    assert isinstance(last, Finished)
    assert last.response.ending == "answered"
    assert roles(memory, bench) == ["user", "assistant"]


def test_ctrl_c_right_after_a_result_was_kept_keeps_it_once(memory: Memory) -> None:
    class Pressed(Memory):
        def append(
            self, session_id: str, *new: NewMessage, entry: NewEntry | None = None, begun: Begun | None = None
        ) -> list[int]:
            ids = super().append(session_id, *new, entry=entry, begun=begun)
            if new[0].role == "tool" and not pressed:
                pressed.append(True)
                raise KeyboardInterrupt
            return ids

    pressed: list[bool] = []
    model = ScriptedModel([reply("", call("look", id="a"), call("look", id="b"))])
    bench = bench_for(memory, model, PlainTool("look", lambda _: ToolResult("seen")))
    list(take_turn(replace(bench, archive=Pressed(memory.store, "default")), "Look"))
    results = [(m.tool_call_id, m.content) for m in kept(memory, bench) if m.role == "tool"]
    assert results[0] == ("a", "seen")
    assert [call_id for call_id, _ in results] == ["a", "b"]
