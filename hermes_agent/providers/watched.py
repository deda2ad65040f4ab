"""A provider under watch: it has a limited time, its failures are words, and after several it gets a rest.

The boundary to code and servers of others. A call that takes too long is left alone, and nothing more is asked
until it came back; after three failures in a row the provider is not asked for a minute, then for longer and
longer. Whoever asks meanwhile is told so at once: our own memory goes on.
"""

import threading
from collections.abc import Callable
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
from hermes_agent.text.clean import preview, printable

T = TypeVar("T")

_MOST_FAILURES = 3
_REST_SECONDS = 60.0
_LONGEST_REST_SECONDS = 600.0
_LONGEST_REASON = 200
_LONGEST_RECALL_SECONDS = 60.0
READY_SECONDS = 2.0
"""What a provider may take to say whether its settings and packages are there."""


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
        self,
        name: str,
        provider: MemoryProvider,
        surroundings: Surroundings,
        is_used: Callable[[], bool] = lambda: True,
    ) -> None:
        """`is_used` tells whether its owner still wants it asked and told."""
        self.name = name
        self.provider = provider
        self.is_used = is_used
        self._surroundings = surroundings
        self._lock = threading.Lock()
        self._beginning = threading.Lock()
        self._breaker = Breaker()
        self._session: str | None = None
        self._trouble = ""
        self._is_stuck = False
        self._is_closed = False

    @property
    def is_available(self) -> bool:
        """Whether the provider says that its settings and packages are there."""
        try:
            return call(self.name, READY_SECONDS, lambda: bool(self.provider.is_available()))
        except HermesError:
            return False

    @property
    def recall_seconds(self) -> float:
        """How long a turn waits for it; the usual time where it does not name a sensible one."""
        usual = MemoryProvider.recall_seconds
        try:
            wanted = call(self.name, READY_SECONDS, lambda: float(self.provider.recall_seconds))
        except HermesError:
            return usual
        return wanted if 0 < wanted <= _LONGEST_RECALL_SECONDS else usual

    def ask(self, work: Callable[[MemoryProvider], T], seconds: float, caller: Caller) -> T:
        """Let the provider do something in so many seconds; ProviderError says why it did not."""
        self._refuse_unready()
        ended = threading.Event()

        def run() -> T:
            try:
                self._get_ready(caller)
                return work(self.provider)
            finally:
                ended.set()

        try:
            came = call(self.name, seconds, run, after_late=self._come_back)
        except (ProviderUnwilling, ToolError):
            raise  # who answers that it does not want this is there
        except HermesError as error:
            with self._lock:
                self._is_stuck = self._is_stuck or not ended.is_set()
            self._breaker = self._breaker.failed(clock.monotonic())
            self._trouble = error.message
            raise
        self._breaker = Breaker()
        return came

    def hear(self, work: Callable[[MemoryProvider], T], seconds: float, caller: Caller) -> T:
        """Ask for what no model has called a tool for: a ToolError is a failure like any other."""

        def run(provider: MemoryProvider) -> T:
            try:
                return work(provider)
            except ToolError as error:
                raise ProviderDown(f"{self.name} failed: {error}") from error

        return self.ask(run, seconds, caller)

    def close(self, seconds: float) -> str | None:
        """Shut the provider down, if it was ever asked; return what went wrong. A slow one is not waited for."""
        if self._is_closed or self._session is None or self._is_stuck:
            return None
        self._is_closed = True
        try:
            call(self.name, seconds, self.provider.shutdown, "shut down")
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
        if self._is_stuck or self._breaker.rest_seconds(clock.monotonic()):
            # In the same words: who was told is not told again.
            raise ProviderDown(self._trouble)

    def _come_back(self) -> None:
        with self._lock:
            self._is_stuck = False


def call(
    name: str,
    seconds: float,
    work: Callable[[], T],
    what: str = "answer",
    after_late: Callable[[], None] = lambda: None,
) -> T:
    """Let code of others work for so many seconds; whatever it raises is an error that people can read.

    In a thread of its own, where nothing but that code raises: an exit is none of ours, and is told like the rest.
    """

    def run() -> list[T] | HermesError:
        try:
            return [work()]
        except BaseException as error:
            return _translated(name, error)

    try:
        came = within(seconds, run, f"provider {name}", after_late)
    except TimeoutError:
        raise ProviderSlow(f"{name} did not {what} within {seconds:g} s.") from None
    if isinstance(came, HermesError):
        raise came
    return came[0]


def as_text(value: object) -> str:
    """Return what a provider said as plain text; what is none is nothing. Only for work that is watched."""
    return str.__str__(value) if isinstance(value, str) else ""


def _translated(name: str, error: BaseException) -> HermesError:
    said = vars(error).get("message")
    if isinstance(error, HermesError) and type(said) is str:
        error.message = printable(said)
        return error
    # Libraries quote addresses, and with them the keys in those.
    words = preview(secrets.redact(_words_of(error))[0], _LONGEST_REASON)
    made = ProviderDown(f"{name} failed: {type(error).__name__}{': ' + words if words else ''}.")
    made.__cause__ = error
    return made


def _words_of(error: BaseException) -> str:
    try:
        return as_text(str(error))
    except BaseException:
        return ""  # its name says that it failed
