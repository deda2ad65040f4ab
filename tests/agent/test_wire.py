"""A turn's events survive the way to somebody elsewhere."""

import json

import pytest

from hermes_agent.agent import wire
from hermes_agent.agent.events import (
    ApprovalAsked,
    Compacted,
    Event,
    Finished,
    Recalled,
    Redacted,
    Response,
    TextDelta,
    ThinkingDelta,
    ToolFinished,
    ToolStarted,
    Warned,
)
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.recall.block import Item
from hermes_agent.records.talk import ToolCall, Usage

CALL = ToolCall("c1", "shell", '{"command": "ls"}', "look")
ITEM = Item("2026-11-15 18:11", "user", "session a, message 1", "It’s “here”\n\u2028 \x00")
EVENTS: list[Event] = [
    Redacted(["a key"]),
    Warned("Slow."),
    Recalled([ITEM]),
    Compacted(3, None),
    Compacted(3, "it broke"),
    TextDelta("words\r\n\n"),
    ThinkingDelta("hm"),
    ApprovalAsked(CALL, "Run ls?"),
    ToolStarted(CALL),
    ToolFinished(CALL, ToolResult("a.txt", is_error=True, notice="kept")),
    Finished(Response("Done.", "s1", "interrupted", Usage(input=3, output=4), [ITEM])),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_is_read_as_it_was_written(event: Event) -> None:
    name, told = wire.written(event)
    assert wire.read(name, json.loads(json.dumps(told))) == event


def test_a_name_that_is_no_events_is_none() -> None:
    assert wire.read("begun", {}) is None


def test_what_is_malformed_is_no_event() -> None:
    with pytest.raises((KeyError, TypeError)):
        wire.read("text", {"text": 3})
