"""A provider under watch: it has a limited time, its failures are words, and after several it gets a rest.

The boundary to code and servers of others. A call that takes too long is left alone, and nothing more is asked
until it came back; after three failures in a row the provider is not asked for a minute, then for longer and
longer. Whoever asks meanwhile is told so at once: our own memory goes on.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from hermes_agent import clock
from hermes_agent.errors import (
    HermesError,
    ProviderDown,
    ProviderRefused,
    ProviderSlow,
    ProviderUnwilling,
    ToolError,
)
from hermes_agent.patience import within
from hermes_agent.providers.provider import MemoryProvider, Surroundings
from hermes_agent.text import secrets
from hermes_agent.text.clean import preview

T = TypeVar("T")

_MOST_FAILURES = 3
_REST_SECONDS = 60.0
_LONGEST_REST_SECONDS = 600.0
_LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Breaker:
    """Whether somebody is asked: after several failures in a row not before `until`."""

    failures: int = 0
    until: float = 0.0

    def failed(self, now: float) -> "Breaker":
        """Return it after one more failure."""
        count = self.failures + 1
        if count < _MOST_FAILURES:
            return replace(self, failures=count)
        rest: float = _REST_SECONDS * 2 ** (count - _MOST_FAILURES)
        return Breaker(count, now + min(rest, _LONGEST_REST_SECONDS))

    def rest_seconds(self, now: float) -> float:
        """Return how long nobody should be asked, 0 if they may be."""
        return max(0.0, self.until - now)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: the conversation, and the door it came through."""

    session_id: str = ""
    platform: str = "cli"


class Watched:
    """One provider in one process."""

    def __init__(
        self, provider: MemoryProvider, surroundings: Surroundings, is_used: Callable[[], bool] = lambda: True
    ) -> None:
        """`is_used` tells whether its owner still wants it asked and told."""
        self.name = provider.name
        self.provider = provider
        self.is_used = is_used
        self._surroundings = surroundings
        self._lock = threading.Lock()
        self._beginning = threading.Lock()
        self._breaker = Breaker()
        self._session: str | None = None
        self._is_stuck = False
        self._is_closed = False

    @property
    def is_available(self) -> bool:
        """Whether the provider says that its settings and packages are there."""
        try:
            with translated(self.name):
                return bool(self.provider.is_available())
        except HermesError:
            return False

    def ask(self, work: Callable[[MemoryProvider], T], seconds: float, caller: Caller) -> T:
        """Let the provider do something in so many seconds; ProviderError says why it did not."""
        self._refuse_unready()
        came: list[T] = []
        wrong: list[HermesError] = []

        def run() -> None:
            try:
                with translated(self.name):
                    self._get_ready(caller)
                    came.append(work(self.provider))
            except HermesError as error:
                wrong.append(error)

        try:
            within(seconds, run, f"provider {self.name}", self._come_back)
        except TimeoutError:
            with self._lock:
                self._is_stuck = not came and not wrong
            self._fail()
            raise ProviderSlow(f"{self.name} did not answer within {seconds:g} s.") from None
        # Who answers that it does not want this is there.
        if wrong and not isinstance(wrong[0], (ProviderUnwilling, ToolError)):
            self._fail()
        if wrong:
            raise wrong[0]
        self._breaker = Breaker()
        return came[0]

    def close(self, seconds: float) -> str | None:
        """Shut the provider down, if it was ever asked; return what went wrong. A slow one is not waited for."""
        if self._is_closed or self._session is None or self._is_stuck:
            return None
        self._is_closed = True
        try:
            return within(seconds, self._shut_down, f"provider {self.name}")
        except TimeoutError:
            return f"{self.name} did not shut down within {seconds:g} s."

    def _shut_down(self) -> str | None:
        try:
            with translated(self.name):
                self.provider.shutdown()
        except HermesError as error:
            return error.message
        return None

    def _get_ready(self, caller: Caller) -> None:
        """Begin with the first conversation, and tell of each other one."""
        with self._beginning:
            if self._session is None:
                self.provider.initialize(
                    caller.session_id,
                    hermes_home=str(self._surroundings.folder),
                    platform=caller.platform,
                    agent_context="primary",
                    agent_identity=self._surroundings.profile,
                    agent_workspace="hermes",
                )
            elif self._session != caller.session_id:
                self.provider.on_session_switch(caller.session_id)
            self._session = caller.session_id

    def _refuse_unready(self) -> None:
        if not self.is_used():
            raise ProviderRefused(f"{self.name} is not used any more.", hint="What runs on learns: hermes restart")
        if self._is_closed:
            raise ProviderDown(f"{self.name} was shut down.")
        if self._is_stuck:
            raise ProviderDown(f"{self.name} is still busy with what it was asked before.")
        rest = self._breaker.rest_seconds(clock.monotonic())
        if rest:
            # Without the seconds: who is told once would be told at every turn.
            raise ProviderDown(f"{self.name} failed several times in a row; it is asked again after a while.")

    def _fail(self) -> None:
        self._breaker = self._breaker.failed(clock.monotonic())

    def _come_back(self) -> None:
        with self._lock:
            self._is_stuck = False


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Turn whatever the code of others raises into an error that people can read."""
    try:
        yield
    except HermesError:
        raise
    except Exception as error:
        # Libraries quote addresses, and with them the keys in those.
        words = preview(secrets.redact(str(error))[0], _LONGEST_REASON)
        raise ProviderDown(f"{name} failed: {type(error).__name__}{': ' + words if words else ''}.") from error
