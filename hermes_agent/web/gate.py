"""Who asks is found before what they send is read, and whatever goes wrong is answered here, inside the guard.

The framework reads and parses a body before it asks who sent it, and what they may do; for somebody who may not,
that would be work for nothing. So both are asked here first. Files are large, and each is held whole for a while:
they are taken from those only who may send some, few at once, and no body is waited for without end. What a bug
answers with has the guard's headers like every other answer.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus

from fastapi import Request
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hermes_agent import clock
from hermes_agent.records import tokens
from hermes_agent.web.callers import Caller, know_caller
from hermes_agent.web.guard import FILES, MOST_TYPED_BYTES, SAFE, Counted
from hermes_agent.web.problems import ENDS, ENDS_HINT, Ending, TooLarge, TooMany
from hermes_agent.web.rights import Rights

BODY_SECONDS = 30.0
"""How long a body may keep us waiting; a large one longer, as long as it comes."""
FILES_NEED: tokens.Scope = "admin"
"""What a token must allow to send files; every command that takes one needs it, too."""
MOST_FILES = 4
_OPEN = ("/login",)
"""What is sent without a token; the guard takes little of it, and the connection waits not long for it."""
_LEAST_BYTES_PER_SECOND = 20_000
_RETRY_SECONDS = 2


class Gate:
    """Let in who may send something; `answer` writes what went wrong. What is sent to `signed` paths is signed."""

    def __init__(
        self,
        app: ASGIApp,
        answer: Callable[[Request, Exception], Awaitable[Response]],
        rights: Rights,
        signed: Collection[str] = (),
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._app = app
        self._answer = answer
        self._rights = rights
        self._open = frozenset((*_OPEN, *signed))
        self._body_seconds = body_seconds
        self._files = 0
        """How many are being taken."""

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
            if _has_body(request) and scope["path"] not in self._open:
                await self._take(request, receive, noted)
            else:
                await self._app(scope, receive, noted)
        except asyncio.CancelledError:
            if not has_begun:
                await (await self._answer(request, _ending(request)))(scope, receive, send)
            raise
        except Exception as error:  # the boundary of a door: the client is told, the log says where
            answer = await self._answer(request, error)
            if has_begun:
                raise
            await answer(scope, receive, send)

    async def _take(self, request: Request, receive: Receive, send: Send) -> None:
        """Let in what somebody sends who may."""
        caller = await know_caller(request)
        needs = self._rights.of(request.scope)
        if needs is not None:
            needs.require(caller)
        received = _Timely(receive, self._body_seconds)
        if request.scope["path"] not in FILES:
            await self._app(request.scope, received, send)
        elif caller.token.allows(FILES_NEED):
            with ExitStack() as held:
                held.enter_context(self._place(request))

                async def answering(message: Message) -> None:
                    # The file is taken by now. A command that asks may answer on for as long as nobody types.
                    held.close()
                    await send(message)

                await self._app(request.scope, received, answering)
        else:
            _refuse_file(request, caller)
            await self._app(request.scope, Counted(received, MOST_TYPED_BYTES), send)

    @contextmanager
    def _place(self, request: Request) -> Iterator[None]:
        """Have a place for a file until the answer begins; what is no larger than what is typed needs none."""
        is_file = _length(request) > MOST_TYPED_BYTES
        if is_file and self._files >= MOST_FILES:
            raise TooMany(f"{MOST_FILES} files are being taken already.", _RETRY_SECONDS)
        self._files += is_file
        try:
            yield
        finally:
            self._files -= is_file


class _Timely:
    """A request's body, and whatever comes after it; a body that keeps us waiting is an error."""

    def __init__(self, receive: Receive, seconds: float) -> None:
        self._receive = receive
        self._left = seconds
        self._is_whole = False

    async def __call__(self) -> Message:
        if self._is_whole:
            return await self._receive()
        begun = clock.monotonic()
        try:
            message = await asyncio.wait_for(self._receive(), self._left)
        except TimeoutError as error:
            raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "What was sent did not come in time.") from error
        self._left += len(message.get("body", b"")) / _LEAST_BYTES_PER_SECOND - (clock.monotonic() - begun)
        self._is_whole = not message.get("more_body", False)
        return message


def _ending(request: Request) -> Ending:
    """Return what is answered when the server ends and waits no longer: a thread cannot be stopped."""
    if request.method in SAFE:
        return Ending(ENDS, hint=ENDS_HINT)
    return Ending(
        "The server ends, and waits no longer for this: it may have been done all the same.",
        hint="Look whether it was: hermes memory log; what was forgotten tells hermes memory receipts.",
    )


def _refuse_file(request: Request, caller: Caller) -> None:
    """Refuse what says that it is a file, from whoever may send none; one that does not say so is cut off."""
    if MOST_TYPED_BYTES < _length(request) < math.inf:
        raise TooLarge(
            f"The token {caller.token.name!r} may send {MOST_TYPED_BYTES:,} bytes; files need {FILES_NEED}.",
            hint=f"Make one there: hermes token create NAME --scope {FILES_NEED}",
        )


def _length(request: Request) -> float:
    """Return how long a body says that it is; one that does not say so may be of any length."""
    return math.inf if "transfer-encoding" in request.headers else int(request.headers.get("content-length", "0"))


def _has_body(request: Request) -> bool:
    return "transfer-encoding" in request.headers or request.headers.get("content-length", "0") != "0"
