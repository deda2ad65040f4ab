"""Stores for the tests of transfer, and how to carry sessions in and out of them."""

import io
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

from hermes_agent.ops.merge import ImportReport
from hermes_agent.ops.steps import finish
from hermes_agent.ops.transfer import export, import_file
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store


def open_at(path: Path) -> "closing[Store]":
    """Open a SQLite store; it is closed at the end of the block."""
    return closing(Store(Sqlite(path), "default"))


def open_new(path: Path) -> "closing[Store]":
    """Open an empty store, copied from one that was migrated before: that takes a third of a second each."""
    path.write_bytes(_empty_store())
    return open_at(path)


@cache
def _empty_store() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.db"
        with open_at(path) as store, store.read():
            pass
        return path.read_bytes()


def exported(store: Store, session: str | None = None) -> bytes:
    """Return the export as JSON lines."""
    out = io.BytesIO()
    finish(export(store, out, "jsonl", session=session))
    return out.getvalue()


def imported(
    store: Store, folder: Path, data: bytes | str, *, skips_broken: bool = False, is_own: bool = False
) -> ImportReport:
    """Import bytes by way of a file."""
    path = folder / "incoming.jsonl"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return finish(import_file(store, path, skips_broken=skips_broken, is_own=is_own))
