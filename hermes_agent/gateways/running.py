"""A gateway at work: it listens in a loop of its own, and threads answer what it brings.

What comes is on the disk before the platform is told that we have it. Then the chat it belongs to is woken: one
thread at a time works in a chat, several chats are worked in at once. A connection that fails is made again,
after a while that grows; what is to be sent waits meanwhile.
"""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import held_file, paths, variables
from hermes_agent.config.settings import MEMORY_BACKEND, MEMORY_POOL_SIZE
from hermes_agent.errors import GatewayRefused, HermesError
from hermes_agent.gateways.access import access_of, options_of
from hermes_agent.gateways.cancelling import cancelled
from hermes_agent.gateways.gateway import Gateway, Incoming, Place, Platform, Setup
from hermes_agent.gateways.handling import Handling
from hermes_agent.gateways.inbox import Inbox
from hermes_agent.gateways.intake import newest
from hermes_agent.gateways.line import Ended, Line
from hermes_agent.jobs.worker import LOG, described
from hermes_agent.store import arrivals, sole

DRAIN_SECONDS = 20.0
"""How long a turn that is under way may take when the gateway is to end; then it is stopped."""
LEAVE_SECONDS = 5.0
_THREADS = 8
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS = 1.0, 300.0
_REFUSED_WAIT_SECONDS = 60.0
_LONGEST_STANDBY_SECONDS = 30.0
"""How long at most nobody answers where a process died whose gateway another is to take over."""
_HOLD_SECONDS = 15.0
_LOST = "The connection to the store broke; another process may run this gateway by now."
_KEPT_MICROSECONDS = 30 * 86_400 * clock.MICROSECONDS
"""How long it is known which updates were there: no platform sends older ones again."""


Condition = Literal["connecting", "connected", "waiting", "ended"]


@dataclass(frozen=True, slots=True)
class State:
    """How a gateway is: `trouble` says why it is not connected."""

    name: str
    condition: Condition
    trouble: str | None = None


