"""A JSON service on loopback that keeps its contract, until a test tells it to fail.

class Contract(Service):
    def answer(self, asked: Asked) -> tuple[int, object]: ...

with serving(Contract()) as service:
    service.faults.append(Fail(503))     # for the next request; the one after it is answered again
    service.asked[-1].json               # what came
"""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from tests.loopback import QuietHandler, listening


@dataclass(frozen=True)
class Asked:
    """One request; the path is decoded, names of headers are in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    json: Any  # whatever a client sent


@dataclass(frozen=True)
class Fail:
    """Answer with a status and an error in JSON."""

    status: int


@dataclass(frozen=True)
class Body:
    """Answer 200 with these bytes."""

    body: bytes
    content_type: str = "application/json"


@dataclass(frozen=True)
class Hang:
    """Stay silent until the client leaves."""


@dataclass(frozen=True)
class Cut:
    """Promise a long answer, send its beginning, and close the connection."""


Fault = Fail | Body | Hang | Cut

GARBAGE = (
    Body(b"<html><body>Please log in</body></html>", "text/html"),
    Body(b'{"results": "none", "items": 3, "text": [], "success": "yes"}'),
    Body(b'{"results": [{"score": 1}], "items": [{}]}'),
    Body(b"[[]]"),
    Body(b""),
)


@dataclass
class Service:
    """What answers: what it was asked, and what goes wrong next."""

    asked: list[Asked] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    port: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def answer(self, asked: Asked) -> tuple[int, object]:
        """Keep the contract."""
        raise NotImplementedError


S = TypeVar("S", bound=Service)


@contextmanager
def serving(service: S) -> Iterator[S]:
    """Answer on a free port until the block ends."""

    class Handler(_Handler):
        served = service

    with listening(Handler) as service.port:
        yield service


class _Handler(QuietHandler):
    # Head and body go together: apart, the second waits 40 ms for the client's acknowledgement.
    wbufsize = 65_536
    served: Service

    def _handle(self) -> None:
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", "0")))
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        asked = Asked(self.command, unquote(parts.path), query, headers, json.loads(body) if body else None)
        with self.served.lock:
            self.served.asked.append(asked)
            fault = self.served.faults.pop(0) if self.served.faults else None
        match fault:
            case None:
                with self.served.lock:
                    status, value = self.served.answer(asked)
                self._send(status, json.dumps(value).encode(), "application/json")
            case Fail(status):
                self._send(status, json.dumps({"detail": "It failed."}).encode(), "application/json")
            case Body(data, content_type):
                self._send(200, data, content_type)
            case Hang():
                self.connection.recv(1)
                self.close_connection = True
            case Cut():
                self._send(200, b'{"results": [', "application/json", promised=10_000)
                self.close_connection = True

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

    def _send(self, status: int, body: bytes, content_type: str, promised: int | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(promised or len(body)))
        self.end_headers()
        self.wfile.write(body)
