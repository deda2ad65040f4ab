"""The server over the input and output of this process: one client, which started it.

Whoever starts it is the owner; the client's text may still come from anywhere, so it speaks for the owner only if
that was said. The output belongs to the protocol: everything else goes to the standard error.
"""

import logging
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

import anyio
import anyio.to_thread
from mcp.server.stdio import stdio_server

from hermes_agent.app import App
from hermes_agent.mcp.access import Access
from hermes_agent.mcp.malformed import Heard
from hermes_agent.mcp.server import Context, build
from hermes_agent.mcp.unanswered import Told, Unanswered
from hermes_agent.records.tokens import Scope

log = logging.getLogger(__name__)

_ENDED_BY_SIGNAL = 128
_FAILED = 1


def serve(app: App, scope: Scope, after_write: Callable[[], None] | None = None) -> None:
    """Answer one client until it closes our input; `after_write` does the work that follows what was written."""
    # Opened before anything is answered: what keeps the store shut is told to whoever started us.
    with app.store.read():
        pass
    anyio.run(_serve, app, scope, after_write)


async def _serve(app: App, scope: Scope, after_write: Callable[[], None] | None) -> None:
    def access_of(ctx: Context) -> Access:
        known = ctx.session.client_params
        return Access(scope, "" if known is None else known.client_info.name)

    written = anyio.Event()

    async def follow() -> None:
        nonlocal written
        while after_write is not None:
            await written.wait()
            written = anyio.Event()
            await anyio.to_thread.run_sync(after_write)

    server = build(app, access_of, on_write=lambda: written.set())
    wire = os.dup(sys.stdout.fileno())  # the transport puts something else in its place
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_on_signal, app)
        tasks.start_soon(follow)
        try:
            async with stdio_server() as (incoming, outgoing):
                unanswered = Unanswered()
                heard, told = Heard(incoming, outgoing, unanswered), Told(outgoing, unanswered)
                try:
                    await server.run(heard, told, server.create_initialization_options())
                except anyio.get_cancelled_exc_class():
                    # The transport ends us when it cannot write any more; by itself it waits for one more line.
                    if not tasks.cancel_scope.cancel_called:
                        _leave_broken(app, wire)
                    raise
        except* OSError:  # the last answer could not be written
            _leave_broken(app, wire)
        tasks.cancel_scope.cancel()


async def _end_on_signal(app: App) -> None:
    """End at Ctrl-C: a thread hangs on our input, and Python would wait for it until somebody closes that."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            _leave(app, _ENDED_BY_SIGNAL + number)


def _leave_broken(app: App, wire: int) -> NoReturn:
    """End when the transport broke: quietly if it is because nobody reads our answers any more."""
    ends = select.poll()
    ends.register(wire, 0)  # only that the other end is gone is told then
    if ends.poll(0):
        _leave(app, 0)
    log.error("The answers cannot be written any more, or what the client sends not be read; the server ends.")
    _leave(app, _FAILED)


def _leave(app: App, code: int) -> NoReturn:
    """End at once: no thread is waited for, and what nobody reads is not written."""
    app.close()
    os._exit(code)
