"""A client of `/api/chat`: says something and reads the events as they come."""

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2

PATIENCE_SECONDS = 60.0


@dataclass
class Talk:
    """An answer that is being followed."""

    response: httpx2.Response
    seen: list[tuple[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lines = self.response.iter_lines()

    @property
    def names(self) -> list[str]:
        """What was told so far, by name."""
        return [name for name, _ in self.seen]

    @property
    def turn(self) -> str:
        """The turn's id, which the first event brings."""
        begun = self.seen[0] if self.seen else self.until("begun")
        name, data = begun if isinstance(begun, tuple) else ("begun", begun)
        assert name == "begun"
        return str(data["turn"])

    @property
    def session(self) -> str:
        """The session's id."""
        assert self.turn
        return str(self.seen[0][1]["session_id"])

    def until(self, name: str) -> Any:
        """Read until an event of this name; return what it tells."""
        for found, data in self.events():
            if found == name:
                return data
        raise AssertionError(f"{name!r} did not come, but {self.names}")

    def rest(self) -> list[str]:
        """Read to the end; return the names of everything that was told."""
        for _ in self.events():
            pass
        return self.names

    def events(self) -> Iterator[tuple[str, Any]]:
        """Yield what comes."""
        name = ""
        for line in self._lines:
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                told = (name, json.loads(line.removeprefix("data: ")))
                self.seen.append(told)
                yield told


@dataclass(frozen=True)
class Program:
    """A program with a token."""

    address: str
    token: str

    @contextmanager
    def say(self, message: str, *, key: str | None = None, **more: Any) -> Iterator[Talk]:
        """Say something; the block's end leaves, whether or not the answer was at its end."""
        headers = {} if key is None else {"Idempotency-Key": key}
        with (
            self._client() as client,
            client.stream("POST", "/api/chat", json={"message": message, **more}, headers=headers) as response,
        ):
            assert response.status_code == 200, response.read()
            yield Talk(response)

    def post(self, path: str, body: Mapping[str, Any]) -> httpx2.Response:
        """Send something."""
        with self._client() as client:
            return client.post(path, json=body)

    def get(self, path: str) -> httpx2.Response:
        """Ask for something."""
        with self._client() as client:
            return client.get(path)

    def _client(self) -> httpx2.Client:
        return httpx2.Client(
            base_url=self.address,
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=PATIENCE_SECONDS,
            trust_env=False,
        )


def at_once(*works: Any) -> None:
    """Do several things at the same time; what one of them finds wrong is raised here."""
    wrong: list[BaseException] = []

    def noted(work: Any) -> None:
        try:
            work()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=noted, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for error in wrong:
        raise error
