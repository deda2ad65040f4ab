"""A small OpenAI-compatible server on loopback that follows a script: for tests that need real HTTP.

    with serve(Use(Call("memory", "{}")), Say("Kept", " it."), Fail(429, retry_after="2")) as server:
        ...                                 # point `baseUrl` (or OPENAI_BASE_URL) at server.url
    server.requests[0].json["messages"]     # what the client sent, parsed; `.body` is the raw bytes
    server.requests[0].headers              # names in lower case

Each request to `/v1/chat/completions` (streamed or not) takes the next step of the script; the last step
repeats for ever. `GET /v1/models` answers with `models` and takes no step. The steps:

    Say("text", ...)       an answer, one chunk for each argument; `thinking=` is streamed before it
    Use(Call(...), ...)    tool calls, their arguments in small chunks; `text=` is said before them
    Fail(status, ...)      an error in OpenAI's form: `message=`, `code=`, `retry_after=`; `raw=` is a page instead
    Break("text")          some text, then the connection is cut
    Hang("text")           some text, then silence until the client goes away, which sets `server.left`
    Raw(b"...")            these bytes as the whole body of a stream
    a function             of the request, which returns one of the above

`Say` and `Use` are also spoken as OpenAI's responses (`/v1/responses`) and Anthropic's messages
(`/v1/messages`, with `server.root` as the address): one server plays three vendors.
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.loopback import QuietHandler, listening
from tests.model_answers import (
    MODEL,
    Answer,
    Call,
    Event,
    JsonObject,
    Say,
    Use,
    anthropic_events,
    chat_chunk,
    chat_completion,
    chat_events,
    responses_events,
)

__all__ = [
    "MODEL",
    "Break",
    "Call",
    "Fail",
    "Hang",
    "Plain",
    "Raw",
    "Received",
    "Say",
    "Server",
    "Step",
    "Use",
    "serve",
]

_STREAMS = {
    "/v1/chat/completions": chat_events,
    "/v1/responses": responses_events,
    "/v1/messages": anthropic_events,
}


@dataclass(frozen=True)
class Fail:
    """Answer with an error."""

    status: int
    message: str = "It failed."
    code: str | None = None
    retry_after: str | None = None
    raw: bytes | None = None


@dataclass(frozen=True)
class Break:
    """Say something and cut the connection."""

    text: str = ""


@dataclass(frozen=True)
class Hang:
    """Say something and stay silent until the client leaves."""

    text: str = ""


@dataclass(frozen=True)
class Raw:
    """Send these bytes as a whole stream."""

    body: bytes


Plain = Answer | Fail | Break | Hang | Raw


@dataclass(frozen=True)
class Received:
    """One request as it came over the wire."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> JsonObject:
        """The body, parsed."""
        parsed: JsonObject = json.loads(self.body)
        return parsed


Step = Plain | Callable[[Received], Plain]


@dataclass
class Server:
    """The running server: where it is, what it was asked, and whether a client has left it hanging."""

    script: Sequence[Step]
    models: Sequence[JsonObject] = ({"id": MODEL, "object": "model"},)
    requests: list[Received] = field(default_factory=list)
    left: threading.Event = field(default_factory=threading.Event)
    port: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def root(self) -> str:
        """The address without a path."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The address as `baseUrl` wants it."""
        return f"{self.root}/v1"

    def next_step(self, request: Received) -> Plain:
        """Remember the request and return what to answer."""
        with self._lock:
            self.requests.append(request)
            step = self.script[min(len(self.requests), len(self.script)) - 1]
        return step(request) if callable(step) else step


@contextmanager
def serve(*script: Step, models: Sequence[JsonObject] | None = None) -> Iterator[Server]:
    """Run a server with this script on a free port until the block ends."""
    server = Server(script or (Say("Yes."),))
    if models is not None:
        server.models = models

    class Handler(_Handler):
        scripted = server

    with listening(Handler) as server.port:
        yield server


class _Handler(QuietHandler):
    scripted: Server

    def do_GET(self) -> None:
        """List the models."""
        self._remember_headers()
        if self.path == "/v1/models":
            self._send_json(200, {"object": "list", "data": list(self.scripted.models)})
        else:
            self._send_json(404, {"error": {"message": "Not found."}})

    def do_POST(self) -> None:
        """Follow the script."""
        headers = self._remember_headers()
        body = self.rfile.read(int(headers.get("content-length", "0")))
        if self.path.partition("?")[0] not in _STREAMS:
            self._send_json(404, {"error": {"message": "Not found."}})
            return
        received = Received(self.path, headers, body)
        try:
            self._follow(self.scripted.next_step(received), received)
        except (BrokenPipeError, ConnectionResetError):
            self.scripted.left.set()
            self.close_connection = True

    def _remember_headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _follow(self, step: Plain, received: Received) -> None:
        match step:
            case Fail():
                self._fail(step)
            case Raw(body):
                self._begin_stream()
                self._send_chunk(body)
                self._end_stream()
            case Break(text) | Hang(text):
                self._begin_stream()
                if text:
                    self._send_event((None, chat_chunk({"role": "assistant", "content": text})))
                if isinstance(step, Hang):
                    self._wait_until_left()
                self.close_connection = True
            case Say() | Use() if received.json.get("stream"):
                self._stream(_STREAMS[received.path.partition("?")[0]](step))
            case Say() | Use():
                self._send_json(200, chat_completion(step))

    def _stream(self, events: Iterable[Event]) -> None:
        self._begin_stream()
        for event in events:
            self._send_event(event)
        self._end_stream()

    def _fail(self, step: Fail) -> None:
        headers = {} if step.retry_after is None else {"Retry-After": step.retry_after}
        if step.raw is not None:
            self._send(step.status, step.raw, "text/html", headers)
            return
        error = {"message": step.message, "type": "error", "code": step.code}
        self._send(step.status, json.dumps({"error": error}).encode(), "application/json", headers)

    def _wait_until_left(self) -> None:
        """Wait for the client to close its side: there is nothing more to read then."""
        self.connection.recv(1)
        self.scripted.left.set()

    def _send_json(self, status: int, value: JsonObject) -> None:
        self._send(status, json.dumps(value).encode(), "application/json", {})

    def _send(self, status: int, body: bytes, content_type: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": content_type, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _send_event(self, event: Event) -> None:
        name, data = event
        prefix = "" if name is None else f"event: {name}\n"
        self._send_chunk(f"{prefix}data: {data}\n\n".encode())

    def _send_chunk(self, data: bytes) -> None:
        if data:
            self.wfile.write(b"%X\r\n%b\r\n" % (len(data), data))
            self.wfile.flush()

    def _end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")
