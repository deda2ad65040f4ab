"""Files that come with messages: under safe names in the workspace, told to the model as a path."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.config import paths, private
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import replace_bytes

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_FOLDER = "attachments"
_LONGEST_STEM, _LONGEST_SUFFIX = 60, 12


@dataclass(frozen=True, slots=True)
class Saved:
    """A file that lies in the workspace."""

    path: str
    size: int


@dataclass(frozen=True, slots=True)
class Unsaved:
    """A file that was not taken in, and why."""

    name: str
    why: str


def safe_name(given: str, uid: str, number: int) -> str:
    """Return a name that is nothing but a name: no folder, no hidden file, no other file's of this home."""
    last = given.replace("\\", "/").rpartition("/")[2]
    stem, dot, suffix = _UNSAFE.sub("_", last).strip("._-").rpartition(".")
    stem, suffix = (stem, suffix) if dot else (suffix, "")
    kept = (stem or "file")[:_LONGEST_STEM] + (f".{suffix[:_LONGEST_SUFFIX]}" if suffix else "")
    return f"{uid[-12:]}-{number}-{kept}"


def save(home: Home, name: str, data: bytes) -> Saved:
    """Write a file into the workspace; the same one again is the same file."""
    paths.ensure(home)
    path = paths.cached(paths.cached(home.workspace, _FOLDER), name)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    replace_bytes(path, private.sealed(path, data), mode=0o600)
    return Saved(str(path), len(data))


def told(text: str, files: Sequence[Saved | Unsaved]) -> str:
    """Return what was said, and behind it the files that came along."""
    lines = [
        f"[Attached file, {one.size:,} bytes: {one.path}]"
        if isinstance(one, Saved)
        else f"[A file was not taken in: {one.name}. {one.why}]"
        for one in files
    ]
    return "\n\n".join(part for part in (text.strip(), "\n".join(lines)) if part)
