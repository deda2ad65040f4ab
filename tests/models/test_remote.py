"""A remote model over real HTTP: what it is sent, what comes back, and how it is stopped."""

import json
import os
import signal
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.errors import HermesError, ModelBusy, ModelSetupError
from hermes_agent.models.choose import COMPATIBLE, RemoteChoice
from hermes_agent.models.remote import Remote, build
from hermes_agent.records.talk import (
    AssistantLine,
    Line,
    Reply,
    Request,
    TextPiece,
    ThinkingPiece,
    ToolCall,
    ToolLine,
    Usage,
    UserLine,
)
from tests.models.asking import HURRIED, VENDOR_KEY, asking, choice_of, request, whole
from tests.openai_server import MODEL, Break, Call, Fail, Hang, Raw, Say, Server, Step, Use, serve

PROVIDERS = pytest.mark.parametrize(
    ("provider", "model"), [(COMPATIBLE, MODEL), ("openai", "gpt-6.1-sol"), ("anthropic", "claude-sonnet-5-5")]
)


def said(server: Server, provider: str) -> list[object]:
    """Return the conversation of each request, in the field that the vendor has for it."""
    return [asked.json["input" if provider == "openai" else "messages"] for asked in server.requests]


@PROVIDERS
def test_an_answer_comes_in_pieces_and_then_whole(provider: str, model: str) -> None:
    with asking(Say("Hello ", "you", "."), provider=provider, model=model) as (_, remote):
        *pieces, last = remote.ask(request())
        assert pieces == [TextPiece("Hello "), TextPiece("you"), TextPiece(".")]
        assert isinstance(last, Reply)
        assert (last.text, last.calls, last.finish_reason) == ("Hello you.", [], "stop")
        assert last.model == remote.name


@PROVIDERS
def test_tool_calls_come_with_their_arguments_as_written(provider: str, model: str) -> None:
    calls = (Call("memory", '{"action":  "add"}'), Call("search", "{}", id="call_2"))
    with asking(Use(*calls, text="I look."), provider=provider, model=model) as (_, remote):
        reply = whole(remote.ask(request()))
    assert reply.text == "I look."
    assert reply.calls == [ToolCall("call_1", "memory", '{"action":  "add"}'), ToolCall("call_2", "search", "{}")]


@pytest.mark.parametrize("arguments", ['{"action": "ad', "add it", "[1]", "", '{"a": 1} trailing', "\u2028"])
def test_malformed_arguments_are_handed_on_and_can_be_sent_back(arguments: str) -> None:
    with asking(Use(Call("memory", arguments)), Say("Sorry.")) as (server, remote):
        reply = whole(remote.ask(request()))
        assert [call.arguments for call in reply.calls] == [arguments]
        answer = ToolLine("call_1", "memory", "The arguments are not a JSON object.")
        lines = (UserLine("Hello"), AssistantLine("", reply.calls, reply.vendor), answer)
        assert whole(remote.ask(request(*lines))).text == "Sorry."
        sent = server.requests[1].json["messages"][2]["tool_calls"][0]["function"]["arguments"]
        assert isinstance(json.loads(sent), dict)


def test_tokens_are_counted() -> None:
    with asking(Say("Hello")) as (_, remote):
        assert whole(remote.ask(request())).usage == Usage(input=100, output=20, cache_read=60, reasoning=5)
    with asking(Say("Hello"), provider="anthropic") as (_, remote):
        assert whole(remote.ask(request())).usage == Usage(input=110, output=20, cache_read=60, cache_write=10)


def test_thinking_comes_before_the_answer_and_is_kept_apart_from_it() -> None:
    with asking(Say("Four.", thinking="Two and two."), provider="anthropic") as (_, remote):
        *pieces, last = remote.ask(request())
    assert pieces == [ThinkingPiece("Two and two."), TextPiece("Four.")]
    assert isinstance(last, Reply)
    assert (last.text, last.reasoning) == ("Four.", "Two and two.")


@PROVIDERS
def test_what_only_the_vendor_understands_is_sent_back_as_it_came(provider: str, model: str) -> None:
    with asking(Say("Four.", thinking="Two and two."), provider=provider, model=model) as (server, remote):
        first = whole(remote.ask(request()))
        # Through JSON, as the archive keeps it.
        vendor = json.loads(json.dumps(first.vendor))
        lines = (UserLine("Hello"), AssistantLine(first.text, first.calls, vendor), UserLine("And now?"))
        whole(remote.ask(request(*lines)))
        sent = json.dumps(said(server, provider)[1])
    mark = {COMPATIBLE: "reasoning_content", "openai": "encrypted-by-vendor", "anthropic": "signed-by-vendor"}
    assert mark[provider] in sent


