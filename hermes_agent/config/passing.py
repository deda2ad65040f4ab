"""Files on their way in or out of a home: plain words that lie in a folder for a moment.

The folder is in the home, or in memory if the home is encrypted, and held by the process that works in it. So the
words never lie where nobody looks, and whatever a killed process left is told from what is in use, and cleared: by
the next daemon, by `hermes doctor`, and when something is forgotten.
"""

from contextlib import AbstractContextManager
from pathlib import Path

from hermes_agent.config import held_folder, private
from hermes_agent.config.paths import Home

PREFIX = ".passing-"


def folder(home: Home) -> AbstractContextManager[Path]:
    """Give a folder for such files; it goes with the block."""
    return held_folder.made(private.for_a_moment(home) or home.root, PREFIX)


def called(path: Path) -> str:
    """Return what to call a file in words: one that came from elsewhere by its name alone."""
    return path.name if path.parent.name.startswith(PREFIX) else str(path)


def clear(home: Home) -> list[Path]:
    """Remove what killed processes left, and return the folders."""
    places = (home.root, private.scratch(home))
    return [left for where in places if where is not None for left in held_folder.clear(where, PREFIX)]
