"""The daemon at work: the worker, the web server and the gateways in threads, and in front of them the signals.

The first SIGTERM, SIGINT or SIGHUP ends them: no more requests are taken, those under way are answered, and the
job that runs comes to its end, or to its next step; then the store is made one file. The second ends the process
at once; whoever sent it, or the next daemon of the home, gives back what it held.

A part that ends by itself is told in the log and in `hermes status`, and the others go on; a gateway that fails is
started again.

A loop that looks again every few seconds is the whole schedule: what is due stands in the store, where the
other processes that add jobs can put it, so a scheduler in this process would know less than a query.
"""

import gc
import os
import select
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from hermes_agent import __version__, clock
from hermes_agent.app import App
from hermes_agent.config import pid_file
from hermes_agent.config.enabled_gateways import enabled_gateways
from hermes_agent.config.pid_file import Daemon
from hermes_agent.config.settings import DAEMON_POLL_SECONDS, WEB_ENABLED
from hermes_agent.daemon import process
from hermes_agent.errors import HermesError
from hermes_agent.handlers import every_handler
from hermes_agent.jobs import upkeep, worker
from hermes_agent.jobs.pulse import Pulse
from hermes_agent.jobs.worker import LOG
from hermes_agent.store import jobs

if TYPE_CHECKING:
    from hermes_agent.daemon.gateways import Gateways
    from hermes_agent.web.server import Server

# No signal has these numbers.
_GATEWAYS_CHANGED = 253
_WORKER_ENDED = 254
_WEB_ENDED = 255
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_LONGER_SECONDS = 5
"""What the web may take beyond its own limits before it is not waited for any more."""


def serve(app: App, daemon: Daemon, before: Daemon | None, say_ready: Callable[[], None]) -> bool:
    """Work until a signal comes; `before` is a daemon of this home that died with jobs in its hands.

    Tell whether everything came to its end: a thread that did not would keep the process.
    """
    if before is not None:
        with app.store.write() as connection:
            jobs.end_leases(connection, before.worker)
    with app.store.read():
        place = app.store.engine.place
    LOG.info("Started: version %s, pid %d, profile %s, %s", __version__, daemon.pid, app.home.profile, place)
    if before is not None:
        LOG.warning("The daemon before (pid %d) was killed; its jobs begin anew.", before.pid)
    parts = _Parts(app, daemon)
    parts.start_worker()
    parts.open_gateways()
    parts.open_web()
    settle()
    say_ready()
    parts.wait_for_signal()
    is_clean = parts.end()
    _fold(app)
    LOG.info("Stopped.")
    return is_clean


def settle() -> None:
    """Let the collector of garbage pass over what is loaded by now: looking through it takes 0.1 s each time."""
    gc.collect()
    gc.freeze()


