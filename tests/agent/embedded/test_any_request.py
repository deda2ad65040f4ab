"""Whatever the embedded model is asked, it answers once, raises nothing, and quotes only what it was shown."""

import json
import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from hermes_agent.agent.embedded.smalltalk import HELP, INTRODUCTION
from hermes_agent.recall.block import Item, render
from hermes_agent.records.talk import (
    NOT_NOTED,
    AssistantLine,
    Line,
    Reply,
    Request,
    ToolCall,
    ToolLine,
    ToolSpec,
    UserLine,
)
from tests.agent.embedded.dialogues import DIALOGUES
from tests.agent.embedded.requests import TOOLS, ask, prompt, specs
from tests.counts import count

SPOKEN = [line.said for dialogue in DIALOGUES for session in dialogue.sessions for line in session.lines]
QUOTED = re.compile(r"“([^”]*)”")
OWN_WORDS = " ".join([HELP, INTRODUCTION, NOT_NOTED, "forget …", "forget", "help"])
# What the user may say to correct a note; only the value is theirs.
PROPOSED = re.compile(r"actually, my [\w -]+ is (?P<value>.+)", re.DOTALL)

anything = st.text(st.characters(codec=None, exclude_categories=()), max_size=120)
words = st.one_of(
    st.sampled_from(SPOKEN),
    st.lists(st.sampled_from([word for said in SPOKEN for word in said.split()]), max_size=14).map(" ".join),
    anything,
)
items = st.lists(
    st.builds(
        Item,
        st.sampled_from(["2026-05-03 09:00", "2026-11-10 18:11", "never", "0001-01-01 00:00", ""]),
        st.sampled_from(["user", "assistant", "note"]),
        st.sampled_from(["session 20260503_090000_aaaaaa, message 7", "USER.md", ""]),
        words,
    ),
    max_size=4,
)
user_lines = st.builds(lambda found, said: UserLine(render(found, said)), items, words)
json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), words),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "success",
                    "results",
                    "messages",
                    "content",
                    "role",
                    "timestamp",
                    "session_id",
                    "snippet",
                    "error",
                    "usage",
                    "skills",
                    "name",
                    "started_at",
                    "staged",
                    "operations",
                    "target",
                    "events",
                    "when",
                    "reason",
                ]
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=12,
)
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "tool"]), "content": words, "timestamp": st.floats(0, 4e9)}
)
results = st.fixed_dictionaries(
    {
        "session_id": st.just("20260503_090000_aaaaaa"),
        "when": st.sampled_from(["2026-05-03 09:00", "x"]),
        "started_at": st.sampled_from(["2026-05-03 09:00", "x"]),
        "snippet": words,
        "messages": st.lists(messages, max_size=4),
    }
)
events = st.fixed_dictionaries(
    {
        "when": st.sampled_from(["2026-05-03 09:00", "x"]),
        "kind": st.sampled_from(["turn.answered", "decision.made", "x"]),
        "text": words,
        "reason": st.one_of(st.none(), words),
        "session": st.one_of(st.none(), st.just("20260503_090000_aaaaaa")),
    }
)
replies = st.one_of(
    anything,
    json_values.map(json.dumps),
    st.fixed_dictionaries({"success": st.booleans(), "results": st.lists(results, max_size=3)}).map(json.dumps),
    st.fixed_dictionaries({"success": st.booleans(), "events": st.lists(events, max_size=3)}).map(json.dumps),
)
calls = st.lists(
    st.builds(ToolCall, st.sampled_from(["call_1", "call_2", "call_x", "x"]), st.sampled_from(TOOLS), replies),
    max_size=2,
)
lines: st.SearchStrategy[list[Line]] = st.lists(
    st.one_of(
        user_lines,
        st.builds(AssistantLine, words, calls),
        st.builds(ToolLine, st.sampled_from(["call_1", "call_2", "call_x", "x"]), st.sampled_from(TOOLS), replies),
    ),
    max_size=6,
)
prompts = st.one_of(
    anything,
    st.builds(prompt, st.lists(words, max_size=4), st.lists(words, max_size=3), words),
)
offered = st.lists(st.sampled_from(TOOLS), unique=True).map(lambda names: specs(*names))


def shown(request: Request) -> str:
    """Return every word a request holds; what came as JSON as its own text."""
    parts = [request.system_prompt]
    for line in request.lines:
        parts.append(line.text)
        if isinstance(line, ToolLine):
            parts.append(json.dumps(parsed(line.text), ensure_ascii=False).replace('\\"', '"'))
        if isinstance(line, AssistantLine):
            parts += [call.arguments for call in line.calls]
            parts += [json.dumps(parsed(call.arguments), ensure_ascii=False) for call in line.calls]
    return "\n".join(parts)


def parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def plain(text: str) -> str:
    return text.replace("’", "'").replace("‘", "'").casefold()


def check(request: Request, reply: Reply) -> None:
    """Check one reply: calls of offered tools with ids of their own, or an answer whose quotations were shown."""
    assert bool(reply.calls) != bool(reply.text)
    used = [call.id for line in request.lines if isinstance(line, AssistantLine) for call in line.calls]
    for call in reply.calls:
        assert call.name in {tool.name for tool in request.tools}
        assert isinstance(json.loads(call.arguments), dict)
    ids = [call.id for call in reply.calls]
    assert len(set(ids)) == len(ids)
    assert not set(ids) & set(used)
    given_words = plain(shown(request) + OWN_WORDS)
    for quoted in QUOTED.findall(reply.text):
        proposed = PROPOSED.fullmatch(quoted)
        held = quoted if proposed is None else proposed["value"]
        assert plain(held) in given_words, f"{quoted!r} was never said"


@settings(max_examples=count(150, 5_000))
@given(prompts, lines, offered)
@example("", [], [])
@example("", [UserLine("")], [])
@example("", [AssistantLine("", [ToolCall("x", "memory", "{}")])], specs(*TOOLS))
@example("", [ToolLine("x", "memory", "{}")], specs(*TOOLS))
def test_any_request_is_answered_with_words_it_holds(
    system_prompt: str, talk: list[Line], tools: list[ToolSpec]
) -> None:
    request = Request(system_prompt, talk, tools)
    check(request, ask(request))


@settings(max_examples=count(100, 3_000))
@given(
    st.lists(words, min_size=1, max_size=4), st.lists(words, max_size=3), st.lists(replies, min_size=3, max_size=3)
)
def test_any_tool_reply_leads_to_an_answer(said: list[str], noted: list[str], answers: list[str]) -> None:
    talk: list[Line] = []
    for text in said:
        talk.append(UserLine(text))
        for _ in range(3):
            request = Request(prompt(user=noted), talk, specs(*TOOLS))
            reply = ask(request)
            check(request, reply)
            talk.append(AssistantLine(reply.text, reply.calls))
            if not reply.calls:
                break
            talk += [ToolLine(call.id, call.name, answers[i % 3]) for i, call in enumerate(reply.calls)]
        else:
            raise AssertionError("it asked for tools without end")
