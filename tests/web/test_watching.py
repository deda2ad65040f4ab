"""The log of requests: who asked for what kind of thing, and nothing that somebody typed."""

import logging
from collections.abc import Iterator

import pytest

from hermes_agent.jobs.worker import REQUESTS
from hermes_agent.memory import tokens
from tests.web.conftest import Doors


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.INFO, logger=REQUESTS.name):
        yield caplog


def test_a_request_is_a_line_without_what_was_asked(doors: Doors, logged: pytest.LogCaptureFixture) -> None:
    program = doors.program("read")
    program.get("/api/facts", params={"about": "my diary"})
    program.get("/api/facts/77")
    doors.stranger().get("/facts/my-diary")
    lines = [record.getMessage() for record in logged.records if record.name == REQUESTS.name]
    assert [line.split(" ms ")[0].rsplit(" ", 1)[0] for line in lines] == [
        "GET /api/facts 200",
        "GET /api/facts/{name} 404",
        "GET /facts/{number} 401",
    ]
    assert lines[0].endswith("'test read 0'") and lines[2].endswith(" ms -")
    assert "diary" not in logged.text and "77" not in "".join(line.split(" ms ")[0][:-6] for line in lines)


def test_a_token_is_never_in_the_log_however_it_was_shown(doors: Doors, logged: pytest.LogCaptureFixture) -> None:
    link = tokens.create_link(doors.app.store).shown
    made = tokens.create(doors.app.store, "phone", "read").shown
    stranger = doors.stranger()
    stranger.get("/login", params={"code": link})
    stranger.post("/login", data={"token": link})
    stranger.post("/login", data={"token": made})
    stranger.get("/api/facts", headers={"Authorization": f"Bearer {made}"})
    stranger.get("/api/facts", headers={"Authorization": f"Bearer {made}x"})
    stranger.get(f"/{made}")
    stranger.get(f"/facts/{made}?token={made}")
    doors.browser().get("/facts")
    assert "GET /login 200" in logged.text and "a browser" in logged.text
    assert tokens.PREFIX not in logged.text


def test_machines_that_watch_are_counted_and_not_logged(doors: Doors, logged: pytest.LogCaptureFixture) -> None:
    for path in ("/health", "/health/ready", "/metrics"):
        doors.stranger().get(path)
    assert not logged.records
