"""Whether the server works, and its figures: told to machines, without a word of memory."""

import pytest
from starlette.testclient import TestClient

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.memory import facts
from hermes_agent.web.site import build
from tests.web.conftest import ADDRESS, Doors


def test_anybody_may_ask_whether_it_is_ready(doors: Doors) -> None:
    answer = doors.stranger().get("/health/ready")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready", "store": True, "worker": True})


def test_a_worker_that_ended_is_not_ready_and_why_is_not_told(app: App) -> None:
    pulse = Pulse(trouble="it choked on my diary")
    answer = TestClient(build(app, pulse), base_url=ADDRESS).get("/health/ready")
    assert (answer.status_code, answer.json()["worker"]) == (503, False)
    assert "diary" not in answer.text


def test_a_store_that_cannot_be_read_is_not_ready(doors: Doors, own_home: Home) -> None:
    doors.stranger().get("/health/ready")
    doors.app.store.close()
    own_home.state_db.write_bytes(b"\0" * 4096)
    answer = doors.stranger().get("/health/ready")
    assert (answer.status_code, answer.json()["store"]) == (503, False)
    assert doors.stranger().get("/health").status_code == 200


def test_figures_need_a_token(doors: Doors) -> None:
    assert doors.stranger().get("/metrics").status_code == 401
    assert doors.program("read").get("/metrics").status_code == 200


def test_the_owner_can_open_the_figures(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_WEB_OPEN_METRICS", "true")
    app = App(own_home, load(own_home))
    assert TestClient(build(app), base_url=ADDRESS).get("/metrics").status_code == 200
    app.close()


def test_figures_tell_requests_by_the_route_and_hold_no_word_of_memory(doors: Doors) -> None:
    program = doors.program()
    made = facts.add(doors.app.store, "Zanzibar has cloves").fact
    program.get(f"/api/facts/{made.id}")
    program.get("/api/facts", params={"about": "Zanzibar"})
    program.get("/no/such/Zanzibar")
    program.request("ZANZIBAR", "/api/facts")
    doors.app.memory.recall("Where are the cloves of Zanzibar?")
    text = program.get("/metrics").text
    assert 'hermes_http_requests_total{method="GET",route="/api/facts/{name}",status="200"} 1.0' in text
    assert 'method="other"' in text and 'route="-",status="404"' in text
    assert 'hermes_memory_items{kind="fact"} 1.0' in text
    assert 'hermes_jobs{state="waiting"}' in text
    assert "hermes_recall_seconds_count 1.0" in text
    assert "hermes_embedding_backlog 1.0" in text
    assert "hermes_store_bytes" in text and "hermes_worker_up 1.0" in text
    assert "anzibar" not in text.lower() and "cloves" not in text


def test_figures_of_a_store_that_cannot_be_read_say_so(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_WEB_OPEN_METRICS", "true")
    broken = App(own_home, load(own_home))
    own_home.root.mkdir()
    own_home.state_db.write_bytes(b"\0" * 4096)
    text = TestClient(build(broken), base_url=ADDRESS).get("/metrics").text
    assert "hermes_store_up 0.0" in text and "hermes_jobs" not in text
    broken.close()


def test_a_monitor_may_ask_for_the_head_alone(doors: Doors) -> None:
    for path in ("/health", "/health/ready"):
        answer = doors.stranger().head(path)
        assert (answer.status_code, answer.text) == (200, "")
