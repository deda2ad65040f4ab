"""A gateway that is reached over HTTP: the daemon's web server hands it the requests under its path."""

from typing import Protocol, cast

from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from hermes_agent.gateways.running import Running


class OverHttp(Protocol):
    """An ASGI app; it looks at each request itself, and lets in what is signed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class Door:
    """The way to a gateway, also while it connects again."""

    def __init__(self, running: Running) -> None:
        self._running = running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request on, or say that nobody is there to take it."""
        gateway = self._running.gateway
        if gateway is None:
            answer = JSONResponse({"detail": "The gateway is not at work just now."}, 503, {"Retry-After": "5"})
            await answer(scope, receive, send)
            return
        # Its platform says that it is an ASGI app.
        await cast(OverHttp, gateway)(scope, receive, send)
