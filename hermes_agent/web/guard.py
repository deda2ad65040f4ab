"""What stands in front of every route: whose server this is, who may embed it, and how large a request is.

A page of another site can make a browser send requests here. It cannot choose the Host it names, nor hide the
Origin it asks from: a name that is not ours (DNS rebinding) and an origin that is not ours are refused before
anything is read.
"""

import re
from collections.abc import Collection
from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hermes_agent.web.problems import problem

LOOPBACK = ("localhost", "127.0.0.1", "::1")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: browsers would name no origin when our own forms are sent.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_A_YEAR = "max-age=31536000"
_MB = 1_000_000
MOST_TYPED_BYTES = _MB
"""How much is taken where no files are: what is typed is parsed at once."""
# A message has a million characters at most; a form writes some of them with nine.
_MOST = {"/api/chat": 6 * _MB, "/chat": 9 * _MB, "/login": 20_000, "/mcp": 3 * _MB}
FILES = frozenset({"/api/import", "/api/import/sessions", "/api/run", "/data/import"})
"""Where files come in; the gate says from whom, and how many at once."""
_LONGEST_LENGTH = 18
_HOST = re.compile(r"(?:\[(?P<number>[0-9a-fA-F:.]+)\]|(?P<name>[^][:@/?#\s]+))(?::[0-9]{0,5})?", re.ASCII)
SAFE = ("GET", "HEAD", "OPTIONS")


class Guard:
    """Refuse what comes from elsewhere or is too large; tell browsers what our pages may do."""

    def __init__(self, app: ASGIApp, names: Collection[str], most_bytes: int, *, has_tls: bool) -> None:
        self._app = app
        self._names = {name.lower() for name in names}
        self._most_bytes = most_bytes
        self._has_tls = has_tls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refusal(scope["method"], scope["path"], headers)
        if refused is not None:
            await problem(*refused)(scope, receive, self._dressed(scope, send))
            return
        most = self._most(scope["path"])
        await self._app(scope, Counted(receive, most), self._dressed(scope, send))

    def _most(self, path: str) -> int:
        """Return how much is taken at a place: files are large, what is typed is not."""
        return self._most_bytes if path in FILES else min(self._most_bytes, _MOST.get(path, MOST_TYPED_BYTES))

    def _refusal(self, method: str, path: str, headers: Headers) -> tuple[HTTPStatus, str] | None:
        if host_name(headers.get("host", "")) not in self._names:
            return HTTPStatus.MISDIRECTED_REQUEST, "This server has another name; the setting web.names adds one."
        origin = headers.get("origin")
        if origin is not None and method not in SAFE and not self._is_own(origin, headers["host"]):
            return HTTPStatus.FORBIDDEN, "Pages of other sites may change nothing here."
        length, most = headers.get("content-length", "0"), self._most(path)
        if not length.isdecimal() or len(length) > _LONGEST_LENGTH or int(length) > most:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"At most {most:,} bytes are taken here."
        return None

    def _is_own(self, origin: str, host: str) -> bool:
        try:
            return urlsplit(origin).netloc.lower() == host.lower()
        except ValueError:  # not even an address
            return False

    def _dressed(self, scope: Scope, send: Send) -> Send:
        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
                if self._has_tls:
                    headers["Strict-Transport-Security"] = _A_YEAR
            await send(message)

        return dressed


class Counted:
    """A request's body, cut off where it becomes too large; what reads it then sees a client that left."""

    def __init__(self, receive: Receive, most_bytes: int) -> None:
        self._receive = receive
        self._left = most_bytes

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                return {"type": "http.disconnect"}
        return message


def host_name(host: str) -> str:
    """Return the name in a Host header, without its port; nothing of what is no host."""
    match = _HOST.fullmatch(host)
    return "" if match is None else (match["number"] or match["name"]).lower()