def test_plain_words_and_calls_need_nothing_of_the_vendor() -> None:
    with asking(Use(Call("memory"), text="I look.")) as (_, remote):
        assert whole(remote.ask(request())).vendor is None


@pytest.mark.parametrize("vendor", ["words", [1], {}, {"kind": "request", "parts": []}, {"kind": "response"}])
def test_a_vendors_record_that_cannot_be_read_is_replaced_by_words_and_calls(vendor: object) -> None:
    with asking(Say("Yes.")) as (server, remote):
        whole(remote.ask(request(UserLine("Hello"), AssistantLine("Hi.", vendor=vendor), UserLine("So?"))))
        assert server.requests[0].json["messages"][2] == {"role": "assistant", "content": "Hi."}


@PROVIDERS
def test_the_second_request_extends_the_first_byte_for_byte(provider: str, model: str) -> None:
    script: list[Step] = [
        Use(Call("memory", '{"action": "add"}'), text="I note it."),
        Say("Done.", thinking="Hm."),
        Say("Bye."),
    ]
    with asking(*script, provider=provider, model=model) as (server, remote):
        lines: list[Line] = [UserLine("<memory>Ada likes tea.</memory>\n\nHello")]
        for _ in script:
            reply = whole(remote.ask(request(*lines)))
            lines.append(AssistantLine(reply.text, reply.calls, reply.vendor))
            lines += [ToolLine(call.id, call.name, '{"success": true}') for call in reply.calls] or [
                UserLine("More")
            ]
        bodies = [asked.body for asked in server.requests]
        asked = [sent.json for sent in server.requests]
    field = b'"input":[' if provider == "openai" else b'"messages":['
    for earlier, later in zip(bodies, bodies[1:], strict=False):
        begin = earlier.index(field)
        # The conversation is an array: without its closing bracket the earlier one begins the later one.
        end = begin + len(field) + len(_array(earlier, field)) - 1
        assert later[:begin] == earlier[:begin]
        assert later[begin:end] == earlier[begin:end]
    for name in ("tools", "system", "instructions", "prompt_cache_key"):
        assert len({json.dumps(one.get(name)) for one in asked}) == 1


def _array(body: bytes, field: bytes) -> bytes:
    """Return the bytes of the array behind the field's opening bracket, the closing one included."""
    rest = body[body.index(field) + len(field) - 1 :].decode()
    _, end = json.JSONDecoder().raw_decode(rest)
    return rest[1:end].encode()


def test_tools_keep_their_order_and_their_schema() -> None:
    with asking(Say("Yes.")) as (server, remote):
        whole(remote.ask(request()))
        tools = [tool["function"] for tool in server.requests[0].json["tools"]]
    assert [(tool["name"], tool["parameters"]) for tool in tools] == [
        (spec.name, spec.parameters) for spec in request().tools
    ]


def test_anthropics_cache_is_switched_on() -> None:
    with asking(Say("Yes."), provider="anthropic", model="claude-sonnet-5-5") as (server, remote):
        whole(remote.ask(request()))
        sent = server.requests[0].json
    assert sent["system"][-1]["cache_control"]["type"] == "ephemeral"
    assert sent["tools"][-1]["cache_control"]["type"] == "ephemeral"
    assert sent["cache_control"]["type"] == "ephemeral"


def test_openai_gets_a_cache_key_and_keeps_nothing() -> None:
    with asking(Say("Yes."), provider="openai", model="gpt-6.1-sol") as (server, remote):
        for prompt in ("One.", "One.", "Two."):
            whole(remote.ask(request(prompt=prompt)))
        keys = [sent.json["prompt_cache_key"] for sent in server.requests]
        assert [sent.json["store"] for sent in server.requests] == [False] * 3
    assert keys[0] == keys[1] != keys[2]


def test_a_server_is_sent_nothing_that_only_openai_knows() -> None:
    with asking(Say("Yes.")) as (server, remote):
        whole(remote.ask(request()))
        assert set(server.requests[0].json) == {
            *("model", "messages", "tools", "tool_choice", "stream", "stream_options"),
        }


def test_the_key_goes_into_the_header_and_nowhere_else() -> None:
    with asking(Say("Yes."), provider="openai", model="gpt-6.1-sol") as (server, remote):
        whole(remote.ask(request()))
        assert server.requests[0].headers["authorization"] == f"Bearer {VENDOR_KEY}"
        assert VENDOR_KEY.encode() not in server.requests[0].body


