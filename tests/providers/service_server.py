"""A server on loopback that plays a memory service: a function answers each request, or it goes wrong on purpose.

with serve(lambda request: Json({"memories": []})) as server:
    ...                             # the service is at server.url
server.requests[0].json             # what was sent, parsed; `.headers` have names in lower case
server.goes_wrong = Hang()          # from now on, whatever is asked
"""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.loopback import QuietHandler, listening


@dataclass(frozen=True)
class Json:
    """Answer with a value."""

    value: object
    status: int = 200


@dataclass(frozen=True)
class Raw:
    """Answer with these bytes."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"


@dataclass(frozen=True)
class Break:
    """Send the first part of an answer and cut the connection."""


@dataclass(frozen=True)
class Hang:
    """Stay silent until the client leaves."""


Answer = Json | Raw | Break | Hang


@dataclass(frozen=True)
class Received:
    """One request as it came."""

    method: str
    path: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else None


@dataclass
class Server:
    """The running server, what it was asked, and what it does wrong."""

    answer: Callable[[Received], Answer]
    goes_wrong: Answer | None = None
    requests: list[Received] = field(default_factory=list)
    port: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


GARBAGE = {
    "a page": Raw(b"<html><body>Welcome to the hotel</body></html>", content_type="text/html"),
    "a list": Json([1, 2, 3]),
    "half an object": Raw(b'{"memories": [{"id": '),
    "other keys": Json({"unexpected": True}),
    "other types": Json({"memories": {"a": 1}, "id": 7, "status": "ok", "result": "yes"}),
    "nothing but null": Raw(b"null"),
}
garbage = pytest.mark.parametrize("wrong", GARBAGE.values(), ids=GARBAGE)


@contextmanager
def serve(answer: Callable[[Received], Answer]) -> Iterator[Server]:
    """Answer on a free port until the block ends."""
    server = Server(answer)

    class Handler(_Handler):
        played = server

    with listening(Handler) as server.port:
        yield server


class _Handler(QuietHandler):
    played: Server
    # Answers are written in two parts; else the second waits for the client's word on the first.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._handle()

    def do_POST(self) -> None:
        self._handle()

    def do_DELETE(self) -> None:
        self._handle()

    def _handle(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        parts = urlsplit(self.path)
        body = self.rfile.read(int(headers.get("content-length", "0")))
        received = Received(self.command, parts.path, dict(parse_qsl(parts.query)), headers, body)
        with self.played.lock:
            self.played.requests.append(received)
            answer = self.played.goes_wrong or self.played.answer(received)
        match answer:
            case Hang():
                self.connection.recv(1)
                self.close_connection = True
            case Break():
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'{"memories": [{"id": "1", "te')
                self.close_connection = True
            case Json(value, status):
                self._send(status, json.dumps(value).encode(), "application/json")
            case Raw(body, status, content_type):
                self._send(status, body, content_type)

    def _send(self, status: int, body: bytes, content_type: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
