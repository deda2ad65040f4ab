"""How much an archive may hold: a small file can be packed so that it fills any disk."""

import shutil
from pathlib import Path

from hermes_agent.errors import StoreFull
from hermes_agent.text.quantities import size as shown

_ANYHOW = 256 << 20
_RATIO = 200
"""Text and databases shrink to a tenth, what is very regular to a fiftieth."""
_LEFT = 64 << 20
"""So much stays free for whoever else writes."""


def most(packed: int) -> int:
    """Return how many bytes a packed file of a size may hold."""
    return _ANYHOW + _RATIO * packed


def require(folder: Path, size: int, what: str) -> None:
    """Refuse to write so many bytes to the disk of a folder if they would fill it."""
    free = shutil.disk_usage(folder).free
    if size + _LEFT > free:
        raise StoreFull(
            f"{what}: it needs {shown(size)}, and {shown(free)} are free on the disk of {folder}.",
            hint="Make room and try again. Nothing was changed.",
        )
