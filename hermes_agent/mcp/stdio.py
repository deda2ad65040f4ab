"""The server over the input and output of this process: one client, which started it.

Whoever starts it is the owner; the client's text may still come from anywhere, so it speaks for the owner only if
that was said. The output belongs to the protocol: everything else goes to the standard error.
"""

import logging
import os
import signal
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


def serve(app: App, scope: Scope, after_write: Callable[[], None] | None = None) -> None:
    """Answer one client until it closes our input; `after_write` does the work that follows what was written."""
    _open(app, scope)
    anyio.run(_serve, app, scope, after_write)


def _open(app: App, scope: Scope) -> None:
    """Open the store before anything is answered: what keeps it shut is told to whoever started us."""
    with app.store.read():
        pass
    if scope != "read":
        for sentence in (*app.notebook.reconcile(), *app.sync_skills()):
            log.warning("%s", sentence)


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
                        _leave(app, 0)
                    raise
        except* ConnectionError:  # the last answer could not be written
            _leave(app, 0)
        tasks.cancel_scope.cancel()


async def _end_on_signal(app: App) -> None:
    """End at Ctrl-C: a thread hangs on our input, and Python would wait for it until somebody closes that."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            _leave(app, _ENDED_BY_SIGNAL + number)


def _leave(app: App, code: int) -> NoReturn:
    """End at once: no thread is waited for, and what nobody reads is not written."""
    app.close()
    os._exit(code)
