"""Who asks is found before what they send is read, and whatever goes wrong is answered here, inside the guard.

The framework reads and parses a body before it asks who sent it; for somebody without a token that would be work
for nothing. What a bug answers with has the guard's headers like every other answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection

from fastapi import Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hermes_agent import clock
from hermes_agent.web.callers import know_caller

_OPEN = ("/login",)
"""What is sent without a token; the guard takes little of it, and not for long."""
_BODY_SECONDS = 10.0


class Gate:
    """Let in who may send something; `answer` writes what went wrong. What is sent to `signed` paths is signed."""

    def __init__(
        self,
        app: ASGIApp,
        answer: Callable[[Request, Exception], Awaitable[Response]],
        signed: Collection[str] = (),
    ) -> None:
        self._app = app
        self._answer = answer
        self._open = frozenset((*_OPEN, *signed))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        has_begun = False

        async def noted(message: Message) -> None:
            nonlocal has_begun
            has_begun = has_begun or message["type"] == "http.response.start"
            await send(message)

        try:
            if request.url.path in _OPEN:
                receive = _hurried(receive)
            elif _has_body(request) and request.url.path not in self._open:
                await know_caller(request)
            await self._app(scope, receive, noted)
        except Exception as error:  # the boundary of a door: the client is told, the log says where
            answer = await self._answer(request, error)
            if has_begun:
                raise
            await answer(scope, receive, send)


def _hurried(receive: Receive) -> Receive:
    """Give what reads a request, for a time at most: then whoever sends it has left."""
    deadline = clock.monotonic() + _BODY_SECONDS

    async def hurried() -> Message:
        try:
            return await asyncio.wait_for(receive(), max(0.0, deadline - clock.monotonic()))
        except TimeoutError:
            return {"type": "http.disconnect"}

    return hurried


def _has_body(request: Request) -> bool:
    return "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"
