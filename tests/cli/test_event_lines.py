"""What happens during a turn, in one line each."""

import pytest

from hermes_agent.agent.events import Compacted, Recalled, Redacted, TextDelta, ToolFinished, ToolStarted
from hermes_agent.agent.toolbox import ToolResult, failed
from hermes_agent.cli.event_lines import line_of, visible
from hermes_agent.recall.block import Item
from hermes_agent.records.talk import ToolCall


def item(when: str) -> Item:
    return Item(when, "user", "session x, message 1", "words")


def call(arguments: str, name: str = "shell") -> ToolCall:
    return ToolCall("call_1", name, arguments)


def test_recalled_memories_are_counted_with_their_days() -> None:
    assert line_of(Recalled([item("2026-11-01 10:00")])) == "Recalled 1 memory (2026-11-01)"
    days = [item(f"2026-11-0{day} 10:00") for day in (1, 5, 3, 2, 5)]
    assert line_of(Recalled(days)) == "Recalled 5 memories (2026-11-05, 2026-11-03, 2026-11-02, …)"


def test_secrets_are_named_by_their_kinds() -> None:
    assert line_of(Redacted(["OpenAI key"])) == "A secret (OpenAI key) was taken out before anything was kept."
    assert (
        line_of(Redacted(["JWT", "AWS key"])) == "Secrets (JWT, AWS key) were taken out before anything was kept."
    )


def test_compaction_is_one_line() -> None:
    assert line_of(Compacted(12)) == "12 earlier messages left the window; a summary stands for them."


def test_words_have_no_line() -> None:
    assert line_of(TextDelta("words")) is None


@pytest.mark.parametrize(
    ("called", "line"),
    [
        (call('{"timeout_seconds": 5, "command": "git status"}'), "· shell  git status"),
        (call('{"command": "a\\n  b\\u001b[2J"}'), "· shell  a b"),
        (call('{"path": "a.py", "content": "x"}', "write_file"), "· write_file  a.py"),
        (call('{"action": "add", "target": "user", "content": "Name: Ada"}', "memory"), "· memory  add Name: Ada"),
        (
            call('{"target": "user", "operations": [{"action": "add", "content": "a"}, {"action": "remove"}]}'),
            "· shell  add a; remove",
        ),
        (call('{"unheard_of": "thing"}'), "· shell  thing"),
        (call("{}"), "· shell"),
        (call("not json"), "· shell  not json"),
        (call("[1]"), "· shell  [1]"),
    ],
)
def test_a_call_says_what_it_is_about(called: ToolCall, line: str) -> None:
    assert line_of(ToolStarted(called)) == line


@pytest.mark.parametrize(
    ("result", "line"),
    [
        (ToolResult("a\nb\nc"), "  ✓ 3 lines"),
        (ToolResult("one line"), "  ✓ one line"),
        (ToolResult(""), "  ✓ 0 lines"),
        (ToolResult('{"success": true, "message": "Added."}'), "  ✓ Added."),
        (ToolResult('{"results": [1, 2], "message": "long"}'), "  ✓ 2 results"),
        (ToolResult('{"other": 1}'), "  ✓ 1 line"),
        (failed("There is no such file."), "  ✗ There is no such file."),
        (ToolResult("out\n[exit code 2]", is_error=True), "  ✗ [exit code 2]"),
    ],
)
def test_a_result_says_how_it_went(result: ToolResult, line: str) -> None:
    assert line_of(ToolFinished(call("{}"), result)) == line


def test_a_question_hides_nothing_from_who_must_answer_it() -> None:
    assert visible("rm \u202egnp.x\u202c\x1b[8m -r\n  b") == "rm \\u202egnp.x\\u202c\\x1b[8m -r\n  b"
