"""Whether this process still has its locks on a database: without them the next program deletes its log."""

import os
import re
from pathlib import Path

_LOCKS = Path("/proc/locks")


def has_lost_locks(file: Path) -> bool:
    """Tell whether a database is open in this process, and unlocked; where locks are not told, never."""
    if not _LOCKS.exists() or not file.exists():
        return False
    number = file.stat().st_ino
    is_open = any(one.exists() and one.stat().st_ino == number for one in Path("/proc/self/fd").iterdir())
    return is_open and not re.search(rf"POSIX .* {os.getpid()} \S+:{number} ", _LOCKS.read_text(encoding="ascii"))
