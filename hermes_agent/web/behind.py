"""Another ASGI app under a path of the site: MCP behind the same tokens, a gateway whose requests are signed.

The app finds who asks in the scope (`caller_of`), and decides by the scope of their token what they may do.
"""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from hermes_agent.errors import HermesError
from hermes_agent.web import problems
from hermes_agent.web.callers import Caller, Needs

_CALLER = "hermes.caller"


@dataclass(frozen=True, slots=True)
class Mounted:
    """An app, where it is found, and what must run meanwhile; entered when the server starts."""

    path: str
    app: ASGIApp
    running: AbstractAsyncContextManager[None] | None = None
    is_signed: bool = False
    """Whether its requests are signed, and it lets nobody in but by that: then no token is asked for."""


class Behind:
    """An app that only those reach who show a token that may read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._needs = Needs("read")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find who asks, and let them in or answer why not."""
        request = Request(scope, receive)
        try:
            scope[_CALLER] = await self._needs(request)
        except HermesError as error:
            await problems.of_error(error)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def caller_of(scope: Scope) -> Caller:
    """Return who asks, of a request that was let in."""
    caller = scope[_CALLER]
    assert isinstance(caller, Caller)
    return caller
