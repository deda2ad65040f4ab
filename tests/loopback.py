"""A real HTTP server on a free port of this machine, for the servers that tests script."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class QuietHandler(BaseHTTPRequestHandler):
    """Keeps connections open, as real servers do, and prints nothing."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing: a test's output is its own."""


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """Answer requests until the block ends; yield the port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        # A client may still hang on a request: ending must not wait for it.
        running.daemon_threads = True
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield int(running.server_address[1])
        finally:
            running.shutdown()
            thread.join()
