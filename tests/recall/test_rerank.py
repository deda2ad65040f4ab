"""A server or a model puts hits into a better order; whatever fails, the order stands and the reason is kept."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from hermes_agent.recall import rerank
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.rerank import Reranking, reorder
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store

HITS = [
    Hit("episode", number, number, "s", "user", text, 1, "user", 0.5, 0.5)
    for number, text in enumerate(["bad", "good", "fine"])
]


@contextmanager
def server(status: int, body: bytes, *, is_silent: bool = False) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """Serve one answer to every request; a silent one is held back until the test is over."""
    asked: list[dict[str, object]] = []
    over = threading.Event()

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            if is_silent:
                over.wait(30)
                return
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Keep quiet."""

    serving = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{serving.server_address[1]}/v1", asked
    finally:
        over.set()
        serving.shutdown()
        thread.join()
        serving.server_close()


def http(url: str, timeout_ms: int = 10_000) -> Reranking:
    return Reranking("http", url=url, timeout_ms=timeout_ms)


def texts(hits: object) -> list[str]:
    assert isinstance(hits, list)
    return [hit.text for hit in hits]


@pytest.mark.parametrize(
    "answer",
    [
        {"results": [{"index": 1, "relevance_score": 0.9}, {"index": 2, "relevance_score": 0.5}]},
        {"data": [{"index": 2, "score": -1}, {"index": 1, "score": 3}]},
    ],
)
def test_the_best_scores_come_first_and_the_rest_follow(answer: object) -> None:
    with server(200, json.dumps(answer).encode()) as (url, asked):
        made = reorder("what?", HITS, http(url))
    assert (texts(made.hits), made.trouble) == (["good", "fine", "bad"], None)
    assert asked == [{"query": "what?", "documents": ["bad", "good", "fine"]}]


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b"{}"),
        (200, b"no json"),
        (200, b"[" * 100_000),
        (200, b'{"results": []}'),
        (200, b'{"results": [{"index": 7, "relevance_score": 1}]}'),
        (200, b'{"results": [{"index": -1, "relevance_score": 1}]}'),
        (200, b'{"results": [{"index": 1, "score": 1}, {"index": 1, "score": 2}]}'),
        (200, b'{"results": [{"index": 1, "score": NaN}]}'),
        (200, b'{"results": [{"index": true, "score": 1}]}'),
        (200, b'{"results": [{"index": 1, "score": 1%s}]}' % (b"0" * 400)),
        (200, b'{"results": [{"index": 1%s, "score": 1}]}' % (b"0" * 400)),
        (200, b'{"results": [{"index": 1, "score": 1%s}]}' % (b"0" * 5_000)),
        (200, b'\xff\xfe{"results": 7}'),
        (200, b'{"results": {"index": 1, "score": 1}, "data": null}'),
        (200, b'{"results": [[1, 0.5]]}'),
    ],
)
def test_the_order_stands_when_the_answer_is_none(status: int, body: bytes) -> None:
    with server(status, body) as (url, _):
        made = reorder("what?", HITS, http(url))
    assert made.hits == HITS
    assert made.trouble is not None
    assert "no answer within" not in made.trouble


def test_a_slow_server_is_not_waited_for() -> None:
    with server(200, b"", is_silent=True) as (url, _):
        began = time.monotonic()
        made = reorder("what?", HITS, http(url, timeout_ms=100))
        took = time.monotonic() - began
    assert made.hits == HITS
    assert made.trouble == "The reranker gave no answer within 100 ms."
    assert took < 5


def test_long_texts_are_cut_and_only_the_best_are_sent() -> None:
    long = [Hit("episode", n, n, "s", "user", "x" * 9_000, 1, "user", 0.5, 0.5) for n in range(4)]
    with server(500, b"") as (url, asked):
        reorder("q" * 9_000, long, Reranking("http", url=url, timeout_ms=10_000, top_n=2))
    documents = asked[0]["documents"]
    assert isinstance(documents, list)
    assert [len(text) for text in documents] == [2_000, 2_000]


