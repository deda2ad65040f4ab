"""Many clients of a server at once, on this machine only: each asks, waits for the answer, and asks again.

Written on bare connections: a client library would take more of the processor than the server it measures.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from urllib.parse import urlsplit

from benchmarks.measure import Times, since

_SEEN_ERRORS = 5


@dataclass(frozen=True)
class Target:
    """A server: where it listens, and the token it is shown."""

    address: str
    token: str


@dataclass
class Outcome:
    """What the clients met: milliseconds of answers, what was acknowledged, and what went wrong."""

    reads: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    errors: int = 0
    first_errors: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def read_times(self) -> Times:
        return Times(tuple(self.reads))

    @property
    def write_times(self) -> Times:
        return Times(tuple(self.writes))

    def fail(self, what: str) -> None:
        """Count an error; the first are kept to be read."""
        self.errors += 1
        if len(self.first_errors) < _SEEN_ERRORS:
            self.first_errors.append(what)


@dataclass(frozen=True)
class Asked:
    """A request."""

    method: str
    path: str
    body: str | None = None

    def written(self, target: Target) -> bytes:
        """Write it as bytes."""
        body = b"" if self.body is None else json.dumps({"text": self.body}).encode()
        head = [
            f"{self.method} {self.path} HTTP/1.1",
            f"Host: {urlsplit(target.address).netloc}",
            f"Authorization: Bearer {target.token}",
            f"Content-Length: {len(body)}",
            "Content-Type: application/json",
        ]
        return "\r\n".join([*head, "", ""]).encode() + body


def press(
    target: Target,
    readers: int,
    writers: int,
    seconds: float,
    reads: Sequence[str],
    said: Callable[[int, int], str],
) -> Outcome:
    """Let readers and writers ask for so long; `said` makes the sentence of a writer's next request."""
    return asyncio.run(_press(target, readers, writers, seconds, reads, said))


async def _press(
    target: Target,
    readers: int,
    writers: int,
    seconds: float,
    reads: Sequence[str],
    said: Callable[[int, int], str],
) -> Outcome:
    outcome = Outcome()
    begun = perf_counter()
    until = begun + seconds

    async def read(number: int) -> None:
        async with _Line(target) as line:
            turn = number
            while perf_counter() < until:
                at = perf_counter()
                status = await line.ask(Asked("GET", reads[turn % len(reads)]))
                outcome.reads.append(since(at))
                if status != 200:
                    outcome.fail(f"GET {reads[turn % len(reads)]}: {status}")
                turn += 1

    async def write(number: int) -> None:
        async with _Line(target) as line:
            turn = 0
            while perf_counter() < until:
                text, at = said(number, turn), perf_counter()
                status = await line.ask(Asked("POST", "/api/facts", text))
                outcome.writes.append(since(at))
                if status == 201:
                    outcome.acknowledged.append(text)
                else:
                    outcome.fail(f"POST: {status}")
                turn += 1

    everybody = [read(number) for number in range(readers)] + [write(number) for number in range(writers)]
    for ended in await asyncio.gather(*everybody, return_exceptions=True):
        if isinstance(ended, BaseException):
            outcome.fail(f"{type(ended).__name__}: {ended}")
    outcome.seconds = perf_counter() - begun
    return outcome


class _Line:
    """One connection that stays open."""

    def __init__(self, target: Target) -> None:
        self._target = target

    async def __aenter__(self) -> "_Line":
        parts = urlsplit(self._target.address)
        self._reader, self._writer = await asyncio.open_connection(parts.hostname, parts.port)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._writer.close()

    async def ask(self, asked: Asked) -> int:
        """Send a request, read the whole answer, and return its status."""
        self._writer.write(asked.written(self._target))
        head = await self._reader.readuntil(b"\r\n\r\n")
        lines = head.split(b"\r\n")
        length = next(int(line[15:]) for line in lines if line.lower().startswith(b"content-length:"))
        await self._reader.readexactly(length)
        return int(lines[0].split()[1])
