"""Another process of this same program: how it is called, and what environment it gets."""

import os
import sys
from pathlib import Path

import hermes_agent
from hermes_agent.config import paths, variables
from hermes_agent.config.paths import Home

_INSTALLED = ("site-packages", "dist-packages")


def command(module: str, *arguments: str) -> list[str]:
    """Return the words that run a module of ours with this interpreter."""
    # -P: a file in the folder somebody happens to be in must not be taken for a module.
    return [sys.executable, "-P", "-m", module, *arguments]


def environment() -> dict[str, str]:
    """Return the environment, its paths no longer relative to the folder we are in."""
    found = {**variables.of_process(), "HERMES_HOME": str(paths.root_folder())}
    folder = Path(hermes_agent.__file__).parents[1]
    if folder.name not in _INSTALLED:
        others = found.get("PYTHONPATH")
        found["PYTHONPATH"] = os.pathsep.join([str(folder), *([others] if others else [])])
    return found


def environment_for_others(home: Home, *, has_color: bool) -> dict[str, str]:
    """Return what a command in a home gets that somebody elsewhere asked for: nothing of theirs, and no editor.

    What opens this home stays, since the command works in it; what leads to another server goes.
    """
    leading = ("HERMES_SERVER", "HERMES_TOKEN")
    dropped = ("VISUAL", "EDITOR", "PAGER", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
    kept = {
        name: value
        for name, value in environment().items()
        if not name.upper().startswith(leading) and name not in dropped
    }
    return {**kept, "HERMES_HOME": str(paths.root_of(home)), "TERM": "xterm-256color" if has_color else "dumb"}
