"""The line to a gateway: what is sent waits as long as it takes, a file is given up."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from hermes_agent.errors import GatewayBusy, GatewayRefused
from hermes_agent.gateways import line
from hermes_agent.gateways.gateway import Attachment, Keep, Place, Question
from hermes_agent.gateways.line import Line

FILE = Attachment("doc1", "doc1.txt")


class Busy:
    """A gateway that is busy so many times, and then does what it is asked to."""

    def __init__(self, times: int, retry_seconds: float | None = None) -> None:
        self.tries = 0
        self._times = times
        self._retry_seconds = retry_seconds

    async def listen(self, keep: Keep) -> None:
        await keep([])

    async def send(self, place: Place, text: str) -> None:
        self._try()

    async def show_typing(self, place: Place) -> None:
        return

    async def ask(self, place: Place, question: Question) -> None:
        self._try()

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        self._try()
        return b"the content"

    async def close(self) -> None:
        return

    def _try(self) -> None:
        self.tries += 1
        if self.tries <= self._times:
            raise GatewayBusy("It is busy.", retry_seconds=self._retry_seconds)


@contextmanager
def connected(gateway: Busy) -> Iterator[Line]:
    """Run a loop in a thread, with a line to a gateway in it that is not up yet."""
    made = Line()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def connect() -> None:
        made.connect(gateway)

    asyncio.run_coroutine_threadsafe(connect(), loop).result()
    try:
        yield made
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "_FIRST_WAIT_SECONDS", 0.001)


def test_a_file_is_given_up_after_some_tries_and_a_message_is_not() -> None:
    gateway = Busy(20)
    with connected(gateway) as made:
        made.note_up()
        with pytest.raises(GatewayRefused, match=r"It could not be fetched\."):
            made.fetch(FILE, 100)
        assert gateway.tries < 10
    gateway = Busy(10)
    with connected(gateway) as made:
        made.send(Place("1"), lambda: "hello")
    assert gateway.tries == 11


def test_a_file_is_not_waited_for_an_hour() -> None:
    with connected(Busy(1, retry_seconds=3600)) as made:
        made.note_up()
        with pytest.raises(GatewayRefused):
            made.fetch(FILE, 100)


def test_a_file_waits_until_the_connection_stands() -> None:
    gateway = Busy(0)
    with connected(gateway) as made, ThreadPoolExecutor(1) as threads:
        fetching = threads.submit(made.fetch, FILE, 100)
        with pytest.raises(TimeoutError):
            fetching.result(0.5)
        assert gateway.tries == 0
        made.note_up()
        assert fetching.result(10) == b"the content"
