"""`memory.rerank.*`, from the setting to what people see: another order, or the same one and the reason why."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.store import jobs
from tests.conftest import Hermes
from tests.recall.conversations import talk
from tests.recall.remembering import read


class Reversing(BaseHTTPRequestHandler):
    """Takes the last of the texts for the best."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        scores = [{"index": place, "relevance_score": place} for place in range(len(asked["documents"]))]
        body = json.dumps({"results": scores}).encode()
        self.send_response(200 if self.path == "/v1/rerank" else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Keep quiet."""


@contextmanager
def reversing() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Reversing) as serving:
        thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield f"http://127.0.0.1:{serving.server_address[1]}/v1"
        finally:
            serving.shutdown()
            thread.join()


@contextmanager
def silent() -> Iterator[str]:
    """Take connections and never answer."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def dead_address() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return f"http://127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture(autouse=True)
def harbour(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember three things about a harbour that fit the word more or less."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    ensure(own_home)
    app = App(own_home, load(own_home))
    talk(app.memory, "one", "The harbour.")
    talk(app.memory, "two", "The harbour of Porto has four piers and a lighthouse.", day=1)
    talk(app.memory, "three", "We met an old sailor near the harbour who knew every ship by its name.", day=2)
    read(app.memory, app.embedder)
    app.close()


def rerank(hermes: Hermes, url: str, timeout_ms: int = 20_000) -> None:
    for name, value in (("provider", "http"), ("url", url), ("timeoutMs", str(timeout_ms))):
        assert hermes("config", "set", f"memory.rerank.{name}", value).exit_code == 0


def order(hermes: Hermes) -> list[str]:
    outcome = hermes("memory", "search", "--type", "episodes", "--json", "harbour")
    assert outcome.exit_code == 0
    return [one["session_id"] for one in json.loads(outcome.stdout)["results"]]


def test_the_reranker_decides_the_order_of_a_search(hermes: Hermes) -> None:
    before = order(hermes)
    assert sorted(before) == ["one", "three", "two"]
    with reversing() as url:
        rerank(hermes, url)
        assert order(hermes) == before[::-1]
        assert "Reranker trouble" not in hermes("memory", "status", "--verbose").stdout
        assert json.loads(hermes("status", "--json").stdout)["reranker"] == {"provider": "http", "trouble": None}


def test_the_reranker_decides_what_the_budget_of_a_task_keeps(hermes: Hermes) -> None:
    def kept() -> list[str]:
        told = json.loads(hermes("memory", "context", "harbour", "--budget", "90", "--json").stdout)
        return [item["where"].split(",")[0] for item in told["items"]]

    hermes("config", "set", "memory.retrieval.recencyEpisodes", "0")
    hermes("config", "set", "memory.retrieval.minRelevanceScore", "0")
    before = kept()
    with reversing() as url:
        rerank(hermes, url)
        after = kept()
    assert before and after and before != after


def test_the_order_stands_without_the_reranker_and_the_status_says_why(hermes: Hermes) -> None:
    before = order(hermes)
    address = dead_address()
    rerank(hermes, address)
    assert order(hermes) == before
    reason = f"The reranker at {address}/rerank cannot be reached."
    assert reason in hermes("memory", "search", "harbour").stderr
    assert reason in hermes("memory", "context", "harbour").stderr
    assert f"Reranker trouble: {reason}\n" in hermes("memory", "status").stdout
    assert json.loads(hermes("memory", "status", "--json").stdout)["reranker_trouble"] == reason
    outcome = hermes("status")
    assert outcome.exit_code == 1
    assert reason in outcome.stdout and "memory.rerank.*" in outcome.stdout
    hermes("config", "set", "memory.rerank.provider", "none")
    assert (hermes("status").exit_code, reason in hermes("memory", "status").stdout) == (0, False)


def test_a_search_that_notes_what_was_wrong_is_no_change_that_jobs_follow(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = App(own_home, load(own_home))
    with app.store.write() as connection:
        jobs.add(connection, "prune", "prune")
    rerank(hermes, dead_address())
    monkeypatch.delenv("HERMES_NO_JOBS")
    order(hermes)
    assert "Reranker trouble: " in hermes("memory", "status").stdout
    with app.store.read() as connection:
        assert jobs.open_keys(connection, ["prune"])
    app.close()


def test_what_was_wrong_is_told_until_a_search_went_well(hermes: Hermes) -> None:
    rerank(hermes, dead_address())
    order(hermes)
    assert "Reranker trouble: " in hermes("memory", "status").stdout
    with reversing() as url:
        rerank(hermes, url)
        order(hermes)
    assert "Reranker trouble: " not in hermes("memory", "status").stdout


def test_a_reranker_is_waited_for_no_longer_than_is_set(hermes: Hermes) -> None:
    before = order(hermes)
    with silent() as url:
        rerank(hermes, url, timeout_ms=100)
        began = clock.monotonic()
        assert order(hermes) == before
        assert clock.monotonic() - began < 10
    told = hermes("memory", "status").stdout
    assert "Reranker trouble: The reranker gave no answer within 100 ms.\n" in told
