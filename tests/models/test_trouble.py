"""What goes wrong at a vendor becomes one plain sentence, and is tried again only when that can help."""

import socket

import pytest

from hermes_agent.errors import HermesError, ModelBusy, ModelError, ModelRefused, ModelSetupError, WindowFull
from hermes_agent.models.choose import COMPATIBLE, RemoteChoice
from hermes_agent.models.remote import Remote
from hermes_agent.patience import Patience
from tests.models.asking import HURRIED, VENDOR_KEY, asking, request, whole
from tests.openai_server import Break, Fail, Hang, Plain, Raw, Say, Step

HTML = b"<html><body>502 Bad Gateway</body></html>"


@pytest.mark.parametrize(
    ("step", "kind", "sentence", "attempts"),
    [
        (Fail(401), ModelSetupError, "did not accept the key in OPENAI_API_KEY.", 1),
        (Fail(403, "No."), ModelSetupError, "does not let the key in OPENAI_API_KEY use gpt-5. It says: No.", 1),
        (Fail(404), ModelSetupError, "has no model 'gpt-5'.", 1),
        (Fail(400, code="model_not_found"), ModelSetupError, "has no model 'gpt-5'.", 1),
        (Fail(429), ModelBusy, "asks to slow down (rate limit).", 4),
        (Fail(429, code="insufficient_quota"), ModelSetupError, "says that the quota is used up.", 1),
        (Fail(402), ModelSetupError, "says that the quota is used up.", 1),
        (Fail(500, "Oh."), ModelBusy, "has trouble or is overloaded (500). It says: Oh.", 4),
        (Fail(502, raw=HTML), ModelBusy, "has trouble or is overloaded (502).", 4),
        (Fail(503), ModelBusy, "has trouble or is overloaded (503).", 4),
        (Fail(529), ModelBusy, "has trouble or is overloaded (529).", 4),
        (Fail(408), ModelBusy, "answered with an error (408).", 4),
        (Fail(400, code="context_length_exceeded"), WindowFull, "The conversation is longer than gpt-5 takes.", 1),
        (Fail(400, "maximum context length is 5"), WindowFull, "The conversation is longer than gpt-5 takes.", 1),
        (Fail(400, "exceeds the available context size"), WindowFull, "The conversation is longer than", 1),
        (Fail(400, code="content_filter"), ModelRefused, "its content filter stopped the reply.", 1),
        (Fail(400, "Bad tool."), ModelRefused, "declined the request (400). It says: Bad tool.", 1),
        (Fail(422), ModelRefused, "declined the request (422).", 1),
        (Fail(418, "Tea."), ModelError, "answered with an error (418). It says: Tea.", 1),
        (Say(finish_reason="content_filter"), ModelRefused, "its content filter stopped the reply.", 1),
        (Raw(b"data: {not json\n\n"), ModelError, "answered in a way that cannot be read.", 1),
        (Raw(b"<html>"), ModelError, "answered in a way that cannot be read.", 1),
        (Raw(b'data: {"error": {"message": "Oh.", "code": 500}}\n\n'), ModelBusy, "is overloaded (500).", 4),
        (Raw(b'data: {"error": {"message": "Oh."}}\n\n'), ModelBusy, "broke off in the middle of the answer.", 4),
        (Break(), ModelBusy, "broke off in the middle of the answer.", 4),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, Plain) else None,
)
def test_each_failure_has_its_error_its_sentence_and_its_number_of_attempts(
    step: Step, kind: type[HermesError], sentence: str, attempts: int
) -> None:
    with asking(step, provider="openai-chat", model="gpt-5") as (server, remote):
        with pytest.raises(HermesError) as caught:
            whole(remote.ask(request()))
        assert type(caught.value) is kind
        assert sentence in caught.value.message
        assert len(server.requests) == attempts
        assert "status_code" not in caught.value.message


def test_an_answer_that_ends_without_a_reason_is_not_taken_for_whole() -> None:
    chunk = b'data: {"id": "1", "choices": [{"index": 0, "delta": {"content": "Half"}}]}\n\n'
    with asking(Raw(chunk)) as (_, remote):
        pieces = remote.ask(request())
        next(pieces)
        with pytest.raises(ModelBusy, match="broke off in the middle"):
            next(pieces)