def test_what_went_wrong_is_kept_until_it_is_well(tmp_path: Path) -> None:
    store = Store(Sqlite(tmp_path / "s.db"), "default")
    with server(500, b"") as (url, _):
        rerank.apply(store, "what?", HITS, http(url))
    assert "500" in (rerank.trouble(store) or "")
    with server(200, b'{"results": [{"index": 2, "score": 1}]}') as (url, _):
        assert texts(rerank.apply(store, "what?", HITS, http(url)).hits)[0] == "fine"
    assert rerank.trouble(store) is None
    store.close()


def save(folder: Path, model: bytes) -> None:
    """Write a model, and a tokenizer that knows the words of the hits."""
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "bad": 1, "fine": 5, "good": 9}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "model.onnx").write_bytes(model)


def test_a_model_that_takes_long_is_not_waited_for(tmp_path: Path) -> None:
    save(tmp_path, summing_model(multiplications=4))
    made = reorder("what?", HITS, Reranking("onnx", path=tmp_path, timeout_ms=50))
    (at_work,) = [thread for thread in threading.enumerate() if thread.name == "rerank"]
    assert (made.hits, made.trouble) == (HITS, "The reranker gave no answer within 50 ms.")
    at_work.join()
    made = reorder("what?", HITS, Reranking("onnx", path=tmp_path, timeout_ms=60_000))
    assert texts(made.hits) == ["good", "fine", "bad"]


def test_a_model_in_a_folder_scores(tmp_path: Path) -> None:
    save(tmp_path, summing_model())
    made = reorder("what?", HITS, Reranking("onnx", path=tmp_path, timeout_ms=60_000))
    assert (made.trouble, texts(made.hits)) == (None, ["good", "fine", "bad"])


def test_a_folder_without_a_model_says_what_is_missing(tmp_path: Path) -> None:
    made = reorder("what?", HITS, Reranking("onnx", path=tmp_path))
    assert made.hits == HITS
    assert made.trouble is not None and made.trouble.endswith("has no model.onnx.")
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_text("nothing of the kind")
    assert "cannot be run" in (reorder("what?", HITS, Reranking("onnx", path=tmp_path)).trouble or "")


def summing_model(multiplications: int = 0) -> bytes:
    """Write an ONNX model by hand whose score is the sum of the tokens' numbers.

    Large matrices of zeros are multiplied so often first, and added.
    """
    floats, integers = 1, 7
    nodes = [
        _node("Cast", ["input_ids"], "numbers", _text(1, "to") + _number(3, floats) + _number(20, 2)),
        _node("Constant", [], "shape", _integers("value_ints", 2_000, 2_000)),
        _node("ConstantOfShape", ["shape"], "zeros 0"),
        *(_node("MatMul", [f"zeros {each}"] * 2, f"zeros {each + 1}") for each in range(multiplications)),
        _node("ReduceSum", [f"zeros {multiplications}"], "zero"),
        _node("Add", ["numbers", "zero"], "both"),
        _node("ReduceSum", ["both"], "logits", _integers("axes", 1)),
    ]
    graph = b"".join(_part(1, node) for node in nodes) + _text(2, "graph")
    graph += _part(11, _value("input_ids", integers)) + _part(12, _value("logits", floats))
    return _number(1, 8) + _part(7, graph) + _part(8, _number(2, 12))


def _node(kind: str, inputs: Sequence[str], output: str, attribute: bytes = b"") -> bytes:
    given = b"".join(_text(1, name) for name in inputs)
    return given + _text(2, output) + _text(4, kind) + (_part(5, attribute) if attribute else b"")


def _integers(name: str, *values: int) -> bytes:
    return _text(1, name) + b"".join(_number(8, value) for value in values) + _number(20, 7)


def _value(name: str, kind: int) -> bytes:
    shape = _part(1, _text(2, "texts")) + _part(1, _text(2, "tokens"))
    return _text(1, name) + _part(2, _part(1, _number(1, kind) + _part(2, shape)))


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _part(field: int, body: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(body)) + body


def _text(field: int, text: str) -> bytes:
    return _part(field, text.encode())
