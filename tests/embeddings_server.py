"""A small server on loopback that embeds in the languages of OpenAI, Voyage and Ollama, and follows a script.

    with serve(Fail(500), Vectors()) as server:
        ...                          # `memory.embeddings.baseUrl` is server.url; for Ollama server.root
    server.requests[0].json          # what the client sent, parsed; `.headers` have names in lower case

Each request takes the next step of the script; the last one repeats for ever. `Vectors` answers honestly: a text's
vector follows from the text alone, and in OpenAI's language vectors come in reverse order with their index.
"""

import base64
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy
from numpy.typing import NDArray

from tests.loopback import QuietHandler, listening

# Any: JSON as it comes over the wire
JsonObject = dict[str, Any]

Made = Callable[[str, int], NDArray[numpy.float32]]


def vector_of(text: str, dimensions: int) -> NDArray[numpy.float32]:
    """Return the vector the server has for a text; not of length 1."""
    seed = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
    return numpy.random.default_rng(seed).normal(size=dimensions).astype("<f4") * 3


@dataclass(frozen=True)
class Vectors:
    """Answer with vectors; of `dimensions` if the request names none, printed as numbers if `is_printed`."""

    dimensions: int = 8
    is_printed: bool = False
    made: Made = vector_of
    """Of a text and of the dimensions."""


@dataclass(frozen=True)
class Fail:
    """Answer with an error; `message` stands where vendors put theirs."""

    status: int
    message: str = "It failed."
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Answer with this body."""

    body: bytes
    content_type: str = "application/json"


@dataclass(frozen=True)
class Hang:
    """Stay silent until the client leaves."""


@dataclass(frozen=True)
class Drip:
    """Send one long header after another, and never an answer, until the client leaves."""


@dataclass(frozen=True)
class Held:
    """Answer with vectors, but only once `may_go` is set; `has_come` tells that somebody waits for them."""

    has_come: threading.Event = field(default_factory=threading.Event)
    may_go: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True)
class AtMost:
    """Refuse more texts than that at once, or longer ones, as too much; embed the others."""

    texts: int
    dimensions: int = 8
    characters: int = 1_000_000
    refusal: Fail = Fail(400, "Too many tokens.")


@dataclass(frozen=True)
class Declining:
    """Refuse what holds a word, alone or among others; embed the rest."""

    word: str
    dimensions: int = 8
    refusal: Fail = Fail(400, "This input is not allowed.")


Step = Vectors | Fail | Raw | Hang | Drip | Held | AtMost | Declining


@dataclass(frozen=True)
class Received:
    """One request as it came."""

    path: str
    headers: Mapping[str, str]
    json: JsonObject


@dataclass
class Server:
    """The running server and what it was asked."""

    script: Sequence[Step]
    requests: list[Received] = field(default_factory=list)
    port: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def root(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The address as servers of OpenAI's language have it."""
        return f"{self.root}/v1"

    def next_step(self, request: Received) -> Step:
        """Remember the request and return what to answer."""
        with self._lock:
            self.requests.append(request)
            return self.script[min(len(self.requests), len(self.script)) - 1]


@contextmanager
def serve(*script: Step) -> Iterator[Server]:
    """Run a server with this script on a free port until the block ends."""
    server = Server(script or (Vectors(),))

    class Handler(_Handler):
        scripted = server

    with listening(Handler) as server.port:
        yield server


class _Handler(QuietHandler):
    scripted: Server

    def do_POST(self) -> None:
        """Follow the script."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = json.loads(self.rfile.read(int(headers["content-length"])))
        match self.scripted.next_step(Received(self.path, headers, asked)):
            case Hang():
                self.connection.recv(1)
                self.close_connection = True
            case Drip():
                self._drip()
            case Held(has_come, may_go):
                has_come.set()
                may_go.wait()
                self._embed(asked, Vectors())
            case Raw(body, content_type):
                self._send(200, body, {"Content-Type": content_type})
            case Fail() as refusal:
                self._refuse(refusal)
            case AtMost() as most:
                longest = max(len(text) for text in asked["input"])
                if len(asked["input"]) <= most.texts and longest <= most.characters:
                    self._embed(asked, Vectors(most.dimensions))
                else:
                    self._refuse(most.refusal)
            case Declining(word, dimensions, refusal):
                if any(word in text for text in asked["input"]):
                    self._refuse(refusal)
                else:
                    self._embed(asked, Vectors(dimensions))
            case Vectors() as step:
                self._embed(asked, step)

    def _drip(self) -> None:
        self.close_connection = True
        self.connection.settimeout(0.05)
        has_left = False
        with suppress(ConnectionError):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while not has_left:
                self.wfile.write(b"X-Patience: " + b"x" * 1_000 + b"\r\n")
                with suppress(TimeoutError):
                    has_left = self.connection.recv(1) == b""

    def _embed(self, asked: JsonObject, step: Vectors) -> None:
        dimensions = asked.get("dimensions") or asked.get("output_dimension") or step.dimensions
        vectors = [step.made(text, dimensions) for text in asked["input"]]
        if self.path.endswith("/api/embed"):
            answer: JsonObject = {"embeddings": [vector.tolist() for vector in vectors]}
        else:
            is_packed = asked.get("encoding_format") == "base64" and not step.is_printed
            entries = [
                {"index": index, "embedding": _packed(vector) if is_packed else vector.tolist()}
                for index, vector in enumerate(vectors)
            ]
            answer = {"object": "list", "data": entries[::-1]}
        self._send(200, json.dumps(answer).encode(), {"Content-Type": "application/json"})

    def _refuse(self, refusal: Fail) -> None:
        body = json.dumps({"error": {"message": refusal.message}}).encode()
        self._send(refusal.status, body, refusal.headers)

    def _send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _packed(vector: NDArray[numpy.float32]) -> str:
    return base64.b64encode(vector.tobytes()).decode()
