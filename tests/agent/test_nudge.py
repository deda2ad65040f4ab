"""When a review is due: counted from the archive, at whole intervals, never twice for the same count."""

from hermes_agent.agent.nudge import Intervals, jobs
from hermes_agent.records.archive import NewMessage, Step


def calls(tool: str) -> NewMessage:
    function = {"name": tool, "arguments": "{}"}
    return NewMessage("assistant", None, tool_calls=[{"id": "x", "type": "function", "function": function}])


def due(*said: NewMessage | str, intervals: Intervals) -> list[object]:
    steps = [Step("user", None) if isinstance(one, str) else Step(one.role, one.tool_calls) for one in said]
    return [job.payload for job in jobs("s", reversed(steps), intervals)]


def test_a_review_of_memory_is_due_at_each_whole_interval_of_turns() -> None:
    three = Intervals(memory_turns=3, skill_rounds=0)
    assert [bool(due(*["hi"] * turns, intervals=three)) for turns in range(8)] == [
        False, False, False, True, False, False, True, False,
    ]  # fmt: skip


def test_saving_a_note_begins_the_count_anew() -> None:
    three = Intervals(memory_turns=3, skill_rounds=0)
    assert due("a", "b", calls("memory"), "c", intervals=three) == []
    assert due("a", calls("memory"), "b", "c", "d", intervals=three) != []


def test_rounds_of_tools_count_for_skills_also_when_a_turn_jumps_over_the_interval() -> None:
    four = Intervals(memory_turns=0, skill_rounds=4)
    work = [calls("shell")] * 3
    assert due("a", *work, intervals=four) == []
    (payload,) = due("a", *work, "b", *work, intervals=four)
    assert payload == {"session": "s", "memory": False, "skills": True}


def test_zero_is_never() -> None:
    assert due(*["hi"] * 50, *[calls("shell")] * 50, intervals=Intervals(0, 0)) == []
