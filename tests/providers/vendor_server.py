"""What the contract servers of vendors have in common: a key, a log of requests, and the troubles servers make.

    with serving(HonchoServer()) as server:
        ...                       # the vendor's address is server.url, its key server.key
        server.trouble = Html()   # from now on each answer is that

A vendor's server is a subclass with one method, `answer`. It refuses what the real one refuses.
"""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from tests.loopback import QuietHandler, listening

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Request:
    """One request as it came; `json` is None without a body."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    # Any: JSON as it comes over the wire
    json: Any


@dataclass(frozen=True)
class Answer:
    """A status and what goes out as JSON; None is no body at all."""

    status: int
    # Any: JSON as it goes over the wire
    json: Any = None


class Refused(Exception):
    """Ends a request with a status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class Raw:
    """Answer everything with this body."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200


@dataclass(frozen=True)
class Hang:
    """Stay silent until the client leaves."""


@dataclass(frozen=True)
class BreakOff:
    """Promise a long answer, send its start, and go."""


Trouble = Raw | Hang | BreakOff

HTML = Raw(b"<html><body>Welcome to the hotel</body></html>", "text/html")
WRONG_TYPES = Raw(b'[1, "two", null]')
MISSING_KEYS = Raw(b"{}")
NO_JSON = Raw(b'{"results": [')
GARBAGE = {"html": HTML, "wrong types": WRONG_TYPES, "missing keys": MISSING_KEYS, "half": NO_JSON}
DOWN = {"500": Raw(b"{}", status=500), "429": Raw(b"{}", status=429), "broken off": BreakOff(), "slow": Hang()}


@dataclass
class VendorServer:
    """The running server, what it was asked, and what is wrong with it."""

    key: str = "a-key-of-this-test"
    requests: list[Request] = field(default_factory=list)
    trouble: Trouble | None = None
    port: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """The address."""
        return f"http://127.0.0.1:{self.port}"

    def asked(self, method: str, ending: str) -> list[Request]:
        """Return the requests to paths that end so."""
        return [one for one in self.requests if one.method == method and one.path.endswith(ending)]

    def is_allowed(self, request: Request) -> bool:
        """Tell whether the key is the right one."""
        return request.headers.get("authorization") == f"Bearer {self.key}"

    def answer(self, request: Request) -> Answer:
        """Do what the vendor's server does."""
        raise NotImplementedError


Server = TypeVar("Server", bound=VendorServer)


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """Run a server on a free port until the block ends."""

    class Handler(_Handler):
        vendor = server

    with listening(Handler) as server.port:
        yield server


def nearness(query: str, text: str) -> int:
    """Return how many words of a query stand in a text: what stands for meaning here."""
    words = {word.casefold() for word in _WORD.findall(text)}
    return len({word.casefold() for word in _WORD.findall(query)} & words)


class _Handler(QuietHandler):
    vendor: VendorServer
    # Head and body of an answer are two packets; the second would wait for the first to be acknowledged.
    disable_nagle_algorithm = True

    def _do(self) -> None:
        split = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        request = Request(
            self.command,
            unquote(split.path),
            {name: values[0] for name, values in parse_qs(split.query).items()},
            {name.lower(): value for name, value in self.headers.items()},
            json.loads(body) if body and "json" in (self.headers.get("content-type") or "") else None,
        )
        self.vendor.requests.append(request)
        match self.vendor.trouble:
            case Hang():
                self.connection.recv(1)
                self.close_connection = True
            case BreakOff():
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "100000")
                self.end_headers()
                self.wfile.write(b'{"results": [{"id": "1')
                self.close_connection = True
            case Raw(body, content_type, status):
                self._send(status, body, content_type)
            case None:
                made = self._made(request)
                body = b"" if made.json is None else json.dumps(made.json).encode()
                self._send(made.status, body, "application/json")

    def _made(self, request: Request) -> Answer:
        if not self.vendor.is_allowed(request):
            return Answer(401, {"error": {"message": f"{request.headers.get('authorization')} is wrong"}})
        try:
            with self.vendor.lock:
                return self.vendor.answer(request)
        except Refused as refusal:
            return Answer(refusal.status, {"detail": "refused"})

    def _send(self, status: int, body: bytes, content_type: str) -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _do
