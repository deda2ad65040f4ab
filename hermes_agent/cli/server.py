"""A server elsewhere, spoken to over HTTP: whatever goes wrong on the way is one sentence with a way out."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue

import httpx2

from hermes_agent import __version__
from hermes_agent.config import credentials, paths
from hermes_agent.config.addresses import is_loopback
from hermes_agent.config.load import Settings
from hermes_agent.config.settings import SERVER_CA, SERVER_PLAIN
from hermes_agent.errors import HermesError, NotFound, Transient, UsageError
from hermes_agent.records.archive import Json

_CONNECT_SECONDS = 10.0
# The server gives a sign of life every fifteen seconds.
_SILENCE_SECONDS = 60.0
_LOOK_SECONDS = 0.2
_MOST_BYTES = 64_000_000
"""No answer and no line of one is nearly as long; who sends more wants to fill this machine's memory."""
_USAGE = (400, 404, 413, 422)


@dataclass(frozen=True, slots=True)
class Server:
    """Where it is, and what opens it."""

    address: str
    token: str
    certificates: ssl.SSLContext | bool = True

    def ask(self, method: str, path: str, body: Mapping[str, Json] | None = None) -> Mapping[str, Json]:
        """Send a request and return the JSON of its answer."""
        with self.stream(method, path, body) as response:
            try:
                told = json.loads(_whole(response, self.address))
            except (ValueError, RecursionError, httpx2.HTTPError) as error:
                raise strange(self.address) from error
        if not isinstance(told, dict):
            raise strange(self.address)
        return told

    @contextmanager
    def stream(
        self, method: str, path: str, body: Mapping[str, Json] | None = None, key: str | None = None
    ) -> Iterator[httpx2.Response]:
        """Send a request; the block reads its answer as it comes."""
        headers = {"Authorization": f"Bearer {self.token}", "Hermes-Version": __version__}
        if key is not None:
            headers["Idempotency-Key"] = key
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = None if body is None else _encoded(body)
        with (
            _explained(self.address),
            self._client() as client,
            client.stream(method, self.address + path, content=content, headers=headers) as response,
        ):
            if response.status_code != 200:
                raise _refusal(self.address, response.status_code, _whole(response, self.address))
            yield response

    def _client(self) -> httpx2.Client:
        return httpx2.Client(
            verify=self.certificates,
            timeout=httpx2.Timeout(_SILENCE_SECONDS, connect=_CONNECT_SECONDS),
            trust_env=not is_loopback(self.address),
            # The token is for this address alone.
            follow_redirects=False,
        )


def lines(response: httpx2.Response, address: str) -> Iterator[str]:
    """Yield the lines of a stream as they come; refuse one that does not end."""
    begun: list[bytes] = []
    length = 0
    for chunk in response.iter_bytes():
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            yield b"".join([*begun, part]).decode("utf-8", "replace").removesuffix("\r")
            begun, length = [], 0
        begun.append(rest)
        length += len(rest)
        if length > _MOST_BYTES:
            raise strange(address)
    if length:
        yield b"".join(begun).decode("utf-8", "replace")


def lines_of(response: httpx2.Response, address: str) -> Callable[[], str | None]:
    """Give what returns the next line of a stream, None at its end; Ctrl-C while it waits leaves the stream whole.

    A thread reads: an interrupt within a read would tear the connection, and the end of the answer with it.
    """
    found: SimpleQueue[str | Exception | None] = SimpleQueue()

    def read() -> None:
        try:
            for line in lines(response, address):
                found.put(line)
            found.put(None)
        except (HermesError, httpx2.HTTPError, httpx2.StreamError) as error:
            found.put(error)

    threading.Thread(target=read, name="stream", daemon=True).start()

    def next_line() -> str | None:
        while True:
            with suppress(Empty):
                item = found.get(timeout=_LOOK_SECONDS)
                if isinstance(item, Exception):
                    raise item
                return item

    return next_line


def connect(address: str, settings: Settings, token: str | None = None) -> Server:
    """Return a server, ready to be asked; refuse to send a token where others can read along."""
    if address.startswith("http://") and not is_loopback(address) and not settings[SERVER_PLAIN]:
        raise UsageError(
            f"{address} has no TLS: others could read your token and your memory on the way.",
            hint="Use https, an SSH tunnel to its port, or allow it: hermes config set server.plain true",
        )
    shown = token or credentials.token_for(address)
    if not shown:
        raise UsageError(f"There is no token for {address}.", hint=f"Save one: hermes login {address}")
    if not shown.isascii() or not shown.isprintable():
        raise UsageError("That is no token.", hint="Make one there: hermes token create NAME")
    return Server(address, shown, _certificates(settings[SERVER_CA]))


def _certificates(file: str | None) -> ssl.SSLContext | bool:
    if file is None:
        return True
    try:
        return ssl.create_default_context(cafile=str(paths.expand(file)))
    except (OSError, ssl.SSLError) as error:
        raise UsageError(f"server.ca, {file}, holds no certificates: {error}.") from error


def _whole(response: httpx2.Response, address: str) -> bytes:
    """Return a whole answer; refuse one that does not end."""
    parts: list[bytes] = []
    length = 0
    for part in response.iter_bytes():
        parts.append(part)
        length += len(part)
        if length > _MOST_BYTES:
            raise strange(address)
    return b"".join(parts)


def _refusal(address: str, status: int, answer: bytes) -> HermesError:
    """Return why a server said no: its own sentence, if it wrote one."""
    try:
        told = json.loads(answer)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not isinstance(told.get("detail"), str):
        return strange(address)
    detail, hint = told["detail"], told.get("hint")
    hint = hint if isinstance(hint, str) else None
    if status == 401:
        return HermesError(f"{address}: {detail}", hint=f"Save another one: hermes login {address}")
    if status == 404 and detail == "Not Found":
        return HermesError(f"{address} does not know this.", hint="Is it an older hermes?")
    kind = NotFound if status == 404 else UsageError if status in _USAGE else HermesError
    return kind(detail, hint=hint)


def _encoded(body: Mapping[str, Json]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        # What the system hands over that is not UTF-8 is carried in halves of characters.
        raise UsageError(
            "Something in it is not UTF-8, so it cannot be sent.", hint="Write it in UTF-8."
        ) from error


def strange(address: str) -> HermesError:
    """Return that somebody answers who is not the program, or not the same."""
    return HermesError(f"{address} answers, but not as hermes does.", hint="Check the address and the port.")


@contextmanager
def _explained(address: str) -> Iterator[None]:
    try:
        yield
    except httpx2.ConnectError as error:
        if "CERTIFICATE" in str(error).upper() or "SSL" in str(error).upper():
            raise HermesError(
                f"The certificate of {address} cannot be trusted: {_reason(error)}.",
                hint="Name the certificates that vouch for it: hermes config set server.ca FILE",
            ) from error
        raise HermesError(
            f"{address} does not answer.", hint="Does the daemon run there, and does it listen on this address?"
        ) from error
    except httpx2.TimeoutException as error:
        raise HermesError(f"{address} is silent.", hint="Try again; see its log if it stays so.") from error
    except httpx2.HTTPError as error:
        raise Transient(
            f"The connection to {address} broke.", hint="Try again; what was said before is kept there."
        ) from error


def _reason(error: Exception) -> str:
    text = str(error)
    return text[text.find("]") + 1 :].strip().rstrip(".").split(" (_ssl")[0] or "unknown"
