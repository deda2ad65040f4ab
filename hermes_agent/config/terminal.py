"""What the environment says about the terminal."""

import os


def is_dumb() -> bool:
    """Tell whether the terminal cannot move its cursor: an editor's shell window, a log."""
    return os.environ.get("TERM", "").lower() in ("", "dumb", "unknown")
