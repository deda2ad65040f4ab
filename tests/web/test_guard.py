"""What is refused before anything is read: other names, other origins, bodies without end."""

import socket
from contextlib import ExitStack, closing
from functools import partial
from urllib.parse import urlsplit

import pytest
from fastapi import FastAPI

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.errors import SettingError
from hermes_agent.memory import tokens
from hermes_agent.records.tokens import Scope
from hermes_agent.web.gate import MOST_FILES
from hermes_agent.web.server import Server
from hermes_agent.web.site import build, check_address, stop
from tests.web.conftest import Doors, serving
from tests.web.talking import PATIENCE_SECONDS, Program


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost:80@evil.example",
        "[::1]evil",
        "localhost:x",
        "[::1",
        "localhost/",
        "",
        "local host",
    ],
)
def test_another_name_is_refused(doors: Doors, host: str) -> None:
    assert doors.stranger().get("/health", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8642", "LOCALHOST", "[::1]", "[::1]:8642"])
def test_its_own_names_are_taken(doors: Doors, host: str) -> None:
    assert doors.stranger().get("/health", headers={"Host": host}).status_code == 200


def test_pages_of_other_sites_change_nothing(doors: Doors) -> None:
    browser = doors.browser()
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://["):
        answer = browser.post("/facts", data={"text": "The moon is made of cheese"}, headers={"Origin": origin})
        assert answer.status_code == 403


def test_our_own_pages_do(doors: Doors) -> None:
    answer = doors.browser().post("/facts", data={"text": "Rex is a dog"}, headers={"Origin": "http://127.0.0.1"})
    assert answer.status_code == 303


def test_every_answer_tells_browsers_what_pages_may_do(doors: Doors) -> None:
    for path in ("/health", "/facts", "/api/facts", "/nowhere", "/static/hermes.css"):
        headers = doors.browser().get(path).headers
        assert "script-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_request_that_is_too_large_is_refused(doors: Doors) -> None:
    answer = doors.program().post("/api/facts", content=b"x", headers={"Content-Length": str(10**12)})
    assert answer.status_code == 413


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "memory.example.org", "::"])
def test_others_can_read_along_only_when_that_is_asked_for(
    own_home: Home, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_WEB_HOST", host)
    with pytest.raises(SettingError, match="no TLS"):
        check_address(App(own_home, load(own_home)))
    monkeypatch.setenv("HERMES_WEB_PLAIN", "true")
    check_address(App(own_home, load(own_home)))


def test_a_stranger_is_refused_before_what_they_send_is_read(doors: Doors) -> None:
    for path in ("/api/facts", "/facts", "/api/nowhere"):
        asked = doors.stranger().post(path, content=b'{"text": ', headers={"Content-Type": "application/json"})
        assert asked.status_code == 401


def test_what_is_typed_is_taken_up_to_a_megabyte_and_a_file_beyond(doors: Doors) -> None:
    large = b" " * 1_500_000
    assert doors.program().post("/api/facts", content=large).status_code == 413
    assert doors.stranger().post("/login", data={"token": "x" * 30_000}).status_code == 413
    assert doors.program().post("/api/import", content=large).status_code != 413


def test_who_may_not_is_refused_before_what_they_send_is_read(doors: Doors) -> None:
    half, kind = b'{"text": ', {"Content-Type": "application/json"}
    for path in ("/api/facts", "/api/tokens", "/data/import", "/api/import"):
        assert doors.program("read").post(path, content=half, headers=kind).status_code == 403, path
    assert doors.browser("read").post("/facts", content=half, headers=kind).status_code == 403
    assert doors.program("write").post("/api/facts", content=half, headers=kind).status_code == 422


@pytest.mark.parametrize("scope", ["read", "write"])
def test_a_token_whose_commands_take_no_files_sends_no_large_ones(doors: Doors, scope: Scope) -> None:
    large = b" " * 1_500_000
    program = doors.program(scope)
    assert program.post("/api/run", content=large).status_code == 413
    assert program.post("/api/run", content=iter([large])).status_code == 400
    assert program.post("/api/run", json={"arguments": ["status", "--json"]}).status_code == 200
    assert doors.program().post("/api/run", content=large).status_code == 422


def test_what_is_typed_for_a_command_is_no_file(doors: Doors) -> None:
    assert doors.program().post("/api/run/1/input", content=b" " * 1_500_000).status_code == 413


def test_few_files_are_taken_at_once(app: App) -> None:
    shown = tokens.create(app.store, "a program", "admin").shown
    head = (
        f"POST /api/import HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {shown}\r\n"
        "Content-Length: 2000000\r\nExpect: 100-continue\r\n\r\n"
    ).encode()
    with serving(app) as address, ExitStack() as stack:
        program, opened = Program(address, shown), []
        for _ in range(MOST_FILES):
            opened.append(begun(address, stack, head))
            assert opened[-1].recv(4_096).startswith(b"HTTP/1.1 100")
        refused = begun(address, stack, head)
        assert refused.recv(4_096).startswith(b"HTTP/1.1 429")
        assert program.post("/api/facts", {"text": "It rains."}).status_code == 201
        opened.pop().close()
        deadline = clock.monotonic() + PATIENCE_SECONDS
        while not begun(address, stack, head).recv(4_096).startswith(b"HTTP/1.1 100"):
            assert clock.monotonic() < deadline


def test_what_is_sent_with_a_token_is_not_waited_for_without_end(app: App) -> None:
    shown = tokens.create(app.store, "a program", "admin").shown
    site = build(app, body_seconds=0.2)
    with closing(Server(site, app.settings, on_stop=partial(stop, site))) as server, ExitStack() as stack:
        server.start()
        for path in ("/api/facts", "/api/import", "/api/run"):
            head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {shown}\r\n"
            half = begun(server.address, stack, f"{head}Content-Length: 100\r\n\r\n{{".encode())
            assert half.recv(4_096).startswith(b"HTTP/1.1 408")


def begun(address: str, stack: ExitStack, sent: bytes) -> socket.socket:
    parts = urlsplit(address)
    made = stack.enter_context(socket.create_connection((parts.hostname, parts.port), PATIENCE_SECONDS))
    made.sendall(sent)
    return made


def test_a_bug_is_answered_behind_the_guard(doors: Doors) -> None:
    site = doors.site.app
    assert isinstance(site, FastAPI)

    @site.get("/broken")
    @site.get("/api/broken")
    def broken() -> None:
        raise ValueError("My dentist is Dr. Okafor")

    page, problem = doors.browser().get("/broken"), doors.program().get("/api/broken")
    assert (page.status_code, problem.status_code) == (500, 500)
    assert page.headers["content-type"].startswith("text/html")
    assert problem.headers["content-type"] == "application/problem+json"
    for answer in (page, problem):
        assert "Okafor" not in answer.text
        assert answer.headers["X-Frame-Options"] == "DENY" and answer.headers["Cache-Control"] == "no-store"


def test_people_get_a_page_where_there_is_none_and_for_what_does_not_fit(doors: Doors) -> None:
    for path, status in (("/nowhere", 404), ("/facts?offset=x", 422)):
        answer = doors.browser().get(path)
        assert answer.status_code == status, path
        assert answer.headers["content-type"].startswith("text/html")
        assert doors.program().get("/api" + path).headers["content-type"] == "application/problem+json"