def test_a_missing_key_is_said_before_anything_is_sent() -> None:
    choice = RemoteChoice("openai", "gpt-5", "a test", key_variable="OPENAI_API_KEY", is_key_needed=True)
    with pytest.raises(ModelSetupError) as caught:
        Remote(choice)
    assert caught.value.message == "OPENAI_API_KEY is not set, and openai:gpt-5 needs it."
    assert "`hermes model set embedded` needs none." in (caught.value.hint or "")


@pytest.mark.parametrize("provider", ["google", "xai", "mistral", "groq"])
def test_a_vendor_without_its_package_is_asked_in_openais_way(provider: str) -> None:
    choice = RemoteChoice(provider, "some-model", "a test", key="k", key_variable="K", is_key_needed=True)
    model = build(choice)
    assert model.model_name == "some-model"
    assert model.system in (provider, f"{provider}-compatible")


def test_a_provider_whose_package_is_missing_is_said_with_the_way_out() -> None:
    remote = Remote(RemoteChoice("cohere", "command-r", "a test", key="k", key_variable="CO_API_KEY"))
    with pytest.raises(ModelSetupError) as caught:
        whole(remote.ask(request()))
    assert caught.value.hint == 'Install it: pip install "pydantic-ai-slim[cohere]".'


def test_a_server_with_one_model_needs_no_name() -> None:
    models: list[dict[str, object]] = [{"id": "the-only-one", "max_model_len": 9_000}, {"id": "nomic-embed-text"}]
    with serve(Say("Yes."), models=models) as server:
        remote = Remote(choice_of(server, model=None), HURRIED)
        assert remote.name == f"the model at {server.url}"
        assert whole(remote.ask(request())).model == "the-only-one"
        assert (remote.name, remote.context_window) == ("the-only-one", 9_000)
        assert server.requests[0].json["model"] == "the-only-one"
        remote.close()


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ([], "has no model."),
        ([{"id": "one"}, {"id": "two"}], "has 2 models: one, two."),
        (
            [{"id": f"m{number}"} for number in range(20)],
            "has 20 models: m0, m1, m2, m3, m4, m5, m6, m7 and 12 more.",
        ),
        ([{"name": "no id"}, 5, {"id": 7}], "has no model."),
    ],
)
def test_a_server_with_no_or_several_models_needs_a_name(models: list[dict[str, object]], message: str) -> None:
    with serve(Say("Yes."), models=models) as server:
        remote = Remote(choice_of(server, model=None), HURRIED)
        with pytest.raises(ModelSetupError) as caught:
            whole(remote.ask(request()))
        assert caught.value.message == f"The server at {server.url} {message}"
        assert server.requests == []


@pytest.mark.parametrize(
    ("choice", "window"),
    [
        (RemoteChoice("anthropic", "claude-sonnet-5-5", "a test", key="k"), 1_000_000),
        (RemoteChoice("anthropic", "claude-that-is-new", "a test", key="k"), 128_000),
        (RemoteChoice(COMPATIBLE, "llama", "a test", base_url="http://127.0.0.1:9/v1"), 32_768),
        (RemoteChoice("openai", "gpt-5", "a test", key="k", context_window=5_000), 5_000),
    ],
)
def test_the_window_is_known_set_or_guessed(choice: RemoteChoice, window: int) -> None:
    remote = Remote(choice)
    assert remote.context_window == window
    remote.close()


def test_closing_stops_the_answer_at_once() -> None:
    with asking(Hang("Once upon")) as (server, remote):
        pieces = remote.ask(request())
        assert next(pieces) == TextPiece("Once upon")
        pieces.close()
        assert server.left.wait(10)


def test_ctrl_c_stops_the_answer_at_once() -> None:
    with asking(Hang()) as (server, remote):
        pieces = remote.ask(request())
        # Sent when the request is there, so that the wait for the answer is what it interrupts.
        watcher = threading.Thread(target=_interrupt_when_asked, args=(server,))
        watcher.start()
        with pytest.raises(KeyboardInterrupt):
            next(pieces)
        assert server.left.wait(10)
        watcher.join()


def _interrupt_when_asked(server: Server) -> None:
    while not server.requests:
        server.left.wait(0.01)
    os.kill(os.getpid(), signal.SIGINT)


def test_a_stopped_model_can_be_asked_again() -> None:
    with asking(Hang("Once"), Say("Yes.")) as (_, remote):
        pieces = remote.ask(request())
        next(pieces)
        pieces.close()
        assert whole(remote.ask(request())).text == "Yes."


