"""The server of a site: uvicorn in a thread of the daemon's, on a socket that is bound before it starts.

Bound first, because whether the port is free must be known before the daemon says that it is ready.

Handlers work in threads. There are no more of them than the store has connections to give: more would only wait
for each other, and on one interpreter lock a few are as fast as many.
"""

import logging
import socket
import threading
from collections.abc import Callable
from ipaddress import ip_address

import uvicorn
from starlette.types import ASGIApp

from hermes_agent import clock
from hermes_agent.config import paths
from hermes_agent.config import settings as names
from hermes_agent.config.load import Settings
from hermes_agent.errors import HermesError
from hermes_agent.web.connections import USUAL, Bounds, bounded

DRAIN_SECONDS = 10
"""How long what is under way may take when the server is to end."""
CLOSING_SECONDS = 8
"""How long chats and commands may take after that; they were told to stop when it began."""
_BACKLOG = 512
_LOOK_SECONDS = 0.01


class Server:
    """A site that is being served, until it is closed.

    `on_stop` is called when it is to end, before what is under way is waited for (`drain_seconds`); `on_end`, in
    its thread, when it has ended.
    """

    def __init__(
        self,
        site: ASGIApp,
        settings: Settings,
        on_end: Callable[[], None] = lambda: None,
        on_stop: Callable[[], None] = lambda: None,
        bounds: Bounds = USUAL,
        drain_seconds: int = DRAIN_SECONDS,
    ) -> None:
        """Bind the address of the settings; refuse one that cannot be had."""
        self._on_stop = on_stop
        certificate, key = settings[names.WEB_TLS_CERTIFICATE], settings[names.WEB_TLS_KEY]
        config = uvicorn.Config(
            site,
            http=bounded(bounds),
            # Nothing here speaks websockets, and whoever asked for one would leave the bounds behind.
            ws="none",
            log_config=None,
            access_log=False,
            lifespan="on",
            server_header=False,
            forwarded_allow_ips=settings[names.WEB_PROXIES],
            timeout_graceful_shutdown=drain_seconds,
            ssl_certfile=None if certificate is None else paths.expand(certificate),
            ssl_keyfile=None if key is None else paths.expand(key),
        )
        config.load()
        self._socket = _bound(settings[names.WEB_HOST], settings[names.WEB_PORT])
        scheme = "http" if certificate is None else "https"
        self.address = f"{scheme}://{_reached(self._socket, settings)}"
        """Where it is reached."""
        # Uvicorn's own log would name addresses that people typed, tokens in them included.
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, args=(on_end,), name="web", daemon=True)

    def start(self) -> None:
        """Answer requests from now on."""
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            clock.sleep(_LOOK_SECONDS)
        if not self._server.started:
            raise HermesError("The dashboard could not start.", hint="This is a bug; the log tells more.")

    def stop(self) -> None:
        """Take no more requests, and let those under way be answered; return at once."""
        self._on_stop()
        self._server.should_exit = True

    def close(self, timeout_seconds: float | None = None) -> bool:
        """Answer what is under way, then no more; tell whether it came to its end in time."""
        self.stop()
        if self._thread.is_alive():
            self._thread.join(timeout_seconds)
        self._socket.close()
        return not self._thread.is_alive()

    def _run(self, on_end: Callable[[], None]) -> None:
        try:
            self._server.run(sockets=[self._socket])
        finally:
            on_end()


def _reached(made: socket.socket, settings: Settings) -> str:
    """Return name and port under which whoever sits here reaches a socket."""
    host, port = made.getsockname()[:2]
    if ip_address(host).is_unspecified:
        # It listens everywhere: with TLS by the name in the certificate, else also as this machine's own.
        known = settings[names.WEB_NAMES]
        has_tls = settings[names.WEB_TLS_CERTIFICATE] is not None
        host = known[0] if has_tls and known else "127.0.0.1"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.bind(address)
            made.listen(_BACKLOG)
        except OSError:
            made.close()
            raise
    except OSError as error:
        raise HermesError(
            f"The dashboard cannot listen on {host}:{port}: {error.strerror}.",
            hint="Choose another port: hermes config set web.port 8643",
        ) from error
    return made
