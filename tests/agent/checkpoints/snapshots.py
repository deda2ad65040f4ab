"""Snapshots as the tests take, list and compare them.

Two folders are equal when `state` of both is: names, bytes, modes, and where links lead.
"""

import stat
import subprocess
from pathlib import Path

from hermes_agent.agent.checkpoints import Checkpoints

State = dict[str, tuple[int, bytes | str | None]]


def state(folder: Path) -> State:
    """Return everything in a folder but repositories: modes, bytes, and where links lead."""
    found: State = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if ".git" in path.relative_to(folder).parts:
            continue
        mode = stat.S_IMODE(path.lstat().st_mode)
        if path.is_symlink():
            found[name] = (0, str(path.readlink()))
        else:
            found[name] = (mode, path.read_bytes() if path.is_file() else None)
    return found


def keep(checkpoints: Checkpoints, folder: Path, reason: str = "a change") -> None:
    assert checkpoints.for_turn().before_change(folder, reason) is None


def reasons(checkpoints: Checkpoints, folder: Path) -> list[str]:
    return [snapshot.reason for snapshot in checkpoints.list(folder)]


def git(*arguments: str, folder: Path) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout
