"""Whether the file of a database is still the one that was opened: moved or deleted, nobody finds it any more.

SQLite writes on into a file that lost its name, and says that all is well: what it kept is gone with the process.
So every transaction that writes looks first (one look takes microseconds), and every new connection does.
"""

import os
from pathlib import Path

from hermes_agent.errors import LostStore

Mark = tuple[int, int]
"""What tells a file from every other, whatever it is called."""


def mark(path: Path) -> Mark | None:
    """Return what tells the file at a place from others; None if there is none, or none that may be seen."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def refuse_another(path: Path, opened: Mark | None) -> None:
    """Refuse to go on when the file that was opened is not at its place any more."""
    if mark(path) == opened:
        return
    raise LostStore(
        f"{path} is not the file any more that was opened: it was moved or deleted while this program runs.",
        hint="Nothing was written. Put it back where it was; or end this program"
        f" (process {os.getpid()}) and start it anew.",
    )
