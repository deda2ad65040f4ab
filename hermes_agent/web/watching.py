"""What was asked of the server: a line in the log of requests, and a count, for each.

A line has the method, the route's template, the status, the milliseconds, and whose token it was: no address that
somebody typed, since addresses hold searches and the codes of links.
"""

import logging
from collections.abc import Callable
from functools import cached_property

from fastapi.routing import iter_route_contexts
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hermes_agent import clock
from hermes_agent.jobs.worker import REQUESTS
from hermes_agent.records.tokens import Token
from hermes_agent.web.metrics import Meter

NOWHERE = "-"
"""The route of what has none."""

_TOKEN = "hermes.token"
_QUIET = ("/health", "/health/ready", "/metrics")
"""Asked every few seconds by machines; what they ask is counted, not logged."""
_FAILED = 500


class Watch:
    """Count and log every request."""

    def __init__(self, app: ASGIApp, meter: Meter, routes: Callable[[], list[BaseRoute]]) -> None:
        self._app = app
        self._meter = meter
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request be answered, and note it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = clock.monotonic()
        status = _FAILED

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noted)
        finally:
            self._note(scope, status, clock.monotonic() - begun)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = self._template(scope)
        self._meter.count(route, scope["method"], status, seconds)
        if route not in _QUIET and REQUESTS.isEnabledFor(logging.INFO):
            method = scope["method"] if scope["method"].isalpha() else NOWHERE
            who = scope.get(_TOKEN, NOWHERE)
            REQUESTS.info("%s %s %d %.1f ms %s", method[:10], route, status, seconds * 1_000, who)

    def _template(self, scope: Scope) -> str:
        known = self._templates.get(scope.get("endpoint"))
        if known is not None:
            return known
        path = scope["path"]
        return "/static" if path.startswith("/static/") else NOWHERE

    @cached_property
    def _templates(self) -> dict[object, str]:
        """Each handler's whole path; a route itself knows only the part after its router's prefix."""
        contexts = iter_route_contexts(self._routes())
        return {one.endpoint: one.path for one in contexts if one.endpoint is not None and one.path is not None}


def note_caller(scope: Scope, token: Token) -> None:
    """Tell the log whose request this is; a browser's token is named after what the browser calls itself."""
    scope[_TOKEN] = "a browser" if token.kind == "browser" else repr(token.name)
