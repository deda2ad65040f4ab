"""Connections of nobody who has a token: they do not keep others out, and do not stay."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from urllib.parse import urlsplit

import httpx2
import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.gateways.webhook import Webhook
from hermes_agent.memory import tokens
from hermes_agent.web.behind import Mounted
from hermes_agent.web.connections import Bounds, make_room, most_connections
from hermes_agent.web.server import Server
from hermes_agent.web.site import build, stop
from tests.web.talking import PATIENCE_SECONDS

HALF = b"GET /health HTTP/1.1\r\nHost: 127"
WHOLE = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
SIGNED = "/gateways/webhook"
TO_ALL = (SIGNED, "/login")
"""Where bodies are sent without a token."""


def half_body(path: str, more: str = "") -> bytes:
    kind = "application/x-www-form-urlencoded" if path == "/login" else "application/json"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: 100\r\n"
    return f"{head}{more}\r\n{{".encode()


@contextmanager
def bounded(app: App, bounds: Bounds) -> Iterator[str]:
    signed = Webhook("a secret", None, lambda key: None)
    site = build(app, mounted=[Mounted(SIGNED, signed, is_signed=True)])
    server = Server(site, app.settings, on_stop=partial(stop, site), bounds=bounds)
    server.start()
    try:
        yield server.address
    finally:
        assert server.close(PATIENCE_SECONDS)


def opened(address: str, stack: ExitStack, sent: bytes) -> socket.socket:
    parts = urlsplit(address)
    made = stack.enter_context(socket.create_connection((parts.hostname, parts.port), PATIENCE_SECONDS))
    made.sendall(sent)
    return made


def is_answered(one: socket.socket) -> bool:
    came = b""
    while not came.endswith(b"}"):
        came += one.recv(4_096)
    return came.startswith(b"HTTP/1.1 200")


def is_well(address: str) -> bool:
    return httpx2.get(f"{address}/health", trust_env=False, timeout=PATIENCE_SECONDS).status_code == 200


def test_half_a_request_is_not_waited_for_long(app: App) -> None:
    with bounded(app, Bounds(head_seconds=0.3)) as address, ExitStack() as stack:
        silent, half, second = (opened(address, stack, sent) for sent in (b"", HALF, WHOLE))
        assert second.recv(4_096).startswith(b"HTTP/1.1 200")
        second.sendall(HALF)
        begun = clock.monotonic()
        assert [one.recv(10) for one in (silent, half)] == [b"", b""]
        while second.recv(4_096):
            pass
        assert clock.monotonic() - begun < PATIENCE_SECONDS / 2
        assert is_well(address)


def test_more_bytes_buy_no_more_time(app: App) -> None:
    with bounded(app, Bounds(head_seconds=0.5)) as address, ExitStack() as stack:
        slow = opened(address, stack, HALF)
        deadline = clock.monotonic() + PATIENCE_SECONDS
        try:
            while clock.monotonic() < deadline:
                slow.sendall(b"1")
                clock.sleep(0.05)
        except OSError:
            return
        raise AssertionError("it was never closed")


def test_where_all_places_are_taken_who_waits_longest_goes(app: App) -> None:
    with bounded(app, Bounds(head_seconds=60, most=5)) as address, ExitStack() as stack:
        halves = [opened(address, stack, HALF) for _ in range(30)]
        assert is_well(address)
        for one in halves[:20]:
            one.settimeout(PATIENCE_SECONDS)
            with suppress(ConnectionResetError):
                assert one.recv(10) == b""
        halves[-1].sendall(b".0.0.1\r\n\r\n")
        assert halves[-1].recv(4_096).startswith(b"HTTP/1.1 200")


def test_connections_that_were_answered_take_no_place(app: App) -> None:
    with bounded(app, Bounds(head_seconds=60, most=5)) as address, ExitStack() as stack:
        kept = [opened(address, stack, WHOLE) for _ in range(5)]
        for one in kept:
            assert is_answered(one)
        for _ in range(3):
            assert is_well(address)
        kept[-1].sendall(WHOLE)
        assert is_answered(kept[-1])


@pytest.mark.parametrize("path", TO_ALL)
def test_half_a_body_takes_no_place(app: App, path: str) -> None:
    with bounded(app, Bounds(head_seconds=60, most=5)) as address, ExitStack() as stack:
        for _ in range(10):
            opened(address, stack, half_body(path))
            assert is_well(address)


@pytest.mark.parametrize("path", TO_ALL)
def test_half_a_body_is_not_waited_for_long(app: App, path: str) -> None:
    with bounded(app, Bounds(head_seconds=0.3)) as address, ExitStack() as stack:
        half = opened(address, stack, half_body(path))
        with suppress(ConnectionResetError):
            assert half.recv(10) == b""
        assert is_well(address)


def test_whoever_reads_no_answer_takes_no_place(app: App) -> None:
    asked = b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 100
    with bounded(app, Bounds(head_seconds=60, most=1)) as address, ExitStack() as stack:
        opened(address, stack, asked)
        # Until its answers do not fit in what the system holds for it, it is being answered.
        deadline = clock.monotonic() + PATIENCE_SECONDS
        while True:
            with suppress(httpx2.TransportError):
                assert is_well(address)
                return
            assert clock.monotonic() < deadline


def test_what_is_sent_with_a_token_is_waited_for(app: App) -> None:
    shown = tokens.create(app.store, "a program", "write").shown
    more = f"Authorization: Bearer {shown}\r\nExpect: 100-continue\r\n"
    with bounded(app, Bounds(head_seconds=2, most=5)) as address, ExitStack() as stack:
        sent, silent = (opened(address, stack, one) for one in (half_body("/api/facts", more), b""))
        assert sent.recv(4_096).startswith(b"HTTP/1.1 100")
        assert silent.recv(10) == b""
        for _ in range(10):
            opened(address, stack, HALF)
            assert is_well(address)
        sent.sendall(b'"text": "It rains."'.ljust(98) + b"}")
        assert sent.recv(4_096).startswith(b"HTTP/1.1 201")


def test_there_are_files_left_for_everything_else() -> None:
    assert most_connections(1_024) == 512 and most_connections(1) == 1
    assert most_connections(-1) == most_connections(10**6)
    assert make_room().most >= 1
