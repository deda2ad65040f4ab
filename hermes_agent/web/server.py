"""The server of a site: uvicorn in a thread of the daemon's, on a socket that is bound before it starts.

Bound first, because whether the port is free must be known before the daemon says that it is ready.
"""

import logging
import socket
import ssl
import threading

import uvicorn
from starlette.types import ASGIApp

from hermes_agent import clock
from hermes_agent.config import paths
from hermes_agent.config import settings as names
from hermes_agent.config.load import Settings
from hermes_agent.errors import HermesError

_BACKLOG = 512
_DRAIN_SECONDS = 10
_LOOK_SECONDS = 0.01


class Server:
    """A site that is being served, until it is closed."""

    def __init__(self, site: ASGIApp, settings: Settings) -> None:
        """Bind the address of the settings; refuse one that cannot be had."""
        certificate, key = settings[names.WEB_TLS_CERTIFICATE], settings[names.WEB_TLS_KEY]
        self._socket = _bound(settings[names.WEB_HOST], settings[names.WEB_PORT])
        host, port = self._socket.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        self.address = f"{'http' if certificate is None else 'https'}://{shown}:{port}"
        """Where it is reached."""
        config = uvicorn.Config(
            site,
            log_config=None,
            access_log=False,
            lifespan="on",
            server_header=False,
            timeout_graceful_shutdown=_DRAIN_SECONDS,
            ssl_certfile=None if certificate is None else paths.expand(certificate),
            ssl_keyfile=None if key is None else paths.expand(key),
        )
        try:
            config.load()
        except (OSError, ssl.SSLError) as error:
            self._socket.close()
            raise HermesError(
                f"The certificate cannot be used: {error}.", hint="Check web.tls.certificate and web.tls.key."
            ) from error
        # Uvicorn's own log would name addresses that people typed, tokens in them included.
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    def start(self) -> None:
        """Answer requests from now on."""
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            clock.sleep(_LOOK_SECONDS)

    def close(self) -> None:
        """Answer what is under way, then no more."""
        self._server.should_exit = True
        if self._thread.is_alive():
            self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])


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
