"""Connections that send half a request: they do not keep others out, and do not stay."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from urllib.parse import urlsplit

import httpx2

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.web.connections import Bounds, make_room, most_connections
from hermes_agent.web.server import Server
from hermes_agent.web.site import build, stop
from tests.web.talking import PATIENCE_SECONDS

HALF = b"GET /health HTTP/1.1\r\nHost: 127"
WHOLE = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@contextmanager
def bounded(app: App, bounds: Bounds) -> Iterator[str]:
    site = build(app)
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


def test_there_are_files_left_for_everything_else() -> None:
    assert most_connections(1_024) == 512 and most_connections(1) == 1
    assert most_connections(-1) == most_connections(10**6)
    assert make_room().most >= 1
