"""The daemon at work: the worker and the web server, each in a thread, and in front of them the signals.

The first SIGTERM, SIGINT or SIGHUP lets the job that runs come to its end, or to its next step. The second
ends the process at once; whoever sent it, or the next daemon of the home, gives back what it held.

A loop that looks again every few seconds is the whole schedule: what is due stands in the store, where the
other processes that add jobs can put it, so a scheduler in this process would know less than a query.
"""

import logging
import os
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import NoReturn

from hermes_agent import __version__
from hermes_agent.app import App
from hermes_agent.config import pid_file
from hermes_agent.config.pid_file import Daemon
from hermes_agent.config.settings import DAEMON_POLL_SECONDS, WEB_ENABLED
from hermes_agent.errors import HermesError
from hermes_agent.jobs import upkeep, worker
from hermes_agent.jobs.worker import LOG
from hermes_agent.store import jobs

_WORKER_STOPPED = b"\0"
_ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def serve(app: App, daemon: Daemon, before: Daemon | None, say_ready: Callable[[], None]) -> None:
    """Work until a signal comes; `before` is a daemon of this home that died with jobs in its hands."""
    if before is not None:
        with app.store.write() as connection:
            jobs.end_leases(connection, before.worker)
    stop = threading.Event()
    is_beginning = iter([True])
    listening, telling = _signal_pipe()

    def work() -> None:
        try:
            worker.serve(
                app.store,
                app.handlers,
                lambda: upkeep.enqueue_due(
                    app.memory, app.settings, app.home.reflections, is_beginning=next(is_beginning, False)
                ),
                stop,
                worker=daemon.worker,
                poll_seconds=app.settings[DAEMON_POLL_SECONDS],
            )
        finally:
            os.write(telling, _WORKER_STOPPED)

    with app.store.read():
        place = app.store.engine.place
    LOG.info("Started: version %s, pid %d, profile %s, %s", __version__, daemon.pid, app.home.profile, place)
    if before is not None:
        LOG.warning("The daemon before (pid %d) was killed; its jobs begin anew.", before.pid)
    thread = threading.Thread(target=work, name="worker", daemon=True)
    thread.start()
    with ExitStack() as open_doors:
        _open_web(app, daemon, open_doors)
        say_ready()
        _wait(listening, stop)
    LOG.info("Stopped.")


def _open_web(app: App, daemon: Daemon, open_doors: ExitStack) -> None:
    """Serve the dashboard; a port that is taken is told, and the work goes on without it."""
    if not app.settings[WEB_ENABLED]:
        return
    # Imported here: a daemon without it need not load it.
    from hermes_agent.daemon import web

    try:
        server = open_doors.enter_context(closing(web.open_server(app)))
    except HermesError as error:
        LOG.error("%s %s", error.message, error.hint or "")
        return
    pid_file.tell(app.home, replace(daemon, address=server.address))
    LOG.info("The dashboard is at %s", server.address)


def _wait(listening: int, stop: threading.Event) -> None:
    """Wait for a signal, then for the worker to end, or for the signal that it must not be waited for."""
    if (asked := os.read(listening, 1)) != _WORKER_STOPPED:
        LOG.info("Stopping: %s", signal.Signals(asked[0]).name)
        stop.set()
        if os.read(listening, 1) != _WORKER_STOPPED:
            _leave()


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
    """End although a job is at work: its transaction, if it has one open, is taken back by the database."""
    LOG.warning("Ended in the middle of a job.")
    logging.shutdown()
    os._exit(0)
