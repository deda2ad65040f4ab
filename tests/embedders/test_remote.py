"""Embedding over real HTTP: what is sent, and what becomes of every kind of answer."""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from email.utils import formatdate

import numpy
import pytest

from hermes_agent import clock
from hermes_agent.embedders import ollama, openai, voyage
from hermes_agent.embedders.batches import unit
from hermes_agent.embedders.embedder import Matrix
from hermes_agent.embedders.remote import Remote, Target
from hermes_agent.embedders.vendor import Model, Vendor
from hermes_agent.errors import EmbedderDown, EmbedderMismatch
from hermes_agent.patience import Patience
from tests.embeddings_server import (
    AtMost,
    Declining,
    Drip,
    Fail,
    Hang,
    Raw,
    Server,
    Step,
    Vectors,
    serve,
    vector_of,
)

KEY = "sk-not-a-real-key"
AT_ONCE = Patience(attempts=3, first_wait_seconds=0)
SMALL = Model("small", 8, (4,), window_bytes=40)
LONG = Model("long", 8, window_bytes=4_000)

Connect = Callable[..., tuple[Remote, Server]]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Run a server with a script, and an embedder that asks it."""
    with ExitStack() as opened:

        def run(
            *script: Step,
            vendor: Vendor = openai.VENDOR,
            model: Model = SMALL,
            dimensions: int | None = None,
            batch_size: int = 100,
            seconds: float = 20,
            patience: Patience = AT_ONCE,
        ) -> tuple[Remote, Server]:
            server = opened.enter_context(serve(*script))
            address = server.root if vendor is ollama.VENDOR else server.url
            length = model.dimensions if dimensions is None else dimensions
            target = Target(vendor, model, length, address, "SOME_API_KEY", batch_size, KEY)
            remote = Remote(
                target, patience=patience, query_patience=patience, seconds=seconds, query_seconds=seconds
            )
            return opened.enter_context(closing(remote)), server

        yield run


def expected(*texts: str, dimensions: int = 8) -> Matrix:
    return unit(numpy.stack([vector_of(text, dimensions) for text in texts]))


def body(*vectors: object) -> bytes:
    return json.dumps({"data": [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]}).encode()


def test_openai_is_asked_in_its_language(connect: Connect) -> None:
    remote, server = connect(Vectors(8))
    rows = remote.embed(["one", "three", "seventeen"])
    assert numpy.allclose(rows, expected("one", "three", "seventeen"), atol=1e-6)
    [request] = server.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.json == {
        "model": "small",
        "input": ["one", "three", "seventeen"],
        "encoding_format": "base64",
    }


def test_a_shorter_length_is_asked_for(connect: Connect) -> None:
    remote, server = connect(Vectors(8), dimensions=4)
    assert numpy.allclose(remote.embed(["one"]), expected("one", dimensions=4), atol=1e-6)
    assert server.requests[0].json["dimensions"] == 4
    asked_voyage, server = connect(Vectors(8), vendor=voyage.VENDOR, dimensions=4)
    asked_voyage.embed(["one"])
    assert server.requests[0].json["output_dimension"] == 4


def test_voyage_is_told_what_is_a_query(connect: Connect) -> None:
    remote, server = connect(Vectors(8), vendor=voyage.VENDOR)
    remote.embed(["one"])
    remote.embed_query("two")
    assert [request.json["input_type"] for request in server.requests] == ["document", "query"]


def test_ollama_is_asked_in_its_language_with_the_words_the_model_knows(connect: Connect) -> None:
    remote, server = connect(Vectors(768), vendor=ollama.VENDOR, model=ollama.VENDOR.models[0])
    rows = remote.embed(["one"])
    remote.embed_query("two")
    assert numpy.allclose(rows, expected("search_document: one", dimensions=768), atol=1e-6)
    assert [request.path for request in server.requests] == ["/api/embed", "/api/embed"]
    assert [request.json["input"] for request in server.requests] == [
        ["search_document: one"],
        ["search_query: two"],
    ]


def test_printed_numbers_are_read_as_well(connect: Connect) -> None:
    remote, _ = connect(Vectors(8, is_printed=True))
    assert numpy.allclose(remote.embed(["one", "two"]), expected("one", "two"), atol=1e-6)


def test_batches_hold_no_more_texts_than_wanted_and_blank_ones_are_not_sent(connect: Connect) -> None:
    remote, server = connect(Vectors(8), batch_size=4)
    texts = [f"text {number:02}" for number in range(10)]
    rows = remote.embed(["", *texts, " "])
    assert numpy.allclose(rows[1:-1], expected(*texts), atol=1e-6)
    assert [len(request.json["input"]) for request in server.requests] == [4, 4, 2]


def test_a_request_stays_below_the_vendors_limits(connect: Connect) -> None:
    remote, server = connect(
        Vectors(8), vendor=voyage.VENDOR, model=Model("small", 8, window_bytes=60_000), batch_size=10_000
    )
    assert remote.batch_size == voyage.VENDOR.most_texts
    remote.embed(["x" * 50_000, "語" * 20_000, "short"])
    sizes = [sum(len(text.encode()) for text in request.json["input"]) for request in server.requests]
    assert len(sizes) > 1
    assert max(sizes) <= voyage.VENDOR.most_bytes


def test_a_text_is_cut_to_the_window_and_never_within_a_letter(connect: Connect) -> None:
    remote, server = connect(Vectors(8))
    remote.embed(["é" * 1_000, "x" + "é" * 1_000])
    assert server.requests[0].json["input"] == ["é" * 20, "x" + "é" * 19]


def test_nothing_to_embed_asks_nobody(connect: Connect) -> None:
    remote, server = connect(Vectors(8))
    remote.embed([])
    remote.embed_query(" ")
    assert server.requests == []


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_a_busy_server_is_asked_again(connect: Connect, status: int) -> None:
    remote, server = connect(Fail(status), Fail(status), Vectors(8))
    assert numpy.allclose(remote.embed(["one"]), expected("one"), atol=1e-6)
    assert len(server.requests) == 3


def test_a_server_that_stays_busy_is_down_after_three_tries(connect: Connect) -> None:
    remote, server = connect(Fail(503, "Overloaded."))
    with pytest.raises(EmbedderDown, match=r"busy or has trouble \(503\)\. It says: Overloaded\.") as failure:
        remote.embed(["one"])
    assert failure.value.hint is not None
    assert len(server.requests) == 3


def test_what_the_server_asks_for_is_waited_for(connect: Connect) -> None:
    remote, _ = connect(Fail(429, headers={"Retry-After": "0.3"}), Vectors(8))
    began = clock.monotonic()
    remote.embed(["one"])
    assert clock.monotonic() - began >= 0.3


@pytest.mark.parametrize(
    "asked", ["3600", formatdate(clock.to_seconds(clock.now()) + 3_600, usegmt=True)], ids=["seconds", "date"]
)
def test_a_server_that_wants_an_hour_is_down_at_once(connect: Connect, asked: str) -> None:
    remote, server = connect(Fail(429, headers={"Retry-After": asked}), Vectors(8))
    with pytest.raises(EmbedderDown):
        remote.embed(["one"])
    assert len(server.requests) == 1


@pytest.mark.parametrize("asked", ["soon", "nan", "-5", "inf", "Mon, 99 Foo 2026 00:00:00 GMT"])
def test_a_wish_that_cannot_be_read_is_no_wish(connect: Connect, asked: str) -> None:
    remote, server = connect(Fail(429, headers={"Retry-After": asked}), Vectors(8))
    remote.embed(["one"])
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "did not accept the key in SOME_API_KEY"),
        (403, "did not accept the key"),
        (404, "has no model 'small'"),
        (302, r"declined the request \(302\)"),
        (418, r"declined the request \(418\)"),
    ],
)
def test_what_time_cannot_mend_is_said_at_once(connect: Connect, status: int, words: str) -> None:
    remote, server = connect(Fail(status, headers={"Location": "http://127.0.0.1:1/"}))
    with pytest.raises(EmbedderDown, match=words):
        remote.embed(["one"])
    assert len(server.requests) == 1


def test_what_is_too_much_at_once_is_sent_in_halves(connect: Connect) -> None:
    remote, server = connect(AtMost(3))
    texts = [f"text {number:02}" for number in range(10)]
    assert numpy.allclose(remote.embed(texts), expected(*texts), atol=1e-6)
    assert len(server.requests) > 4


@pytest.mark.parametrize(
    "refusal", [Fail(400, "Too many tokens."), Fail(500, "input is too large to process"), Fail(413, "No.")]
)
def test_of_a_text_too_long_for_the_server_the_beginning_counts(connect: Connect, refusal: Fail) -> None:
    remote, server = connect(AtMost(3, characters=500, refusal=refusal), model=LONG)
    texts = ["short", "x" * 1_600, "y" * 900]
    assert numpy.allclose(remote.embed(texts), expected("short", "x" * 400, "y" * 450), atol=1e-6)
    assert len(server.requests) < 10


def test_a_text_that_is_declined_alone_is_said(connect: Connect) -> None:
    remote, _ = connect(Fail(400, "No such dimensions."))
    with pytest.raises(EmbedderDown, match="No such dimensions"):
        remote.embed(["one", "two"])


def test_a_text_that_is_declined_while_another_is_taken_gets_zeros(connect: Connect) -> None:
    remote, server = connect(Declining("two"))
    rows = remote.embed(["one", "two", "three"])
    assert numpy.allclose(rows[[0, 2]], expected("one", "three"), atol=1e-6)
    assert not rows[1].any()
    assert len(server.requests) < 10
    with pytest.raises(EmbedderDown, match="not allowed"):
        remote.embed_query("two")


def test_neither_key_nor_text_is_repeated(connect: Connect) -> None:
    secret = "the diary of a very private person"
    for message in (f"Bad key {KEY}", f"Bad input: {secret}"):
        remote, _ = connect(Fail(400, message))
        with pytest.raises(EmbedderDown) as failure:
            remote.embed([secret])
        said = f"{failure.value.message} {failure.value.hint} {remote!r} {vars(remote)}"
        assert KEY not in said
        assert "diary" not in said


HOSTILE = [
    pytest.param(body([1.0] * 7), "8 numbers were expected, and vectors of 7 came", id="too short a vector"),
    pytest.param(body([1.0] * 9), "8 numbers were expected, and vectors of 9 came", id="too long a vector"),
    pytest.param(body(), "1 vectors were expected, and 0 came", id="no vector"),
    pytest.param(body([1.0] * 8, [1.0] * 8), "1 vectors were expected, and 2 came", id="too many vectors"),
    pytest.param(b'{"data": [{"index": 7, "embedding": []}]}', "vectors were expected", id="a wrong index"),
    pytest.param(b'{"data": [{"index": "0", "embedding": []}]}', "holds no vectors", id="an index of text"),
    pytest.param(b'{"data": [{"index": []}]}', "holds no vectors", id="an index of nothing"),
    pytest.param(b'{"data": [{"index": 0}]}', "holds no vectors", id="no embedding"),
    pytest.param(b'{"data": [7]}', "holds no vectors", id="numbers for objects"),
    pytest.param(b'{"data": {"0": 1}}', "holds no vectors", id="no list"),
    pytest.param(b'{"embeddings": [[1]]}', "holds no vectors", id="another vendor's language"),
    pytest.param(b"<html>Welcome</html>", "holds no vectors", id="a page"),
    pytest.param(b"", "holds no vectors", id="nothing"),
    pytest.param(b"[" * 50_000, "holds no vectors", id="brackets without end"),
    pytest.param(b"\xff\xfe\x00", "holds no vectors", id="no text"),
    pytest.param(body([float("nan")] * 8), "something else than numbers", id="not a number"),
    pytest.param(body([float("inf")] * 8), "something else than numbers", id="infinity"),
    pytest.param(body([1e300] * 8), "something else than numbers", id="more than fits"),
    pytest.param(body([10**400] * 8), "something else than numbers", id="a whole number without end"),
    pytest.param(body([None] * 8), "something else than numbers", id="null"),
    pytest.param(body(["one"] * 8), "something else than numbers", id="words"),
    pytest.param(body([[1.0]] * 8), "something else than numbers", id="lists in lists"),
    pytest.param(body([{}] * 8), "something else than numbers", id="objects"),
    pytest.param(body("AAAA"), "something else than numbers", id="half a number in base64"),
    pytest.param(body("not base64!"), "something else than numbers", id="no base64"),
    pytest.param(body("AAAAAA=="), "8 numbers were expected, and vectors of 1 came", id="one number in base64"),
    pytest.param(body("AADAfw==" * 8), "something else than numbers", id="base64 with an end in the middle"),
]


@pytest.mark.parametrize(("answer", "words"), HOSTILE)
def test_an_answer_that_holds_no_good_vectors_is_refused(connect: Connect, answer: bytes, words: str) -> None:
    remote, server = connect(Raw(answer))
    with pytest.raises(EmbedderMismatch, match=words) as failure:
        remote.embed(["one"])
    assert server.root in failure.value.message
    assert len(server.requests) == 1


def test_infinity_in_base64_is_refused(connect: Connect) -> None:
    packed = base64.b64encode(numpy.full(8, numpy.inf, "<f4").tobytes()).decode()
    remote, _ = connect(Raw(body(packed)))
    with pytest.raises(EmbedderMismatch, match="something else than numbers"):
        remote.embed(["one"])


def test_ollamas_answers_are_checked_too(connect: Connect) -> None:
    for answer in (b'{"embeddings": []}', b'{"embeddings": {}}', b'{"embedding": [1]}', b"[]"):
        remote, _ = connect(Raw(answer), vendor=ollama.VENDOR)
        with pytest.raises(EmbedderMismatch):
            remote.embed(["one"])


def test_a_vector_of_zeros_stays_one(connect: Connect) -> None:
    remote, _ = connect(Raw(body([0] * 8)))
    assert not remote.embed(["one"]).any()


def test_an_answer_without_end_is_cut_off(connect: Connect) -> None:
    remote, _ = connect(Raw(b'{"data": "' + b"x" * 1_000_000 + b'"}'))
    with pytest.raises(EmbedderDown, match="far more than was asked for"):
        remote.embed(["one"])


def test_a_server_that_stays_silent_is_left(connect: Connect) -> None:
    remote, server = connect(Hang(), seconds=2)
    with pytest.raises(EmbedderDown, match="did not answer in 2 seconds"):
        remote.embed_query("one")
    assert len(server.requests) == 1


@pytest.mark.parametrize("ask", [lambda remote: remote.embed_query("one"), lambda remote: remote.embed(["one"])])
def test_a_server_that_sends_a_header_at_a_time_is_left_and_may_come_back(
    connect: Connect, ask: Callable[[Remote], Matrix]
) -> None:
    remote, server = connect(Drip(), Vectors(8), seconds=2)
    with pytest.raises(EmbedderDown, match="did not answer in 2 seconds"):
        ask(remote)
    assert len(server.requests) == 1
    assert ask(remote).any()


def test_all_that_is_tried_for_a_query_counts_towards_its_time(connect: Connect) -> None:
    remote, server = connect(Fail(503, headers={"Retry-After": "5"}), Vectors(8), seconds=4)
    with pytest.raises(EmbedderDown, match="503"):
        remote.embed_query("one")
    assert len(server.requests) == 1


def test_a_server_that_is_not_there_is_said_and_may_come_back(connect: Connect) -> None:
    with serve(Vectors(8)) as gone:
        address = gone.url
    target = Target(openai.VENDOR, SMALL, 8, address, "SOME_API_KEY", 100)
    with closing(Remote(target, patience=AT_ONCE)) as remote, pytest.raises(EmbedderDown) as failure:
        remote.embed(["one"])
    assert address in failure.value.message
    assert failure.value.hint is not None


def test_after_closing_it_can_be_asked_again(connect: Connect) -> None:
    remote, _ = connect(Vectors(8))
    remote.embed(["one"])
    remote.close()
    assert remote.embed(["two"]).any()