def test_a_closed_model_can_be_asked_again() -> None:
    with asking(Say("Yes.")) as (_, remote):
        assert whole(remote.ask(request())).text == "Yes."
        remote.close()
        assert whole(remote.ask(request())).text == "Yes."


def test_two_threads_ask_at_the_same_time() -> None:
    with asking(Say("Yes.")) as (server, remote):
        texts: list[str] = []
        threads = [
            threading.Thread(target=lambda: texts.append(whole(remote.ask(request())).text)) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert texts == ["Yes."] * 4
        assert len(server.requests) == 4


@PROVIDERS
@pytest.mark.parametrize(
    "lines",
    [
        (UserLine(""),),
        (UserLine(" \n"), UserLine("Hello")),
        (UserLine("One"), UserLine("Two"), UserLine("Three")),
        (ToolLine("call_9", "memory", "nobody asked"), UserLine("Hello")),
        (UserLine("Hello"), AssistantLine("", (ToolCall("call_1", "memory", "{}"),)), UserLine("Well?")),
        (UserLine("Hello"), AssistantLine(""), UserLine("Well?")),
        (UserLine("Hello"), AssistantLine("I spoke last.")),
        (
            UserLine("Hello"),
            AssistantLine("", (ToolCall("call_1", "memory", "{}"),)),
            ToolLine("call_1", "memory", ""),
        ),
        (UserLine("half a character: \ud800"), AssistantLine("\udfff"), UserLine("nul: \0")),
    ],
)
def test_lines_no_vendor_would_take_are_mended(provider: str, model: str, lines: tuple[Line, ...]) -> None:
    with asking(Say("Yes."), provider=provider, model=model) as (server, remote):
        assert whole(remote.ask(request(*lines))).text == "Yes."
        sent = said(server, provider)[0]
    assert isinstance(sent, list)
    assert sent[-1]["role" if "role" in sent[-1] else "type"] in ("user", "tool", "function_call_output")
    assert '""' not in json.dumps([line.get("content") for line in sent])


def test_a_request_without_any_line_is_still_a_request() -> None:
    with asking(Say("Yes.")) as (server, remote):
        assert whole(remote.ask(Request("", ()))).text == "Yes."
        assert server.requests[0].json["messages"] == [{"role": "user", "content": "(empty message)"}]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=15,
)
PLACES = st.sampled_from(["chunk", "choices", "choice", "delta", "tool_calls", "usage", "error", "bytes"])


# Once in some thousand broken streams the client library leaves one of its generators half-run, at any of its
# layers; Python says so when it collects it. Nothing hangs on it: the connection is closed and the error was told.
@pytest.mark.filterwarnings("ignore:.*async_generator object .*aiter:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:Failed to extract usage")
@pytest.mark.filterwarnings("ignore:Unexpected non-string value")
@given(place=PLACES, junk=JSON, raw=st.binary(max_size=60))
def test_whatever_a_server_streams_ends_in_a_reply_or_a_plain_error(place: str, junk: object, raw: bytes) -> None:
    bodies = {
        "chunk": junk,
        "choices": {"id": "1", "choices": junk},
        "choice": {"id": "1", "choices": [junk]},
        "delta": {"id": "1", "choices": [{"index": 0, "delta": junk}]},
        "tool_calls": {"id": "1", "choices": [{"index": 0, "delta": {"tool_calls": junk}}]},
        "usage": {"id": "1", "choices": [], "usage": junk},
        "error": {"error": junk},
    }
    body = raw if place == "bytes" else b"data: " + json.dumps(bodies[place]).encode() + b"\n\n"
    with asking(Raw(body + b"data: [DONE]\n\n")) as (server, remote):
        try:
            assert isinstance(whole(remote.ask(request())), Reply)
        except HermesError as error:
            assert error.message.startswith(f"The server at {server.url} ")
            assert "\n" not in error.message


def test_nothing_is_asked_again_once_words_have_been_shown() -> None:
    with asking(Break("Once upon"), Say("Yes.")) as (server, remote):
        pieces = remote.ask(request())
        assert next(pieces) == TextPiece("Once upon")
        with pytest.raises(ModelBusy, match="broke off in the middle of the answer"):
            next(pieces)
        assert len(server.requests) == 1


def test_a_broken_connection_is_tried_again_while_nothing_was_shown() -> None:
    with asking(Break(), Fail(503), Say("Yes.")) as (server, remote):
        assert whole(remote.ask(request())).text == "Yes."
        assert len(server.requests) == 3