class Running:
    """One gateway of a home, from its start to its end."""

    def __init__(
        self,
        app: App,
        platform: Platform,
        on_change: Callable[[State], None] = lambda state: None,
        *,
        is_patient: bool = True,
    ) -> None:
        """One that is not patient ends when it is refused, and its last state says why."""
        self.platform = platform
        self.state = State(platform.name, "connecting")
        access = access_of(app.settings, platform.name)
        self._app = app
        self._on_change = on_change
        self._is_patient = is_patient
        self._refusal: str | None = None
        self._line = Line()
        self._handling = Handling(app, platform, access, self._line)
        self._inbox = Inbox(app, platform.name, access, self._handling, self._line)
        self._due: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._busy: set[str] = set()
        self._woken: set[str] = set()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(_thread_count(app))]
        self._listener = threading.Thread(target=self._run, name=f"gateway {platform.name}", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listening: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None
        self._gateway: Gateway | None = None

    @property
    def gateway(self) -> Gateway | None:
        """The connection, while there is one."""
        return self._gateway

    def start(self) -> None:
        """Begin: connect, go on with what a kill left, and take in what comes."""
        self._listener.start()

    def stop(self) -> None:
        """Begin nothing new; turns that are under way may finish. Return at once."""
        self._line.is_ending.set()
        with suppress(RuntimeError):  # the loop may be closed by now
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._stop_listening)

    def wait(self, timeout_seconds: float | None = None) -> bool:
        """Wait until it has ended; tell whether it has."""
        self._listener.join(timeout_seconds)
        return not self._listener.is_alive()

    def _stop_listening(self) -> None:
        if self._listening is not None:
            self._ending = asyncio.create_task(cancelled(self._listening))

    def _run(self) -> None:
        try:
            self._until_ended()
        except Exception as error:  # the boundary of a gateway: the others go on
            LOG.error("The gateway %s ended: %s", self.platform.name, described(error))
            self._change("ended", described(error))
            return
        self._change("ended", self._refusal)

    def _until_ended(self) -> None:
        """Be the one process that runs this gateway, as soon as no other does."""
        wait_seconds = _FIRST_WAIT_SECONDS
        lock = paths.cached(self._app.home.root, f".gateway-{self.platform.name}.lock")
        while not self._line.is_ending.is_set():
            with ExitStack() as held:
                hold = self._held(held, lock)
                if hold is not None:
                    self._take_up()
                    asyncio.run(self._serve(hold))
                    wait_seconds = _FIRST_WAIT_SECONDS
            if not self._line.is_ending.is_set():
                self._change("waiting", "Another process runs this gateway." if hold is None else _LOST)
                self._line.is_ending.wait(wait_seconds)
                wait_seconds = min(wait_seconds * 2, _LONGEST_STANDBY_SECONDS)
        self._drain()

    def _held(self, held: ExitStack, lock: Path) -> sole.Hold | None:
        """Return that no other process runs this gateway, here or on another machine with the same store."""
        with ExitStack() as tried:
            if not held_file.take(tried, lock):
                return None
            hold = tried.enter_context(sole.alone(self._app.store, f"gateway {self.platform.name}"))
            if hold is not None:
                held.enter_context(tried.pop_all())
            return hold

    def _take_up(self) -> None:
        """Begin to answer, with what is left from before."""
        for thread in self._threads:
            if thread.ident is None:
                thread.start()
        with self._app.store.write() as connection:
            arrivals.sweep(connection, clock.now() - _KEPT_MICROSECONDS)
            left = arrivals.open_chats(connection, self.platform.name)
        for chat_key in left:
            self._wake(chat_key)

    async def _serve(self, hold: sole.Hold) -> None:
        """Be connected until the end, or until we are no more known to be the only ones."""
        self._loop = asyncio.get_running_loop()
        lost = asyncio.Event()
        watching = asyncio.create_task(self._watch(hold, lost))
        try:
            await self._stay_connected(lost)
        finally:
            await cancelled(watching)
        if self._line.is_ending.is_set():
            await asyncio.to_thread(self._drain)
        await self._close()

    async def _watch(self, hold: sole.Hold, lost: asyncio.Event) -> None:
        """Look whether the hold lasts; when it does not, say so and stop listening."""
        while not await asyncio.to_thread(hold.is_lost):
            await asyncio.sleep(_HOLD_SECONDS)
        LOG.warning("The gateway %s: %s", self.platform.name, _LOST)
        lost.set()
        if self._listening is not None:
            await cancelled(self._listening)

    async def _stay_connected(self, lost: asyncio.Event) -> None:
        """Connect, and again after each failure, until the end or until the hold is lost."""
        wait_seconds = _FIRST_WAIT_SECONDS
        while True:
            began = clock.monotonic()
            trouble = await self._connected()
            if self._line.is_ending.is_set() or lost.is_set():
                return
            if trouble.is_lasting and not self._is_patient:
                self._refusal = trouble.text
                self._line.is_ending.set()
                return
            await self._close()
            # One that held for a while was sound: the next failure is a new one.
            is_new = clock.monotonic() - began > _LONGEST_WAIT_SECONDS
            wait_seconds = _FIRST_WAIT_SECONDS if is_new else wait_seconds
            wait_seconds = max(wait_seconds, _REFUSED_WAIT_SECONDS) if trouble.is_lasting else wait_seconds
            LOG.warning("The gateway %s: %s Again in %.0f s.", self.platform.name, trouble.text, wait_seconds)
            self._change("waiting", trouble.text)
            await self._rest(wait_seconds)
            if self._line.is_ending.is_set() or lost.is_set():
                return
            wait_seconds = min(wait_seconds * 2, _LONGEST_WAIT_SECONDS)

    async def _connected(self) -> "_Trouble":
        """Connect and listen until that ends; say why it did."""
        self._change("connecting", None)
        try:
            self._gateway = self.platform.connect(self._setup())
            self._line.connect(self._gateway)
            self._listening = asyncio.create_task(self._gateway.listen(self._keep))
            if self._line.is_ending.is_set():
                self._listening.cancel()
            await self._listening
            return _Trouble("The connection ended.")
        except asyncio.CancelledError:
            return _Trouble("The connection was closed.")
        except GatewayRefused as error:
            return _Trouble(f"{error.message} {error.hint or ''}".strip(), is_lasting=True)
        except HermesError as error:
            return _Trouble(f"{error.message} {error.hint or ''}".strip())
        except Exception as error:  # what others wrote may fail in any way; it is started again
            return _Trouble(f"It failed: {described(error)}.")

    def _setup(self) -> Setup:
        known = variables.read(self._app.home)
        secrets = {one.name: known[one.name] for one in self.platform.secrets if one.name in known}
        missing = [one.name for one in self.platform.secrets if one.name not in known]
        if missing:
            raise GatewayRefused(
                f"{', '.join(missing)} is not set.", hint=f"Run: hermes gateway setup {self.platform.name}"
            )
        options = options_of(self._app.settings, self.platform.name)
        return Setup(self._app.settings, options, secrets, self._last, self._handling.answer_to)

    def _last(self) -> dict[Place, int]:
        with self._app.store.read() as connection:
            found = arrivals.last_positions(connection, self.platform.name)
        return newest(found)

    async def _close(self) -> None:
        gateway, self._gateway = self._gateway, None
        self._line.disconnect()
        if gateway is not None:
            try:
                await gateway.close()
            except Exception as error:  # it is gone either way
                LOG.info("The gateway %s was not closed well: %s", self.platform.name, described(error))

    async def _rest(self, seconds: float) -> None:
        """Wait until it is time for another try, or for the end."""
        self._listening = asyncio.create_task(asyncio.sleep(seconds))
        if self._line.is_ending.is_set():
            return
        with suppress(asyncio.CancelledError):
            await self._listening

    async def _keep(self, batch: Sequence[Incoming]) -> frozenset[str]:
        """Keep what came, and wake the chats it belongs to."""
        if self.state.condition != "connected":
            self._line.note_up()
            self._change("connected", None)
        kept = await asyncio.to_thread(self._inbox.keep, batch) if batch else {}
        for chat_key in dict.fromkeys(kept.values()):
            self._wake(chat_key)
        return frozenset(kept)

    def _wake(self, chat_key: str) -> None:
        with self._lock:
            if chat_key in self._busy:
                self._woken.add(chat_key)
                return
            self._busy.add(chat_key)
        self._due.put(chat_key)

    def _work(self) -> None:
        """Work in one chat after the other, until None comes."""
        while (chat_key := self._due.get()) is not None:
            is_left = False
            try:
                while self._handling.handle_next(chat_key):
                    if self._line.is_ending.is_set():
                        raise Ended
                self._handling.look_after(chat_key)
            except Ended:
                is_left = True
            except Exception as error:  # the boundary of a message: the others are handled, the log says where
                LOG.error("A chat of %s failed: %s", self.platform.name, described(error))
                is_left = self._line.is_ending.wait(_FIRST_WAIT_SECONDS)
                with self._lock:
                    self._woken.add(chat_key)
            with self._lock:
                is_woken = chat_key in self._woken and not is_left
                self._woken.discard(chat_key)
                if not is_woken:
                    self._busy.discard(chat_key)
            if is_woken:
                self._due.put(chat_key)

    def _drain(self) -> None:
        """Let turns that are under way finish, or stop them after a while; what is left stays in the store."""
        if all(thread.ident is None or not thread.is_alive() for thread in self._threads):
            return
        for _ in self._threads:
            self._due.put(None)
        if not self._have_ended(DRAIN_SECONDS):
            self._handling.stop_talks()
            if not self._have_ended(LEAVE_SECONDS):
                self._line.is_over.set()
                self._have_ended(LEAVE_SECONDS)
        self._handling.close()

    def _have_ended(self, seconds: float) -> bool:
        deadline = clock.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - clock.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _change(
        self, condition: Literal["connecting", "connected", "waiting", "ended"], trouble: str | None
    ) -> None:
        self.state = replace(self.state, condition=condition, trouble=trouble)
        self._on_change(self.state)


def _thread_count(app: App) -> int:
    """Return how many chats are answered at once: with a server, no more than half of its connections allow."""
    is_file = app.settings[MEMORY_BACKEND] == "sqlite"
    return _THREADS if is_file else max(1, min(_THREADS, app.settings[MEMORY_POOL_SIZE] // 2))


@dataclass(frozen=True, slots=True)
class _Trouble:
    """Why a connection ended; what is lasting is not tried again so soon."""

    text: str
    is_lasting: bool = False