def test_silence_ends_after_a_while_and_is_not_repeated() -> None:
    with asking(Hang(), silence_seconds=0.2) as (server, remote):
        with pytest.raises(ModelBusy, match="did not answer in time"):
            whole(remote.ask(request()))
        assert len(server.requests) == 1


def test_a_transient_failure_is_overcome() -> None:
    with asking(Fail(429, retry_after="0"), Fail(500), Break(), Say("Yes.")) as (server, remote):
        assert whole(remote.ask(request())).text == "Yes."
        assert len(server.requests) == 4
        # The vendor's own client does not try again behind our back.
        assert {sent.headers["x-stainless-retry-count"] for sent in server.requests} == {"0"}


def test_a_vendor_that_asks_for_minutes_is_not_waited_for() -> None:
    with asking(Fail(429, retry_after="120")) as (server, remote):
        with pytest.raises(ModelBusy) as caught:
            whole(remote.ask(request()))
        assert caught.value.hint == "Try again in 120 seconds."
        assert len(server.requests) == 1


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


@pytest.mark.parametrize("model", ["llama3.2", None])
def test_a_refused_connection_names_the_address(model: str | None) -> None:
    address = f"http://127.0.0.1:{free_port()}/v1"
    remote = Remote(RemoteChoice(COMPATIBLE, model, "a test", base_url=address), HURRIED)
    with pytest.raises(ModelSetupError) as caught:
        whole(remote.ask(request()))
    assert caught.value.message == f"No server answers at {address}."
    assert caught.value.hint == "Is the server running? Is the address right?"
    remote.close()


def test_a_wrong_model_name_is_answered_with_a_near_one() -> None:
    with asking(Fail(404), provider="anthropic", model="claude-sonet-5-5") as (_, remote):
        with pytest.raises(ModelSetupError) as caught:
            whole(remote.ask(request()))
        assert caught.value.hint == (
            "Did you mean anthropic:claude-sonnet-5-5? Set it: `hermes model set anthropic:claude-sonnet-5-5`."
        )


def test_a_server_that_wants_a_key_says_where_to_put_it() -> None:
    with asking(Fail(401)) as (server, _):
        choice = RemoteChoice(COMPATIBLE, "m", "a test", base_url=server.url, key_variable="HERMES_API_KEY")
        remote = Remote(choice, HURRIED)
        with pytest.raises(ModelSetupError) as caught:
            whole(remote.ask(request()))
        assert caught.value.message == f"The server at {server.url} wants a key, and HERMES_API_KEY is not set."
        remote.close()


def test_a_key_that_the_vendor_repeats_is_not_repeated_to_the_user() -> None:
    secret = "sk-" + "a1B2" * 12
    words = f"Bad key {VENDOR_KEY}, or was it {secret}?"
    with asking(Fail(403, words), provider="openai", model="gpt-5") as (_, remote):
        with pytest.raises(ModelSetupError) as caught:
            whole(remote.ask(request()))
        error = caught.value
        assert "Bad key …, or was it [redacted" in error.message
        # Nor does the library's error, with what was sent in it, hang behind ours.
        assert error.__cause__ is None
        assert error.__context__ is None


def test_what_a_vendor_says_is_one_short_line() -> None:
    with asking(Fail(418, "first line\n\x1b[31msecond " + "word " * 200)) as (_, remote):
        with pytest.raises(ModelError) as caught:
            whole(remote.ask(request()))
        said = caught.value.message.partition("It says: ")[2]
        assert said.startswith("first line second word")
        assert len(said) <= 300


def test_waits_double_and_vary_and_end() -> None:
    patience = Patience()
    assert [patience.wait_seconds(attempt, None, 0) for attempt in (1, 2, 3, 4)] == [0.5, 1.0, 2.0, None]
    assert [patience.wait_seconds(attempt, None, 1) for attempt in (1, 2, 3)] == [1.0, 2.0, 4.0]


def test_what_a_server_asks_for_is_honoured_up_to_half_a_minute() -> None:
    patience = Patience()
    assert patience.wait_seconds(1, 7, 0.5) == 7
    assert patience.wait_seconds(1, 30, 0.5) == 30
    assert patience.wait_seconds(1, 31, 0.5) is None