class _Parts:
    """The parts of a daemon: begun, watched, ended. Everything here is done by the main thread."""

    def __init__(self, app: App, daemon: Daemon) -> None:
        self._app = app
        self._daemon = daemon
        self._stop = threading.Event()
        self._pulse = Pulse()
        self._web: Server | None = None
        self._gateways: Gateways | None = None
        self._has_worker = False
        self._listening, self._telling = _signal_pipe()

    def start_worker(self) -> None:
        """Begin to do jobs."""
        app = self._app
        is_beginning = iter([True])
        self._pulse.beat()

        def schedule() -> None:
            app.refuse_lost()  # jobs write files, too
            is_first = next(is_beginning, False)
            upkeep.enqueue_due(app.memory, app.settings, app.home.reflections, is_beginning=is_first)

        def work() -> None:
            try:
                worker.serve(
                    app.store,
                    every_handler(app),
                    schedule,
                    self._stop,
                    worker=self._daemon.worker,
                    poll_seconds=app.settings[DAEMON_POLL_SECONDS],
                    beat=self._pulse.beat,
                )
            except SystemExit as error:
                # Threading itself says nothing of it: a job that wants to end the process ends only its thread.
                LOG.error("A job ended the worker: %s", worker.described(error))
            finally:
                self._tell(_WORKER_ENDED)

        threading.Thread(target=work, name="worker", daemon=True).start()
        self._has_worker = True

    def open_gateways(self) -> None:
        """Connect to the chat platforms that are enabled."""
        if not enabled_gateways(self._app.settings):
            return
        # Imported here: a daemon without any need not load them.
        from hermes_agent.daemon.gateways import Gateways

        self._gateways = Gateways(self._app, partial(self._tell, _GATEWAYS_CHANGED))
        self._gateways.start()

    def open_web(self) -> None:
        """Serve the dashboard; why there is none is told, and the work goes on without it."""
        if not self._app.settings[WEB_ENABLED]:
            return
        # Imported here: a daemon without it need not load it.
        from hermes_agent.daemon import web

        try:
            doors = () if self._gateways is None else self._gateways.running
            self._web = web.open_server(self._app, self._pulse, partial(self._tell, _WEB_ENDED), doors)
        except HermesError as error:
            LOG.error("%s %s", error.message, error.hint or "")
            self._note(replace(self._daemon, web_trouble=f"{error.message} {error.hint or ''}".strip()))
            return
        self._note(replace(self._daemon, address=self._web.address))
        LOG.info("The dashboard is at %s", self._web.address)

    def wait_for_signal(self) -> None:
        """Wait until somebody asks the daemon to end; note it when a part ends by itself."""
        while (told := self._next()) not in _ENDING:
            self._mourn(told)
        LOG.info("Stopping: %s", signal.Signals(told).name)

    def end(self) -> bool:
        """Let every part come to its end; another signal ends them at once. Tell whether all did."""
        self._stop.set()
        is_clean = True
        seconds = 0.0
        if self._gateways is not None:
            from hermes_agent.daemon.gateways import LONGEST_END_SECONDS

            self._gateways.stop()
            seconds = LONGEST_END_SECONDS
        if self._web is not None:
            from hermes_agent.web.server import CLOSING_SECONDS, DRAIN_SECONDS

            self._web.stop()
            seconds = max(seconds, DRAIN_SECONDS + CLOSING_SECONDS)
        deadline = clock.monotonic() + seconds + _LONGER_SECONDS
        while self._has_worker or self._web is not None or self._has_gateways:
            told = self._next(deadline if self._web is not None or self._has_gateways else None)
            if told is None:
                LOG.warning("A request or a chat did not end; it is not waited for.")
                self._web, self._gateways, is_clean = None, None, False
            elif told == _WORKER_ENDED:
                self._has_worker = False
            elif told == _WEB_ENDED:
                self._close_web()
            elif told != _GATEWAYS_CHANGED:
                _leave()
        return is_clean

    @property
    def _has_gateways(self) -> bool:
        return self._gateways is not None and not self._gateways.have_ended

    def _next(self, deadline: float | None = None) -> int | None:
        """Wait for a signal, or for a part that ends; None after the deadline."""
        if deadline is not None:
            left = max(0.0, deadline - clock.monotonic())
            if not select.select([self._listening], [], [], left)[0]:
                return None
        return os.read(self._listening, 1)[0]

    def _mourn(self, told: int | None) -> None:
        """Tell in the log and the status that a part has ended which nobody asked to."""
        if told == _WORKER_ENDED:
            self._has_worker = False
            self._pulse.trouble = "The worker ended by itself; no jobs are done."
            LOG.error("%s", self._pulse.trouble)
            self._note(replace(self._daemon, worker_trouble=self._pulse.trouble))
        elif told == _WEB_ENDED:
            self._close_web()
            trouble = "The dashboard ended by itself."
            LOG.error("%s", trouble)
            self._note(replace(self._daemon, address=None, web_trouble=trouble))
        elif told == _GATEWAYS_CHANGED and self._gateways is not None:
            self._note(replace(self._daemon, gateways=self._gateways.told()))

    def _close_web(self) -> None:
        if self._web is not None:
            self._web.close()
            self._web = None

    def _note(self, daemon: Daemon) -> None:
        self._daemon = daemon
        try:
            self._app.refuse_lost()
            pid_file.tell(self._app.home, daemon)
        except HermesError as error:
            LOG.warning("`hermes status` does not know of it: %s", error.message)

    def _tell(self, what: int) -> None:
        os.write(self._telling, bytes([what]))


def _fold(app: App) -> None:
    """Fold the log into the store's file; who reads just then keeps that for later."""
    try:
        with app.store.bare() as connection:
            app.store.engine.fold(connection)
    except HermesError as error:
        LOG.warning("The store's log was not folded: %s", error.message)


def _signal_pipe() -> tuple[int, int]:
    """Let every ending signal put its number, as one byte, into a pipe; return the pipe's two ends.

    A pipe, since the kernel may hand a signal to any thread: a lock or an event that the main thread waits
    for would then not wake it.
    """
    listening, telling = os.pipe()
    os.set_blocking(telling, False)
    signal.set_wakeup_fd(telling)
    for number in _ENDING:
        signal.signal(number, lambda number, frame: None)
    return listening, telling


def _leave() -> NoReturn:
    """End although something is at work: its transaction, if it has one open, is taken back by the database."""
    LOG.warning("Ended in the middle of a job.")
    process.leave()
