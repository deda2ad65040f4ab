"""A turn, from the user's words to the last commit: what is kept, and when."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hermes_agent.agent.events import (
    ApprovalAsked,
    Finished,
    Recalled,
    Redacted,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.agent.turn import DENIED
from hermes_agent.agent.window import NO_RESULT, lines
from hermes_agent.errors import ModelBusy, ModelSetupError
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.block import OPENING
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.talk import AssistantLine, Piece, Request, TextPiece, ToolLine, UserLine
from tests.agent.bench import bench_for, kept, roles, take_turn
from tests.fakes import PlainTool, ScriptedModel, call, reply


def test_the_answer_is_streamed_and_kept(memory: Memory) -> None:
    bench = bench_for(memory, ScriptedModel([reply("Hello Ada")]))
    events = list(take_turn(bench, "Hello"))
    assert "".join(e.text for e in events if isinstance(e, TextDelta)).strip() == "Hello Ada"
    last = events[-1]
    assert isinstance(last, Finished)
    assert (last.response.text, str(last.response)) == ("Hello Ada", "Hello Ada")
    assert last.response.usage.input == 10
    assert [(m.role, m.content) for m in kept(memory, bench)] == [("user", "Hello"), ("assistant", "Hello Ada")]
    assert memory.session(bench.session_id).input_tokens == 10


def test_what_the_user_said_is_kept_before_the_model_is_asked(memory: Memory) -> None:
    seen: list[list[str]] = []

    class Watching(ScriptedModel):
        def ask(self, request: Request) -> Iterator[Piece]:
            seen.append(roles(memory, bench))
            return super().ask(request)

    bench = bench_for(memory, Watching([reply("Yes")]))
    list(take_turn(bench, "Are you there?"))
    assert seen == [["user"]]


def test_a_call_is_kept_before_it_runs_and_its_result_when_it_is_there(memory: Memory) -> None:
    seen: list[list[str]] = []

    def look(arguments: object) -> ToolResult:
        seen.append(roles(memory, bench))
        return ToolResult("42 files", "web")

    model = ScriptedModel([reply("", call("count")), reply("There are 42.")])
    bench = bench_for(memory, model, PlainTool("count", look))
    events = list(take_turn(bench, "How many files?"))
    assert seen == [["user", "assistant"]]
    assert roles(memory, bench) == ["user", "assistant", "tool", "assistant"]
    result = kept(memory, bench)[2]
    assert (result.content, result.source_class, result.tool_name) == ("42 files", "web", "count")
    assert [type(e) for e in events if isinstance(e, ToolStarted | ToolFinished)] == [ToolStarted, ToolFinished]
    assert model.requests[1].lines[1:] == [
        AssistantLine("", (call("count"),)),
        ToolLine("call_1", "count", "42 files"),
    ]


def test_the_second_request_begins_with_the_first(memory: Memory) -> None:
    model = ScriptedModel([reply("", call("count")), reply("Done"), reply("Still here")])
    bench = bench_for(memory, model, PlainTool("count", lambda _: ToolResult("1")))
    list(take_turn(bench, "Count the files"))
    list(take_turn(bench, "And now?"))
    first, second, third = model.requests
    assert (first.system_prompt, first.tools) == (third.system_prompt, third.tools)
    assert list(second.lines[: len(first.lines)]) == list(first.lines)
    assert list(third.lines[: len(second.lines)]) == list(second.lines)


def test_what_is_recalled_is_sent_but_never_kept_as_said(memory: Memory) -> None:
    old = memory.begin(NewSession(source="cli"))
    memory.append(old, NewMessage("user", "My bicycle is red."))
    memory.end(old, "cli_close")
    model = ScriptedModel([reply("It is red."), reply("Red.")])
    bench = bench_for(memory, model)
    events = list(take_turn(bench, "Which colour is my bicycle?"))
    (recalled,) = [e for e in events if isinstance(e, Recalled)]
    assert [item.text for item in recalled.items] == ["My bicycle is red."]
    sent = model.requests[0].lines[0]
    assert isinstance(sent, UserLine)
    assert sent.text.startswith(OPENING)
    assert sent.text.endswith("\n\nWhich colour is my bicycle?")
    said = kept(memory, bench)[0]
    assert (said.content, said.sent) == ("Which colour is my bicycle?", sent.text)
    # What was sent once in this conversation is not sent again.
    list(take_turn(bench, "Is my bicycle really red?"))
    again = model.requests[1].lines[-1]
    assert again == UserLine("Is my bicycle really red?")


def test_a_secret_is_taken_out_before_anything_keeps_or_sends_it(memory: Memory) -> None:
    secret = "sk-" + "proj-" + "Ab3" * 16
    model = ScriptedModel([reply("Noted")])
    bench = bench_for(memory, model)
    events = list(take_turn(bench, f"My key is {secret}, keep it."))
    assert isinstance(events[0], Redacted)
    assert secret not in str(model.requests)
    assert secret not in str(kept(memory, bench))
    assert memory.session_search({"query": secret})["results"] == []


def test_a_secret_in_a_tools_reply_is_not_kept(memory: Memory) -> None:
    secret = "ghp_" + "aB3d" * 9
    model = ScriptedModel([reply("", call("look")), reply("There is a token.")])
    bench = bench_for(memory, model, PlainTool("look", lambda _: ToolResult(f"token {secret}")))
    list(take_turn(bench, "Look"))
    assert secret not in str(kept(memory, bench))
    assert secret not in str(model.requests)


def test_a_tool_that_needs_a_yes_runs_only_after_it(memory: Memory) -> None:
    ran: list[str] = []

    def work(arguments: object) -> ToolResult:
        ran.append("ran")
        return ToolResult("done")

    model = ScriptedModel([reply("", call("shell")), reply("It is done."), reply("", call("shell")), reply("No.")])
    bench = bench_for(memory, model, PlainTool("shell", work, asked="Run rm -rf build?"))
    turn = take_turn(bench, "Clean up")
    event = next(turn)
    assert isinstance(event, ApprovalAsked)
    assert event.question == "Run rm -rf build?"
    turn.send(True)
    list(turn)
    assert ran == ["ran"]
    # Whoever only iterates has said nothing, and nothing means no.
    list(take_turn(bench, "Again"))
    assert ran == ["ran"]
    assert DENIED in (kept(memory, bench)[-2].content or "")


def test_a_failed_turn_leaves_what_was_said_and_why_nothing_was_answered(memory: Memory) -> None:
    model = ScriptedModel([ModelSetupError("OPENAI_API_KEY is not set.", hint="Set it."), reply("Back again.")])
    bench = bench_for(memory, model)
    with pytest.raises(ModelSetupError):
        list(take_turn(bench, "Hello"))
    assert [(m.role, m.finish_reason) for m in kept(memory, bench)] == [("user", None), ("assistant", "error")]
    assert memory.log(1, kind="turn")[0].kind == "turn.failed"
    list(take_turn(bench, "Once more"))
    assert kept(memory, bench)[-1].content == "Back again."


def test_a_killed_tool_call_gets_a_result_that_says_so(memory: Memory) -> None:
    bench = bench_for(memory, ScriptedModel([reply("Fine.")]))
    killed = replace(
        NewMessage("assistant", None),
        tool_calls=[{"id": "x", "type": "function", "function": {"name": "shell", "arguments": "{}"}}],
    )
    memory.append(bench.session_id, NewMessage("user", "Do it"), killed)
    assert lines(memory.window(bench.session_id))[-1] == ToolLine("x", "shell", NO_RESULT)
    list(take_turn(bench, "What happened?"))
    assert kept(memory, bench)[-1].content == "Fine."


def test_rounds_without_end_are_stopped_with_a_plain_word(memory: Memory) -> None:
    bench = bench_for(
        memory, ScriptedModel([reply("", call("look"))]), PlainTool("look", lambda _: ToolResult("again"))
    )
    last = list(take_turn(bench, "Look for ever"))[-1]
    assert isinstance(last, Finished)
    assert last.response.ending == "stopped"
    assert "5 rounds" in last.response.text
    assert kept(memory, bench)[-1].content == last.response.text


def test_an_answer_that_breaks_off_is_an_error_that_is_kept(memory: Memory) -> None:
    bench = bench_for(memory, ScriptedModel([ModelBusy("The server went away.")]))
    with pytest.raises(ModelBusy):
        list(take_turn(bench, "Hello"))
    assert "The server went away." in (kept(memory, bench)[-1].content or "")


def test_words_that_had_come_are_kept_when_the_model_fails(memory: Memory) -> None:
    class Breaking(ScriptedModel):
        def ask(self, request: Request) -> Iterator[Piece]:
            yield TextPiece("The answer is forty-two ")
            raise ModelBusy("The connection broke.")

    bench = bench_for(memory, Breaking([]))
    with pytest.raises(ModelBusy):
        list(take_turn(bench, "What is the answer?"))
    content = kept(memory, bench)[-1].content or ""
    assert content.startswith("The answer is forty-two\n[The answer broke off: The connection broke.")


def test_a_model_that_repeats_the_memory_block_is_not_quoted_with_it(memory: Memory) -> None:
    old = memory.begin(NewSession(source="cli"))
    memory.append(old, NewMessage("user", "My bicycle is red."))
    echo = f"It is red. {OPENING}\n- My bicycle is red.\n</memory-context> Really."
    bench = bench_for(memory, ScriptedModel([reply(echo)]))
    events = list(take_turn(bench, "Which colour is my bicycle?"))
    assert "memory-context" not in "".join(e.text for e in events if isinstance(e, TextDelta))
    assert kept(memory, bench)[-1].content == "It is red.  Really."


def test_an_empty_answer_is_an_error_that_says_so(memory: Memory) -> None:
    bench = bench_for(memory, ScriptedModel([reply("")]))
    with pytest.raises(ModelBusy, match="empty answer"):
        list(take_turn(bench, "Hello"))
    assert "empty answer" in (kept(memory, bench)[-1].content or "")
