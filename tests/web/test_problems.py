"""Whatever is wrong with a request is a problem in words, and never a 500."""

import pytest

from hermes_agent import clock
from tests.web.conftest import Doors

PROBLEM = "application/problem+json"


@pytest.mark.parametrize(
    "path",
    [
        "/api/nothing",
        "/api/facts/%00",
        "/api/facts/" + "9" * 40,
        "/api/facts/fact:x",
        "/api/jobs/" + "9" * 5_000,
        "/api/jobs/-1",
        "/api/sessions/%00",
        "/api/sessions/%ED%A0%80",
        "/api/messages/0",
        "/api/journal/%F0%9F%98%80",
        "/api/notes/other",
        "/api/facts?offset=-1",
        "/api/facts?limit=100000000000000000000000",
        "/api/facts?as_of=%00",
        "/api/facts?as_of=" + "9" * 90,
        "/api/search",
        "/api/search?q=%20",
        "/api/search?q=" + "x" * 5_000,
    ],
)
def test_a_hostile_address_is_a_problem(doors: Doors, path: str) -> None:
    answer = doors.program("admin").get(path)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["Content-Type"] == PROBLEM
    assert answer.json()["status"] == answer.status_code


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"no json",
        b"\xff\xfe",
        b'"text"',
        b"[]",
        b"null",
        b"{}",
        b'{"text": 1}',
        b'{"text": null}',
        b'{"text": ""}',
        b'{"text": "\\ud800"}',
        b'{"text": "   "}',
        b'{"text": NaN}',
        b'{"text": "' + b"x" * 100_000 + b'"}',
        b'{"text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"text": ' + b"1" * 10_000 + b"}",
    ],
)
def test_a_hostile_body_is_a_problem(doors: Doors, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    answer = doors.program("write").post("/api/facts", content=body, headers=headers)
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["Content-Type"] == PROBLEM


def test_another_method_is_a_problem_that_names_those_there_are(doors: Doors) -> None:
    answer = doors.program("admin").put("/api/facts")
    assert (answer.status_code, answer.headers["Content-Type"]) == (405, PROBLEM)
    assert "GET" in answer.headers["Allow"]


def test_half_a_character_that_was_stored_is_still_told(doors: Doors) -> None:
    from hermes_agent.records.archive import NewMessage, NewSession

    memory = doors.app.memory
    session = memory.begin(NewSession(source="cli"))
    memory.append(session, NewMessage("user", "half \ud800 and \x00 nothing"))
    answer = doors.program("read").get(f"/api/sessions/{session}/messages")
    assert answer.status_code == 200
    assert "half" in answer.json()["items"][0]["content"]


def test_one_too_many_is_told_when_to_come_back(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    from hermes_agent.web.limits import Limits

    doors.site.app.state.limits = Limits(2)  # type: ignore[attr-defined]  # the site
    program = doors.program("read")
    assert [program.get("/api/facts").status_code for _ in range(3)] == [200, 200, 429]
    refused = program.get("/api/facts")
    assert int(refused.headers["Retry-After"]) >= 1 and refused.headers["Content-Type"] == PROBLEM


def test_a_clock_that_is_set_back_keeps_nobody_waiting(doors: Doors, monkeypatch: pytest.MonkeyPatch) -> None:
    from hermes_agent.web.limits import Limits

    doors.site.app.state.limits = Limits(2)  # type: ignore[attr-defined]  # the site
    program = doors.program("read")
    assert [program.get("/api/facts").status_code for _ in range(2)] == [200, 200]
    right = clock.now
    monkeypatch.setattr(clock, "now", lambda: right() - 86_400 * clock.MICROSECONDS)
    refused = program.get("/api/facts")
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) <= 60
