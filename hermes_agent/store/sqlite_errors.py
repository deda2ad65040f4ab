"""What SQLite says of a file, as the errors a person can act on."""

from pathlib import Path

from sqlalchemy.exc import DBAPIError

from hermes_agent.errors import DamagedStore, HermesError, StoreBusy, StoreError, StoreFull, StoreReadOnly


def explain(error: Exception, path: Path, busy_seconds: float) -> HermesError:
    """Turn what SQLite says into the error a person can act on."""
    text = str(error.orig) if isinstance(error, DBAPIError) else str(error)
    lower = text.lower()
    if "locked" in lower or "busy" in lower:
        return StoreBusy(
            f"Another process has held {path} for more than {busy_seconds:g} seconds.",
            hint="Try again; nothing was changed.",
        )
    if "disk is full" in lower or "disk i/o" in lower:
        return StoreFull(
            f"The disk of {path} is full or failing ({text}).",
            hint="Make room and try again; nothing of this change was kept.",
        )
    if "readonly" in lower or "unable to open" in lower:
        return StoreReadOnly(
            f"{path} may not be written to ({text}).", hint="Check who owns the file and its folder."
        )
    # An index whose first page cannot be read is told as a constructor that failed.
    if any(word in lower for word in ("malformed", "not a database", "corrupt", "vtable constructor failed")):
        return DamagedStore(
            f"{path} is damaged ({text}).",
            hint="The file was left as it is. Save what can be read: hermes db repair",
        )
    return StoreError(f"{path}: {text}")
