"""The server over Streamable HTTP, for whoever opens a port: an ASGI app, and what must run beside it.

Each request stands for itself: no session of the protocol is kept, so a token that is revoked is refused at the
next request, and a restart is not noticed. Who may do what is decided outside: `access_of` is given the ASGI scope
of each request, and whoever mounts this has checked the token, the Host and the Origin before.
"""

from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import JSONRPCError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Message, Receive, Send
from starlette.types import Scope as AsgiScope

from hermes_agent.app import App
from hermes_agent.mcp.access import Access
from hermes_agent.mcp.malformed import fault_of, refusal
from hermes_agent.mcp.server import Context, build

LARGEST_REQUEST = 2 * 1024 * 1024
_TOO_LARGE = refusal(f"A request may have {LARGEST_REQUEST:,} bytes; that one has more.")


class HttpDoor:
    """An ASGI app that answers at any path it is put under; `running` must be entered before the first request."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        self._manager = manager

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Answer one request; we never speak first, so there is nothing to listen to with GET."""
        if scope["type"] == "http" and scope["method"] != "POST":
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._manager.asgi_app(scope, receive, send)
            return
        try:
            body = await _body(Request(scope, receive))
        except ClientDisconnect:
            return
        if body is None:
            await _answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE)(scope, receive, send)
        elif fault := fault_of(body):
            await _answer(HTTPStatus.BAD_REQUEST, fault)(scope, receive, send)
        else:
            await self._manager.asgi_app(scope, _again(body, receive), send)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve until the block ends; enter it in the lifespan of the app this is mounted in."""
        async with self._manager.run():
            yield


def _answer(status: HTTPStatus, fault: JSONRPCError) -> Response:
    return Response(
        fault.model_dump_json(by_alias=True, exclude_unset=True), status, media_type="application/json"
    )


async def _body(request: Request) -> bytes | None:
    """Return what was sent; None, without reading on, if it is too large."""
    if int(request.headers.get("content-length", "0")) > LARGEST_REQUEST:
        return None
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_REQUEST:
            return None
    return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read once more, and then whatever comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def given() -> Message:
        return messages.pop() if messages else await receive()

    return given


# Any: what servers and middleware put into an ASGI scope.
def asgi_app(app: App, access_of: Callable[[MutableMapping[str, Any]], Access]) -> HttpDoor:
    """Make the server of a home for HTTP; `access_of` tells from the ASGI scope what its token may do."""

    def access(ctx: Context) -> Access:
        assert ctx.request is not None, "over HTTP each message came with a request"
        return access_of(ctx.request.scope)

    manager = StreamableHTTPSessionManager(
        build(app, access),
        json_response=True,
        stateless=True,
        max_request_body_size=LARGEST_REQUEST,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return HttpDoor(manager)
