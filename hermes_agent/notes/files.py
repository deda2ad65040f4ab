"""A note's file: read whole or not at all, replaced in one step, kept from others by a lock beside it.

A file that cannot be read is not an empty one: nothing may be written over it. What would be lost by a
change is laid beside the file first, as `MEMORY.md.bak.<time>` or `MEMORY.md.conflict.<number>`.
"""

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config import private
from hermes_agent.config.paths import beside
from hermes_agent.config.private import replace_text
from hermes_agent.config.replace import locked, put_back
from hermes_agent.errors import HermesError

MOST_BYTES = 8_000_000
"""Far more than a prompt takes; a larger file is somebody's mistake."""

# What `replace_text` leaves behind when it is killed; an editor's own files have other endings.
_LEFT_BEHIND = re.compile(r"[a-z0-9_]{8}")


@dataclass(frozen=True, slots=True)
class Text:
    """What a file holds, byte for byte; a missing file holds nothing."""

    text: str
    exists: bool = True


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that is there and cannot be read, with the reason: `it is not valid UTF-8`."""

    reason: str


def digest(text: str) -> str:
    """Return what tells two texts apart."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class NoteFile:
    """One note's file and the name people know it by."""

    path: Path
    name: str

    def read(self) -> Text | Unreadable:
        """Read the file once; line ends and a byte order mark stay as they are."""
        try:
            found = self.path.stat()
            # Opening a pipe would wait for ever.
            if not stat.S_ISREG(found.st_mode):
                return Unreadable("it is not an ordinary file")
            if found.st_size > MOST_BYTES:
                return Unreadable(f"it is larger than {MOST_BYTES // 1_000_000} MB")
            return Text(private.read(self.path).decode("utf-8"))
        except FileNotFoundError:
            return Text("", exists=False)
        except UnicodeDecodeError:
            return Unreadable("it is not valid UTF-8")
        except OSError as error:
            return Unreadable(f"{error.strerror}")

    def write(self, text: str) -> None:
        """Put the text in the file's place in one step; a link keeps pointing where it did."""
        _make_folder(self.path.parent)
        replace_text(self.path, text)

    @contextmanager
    def emptied(self) -> Iterator[None]:
        """Empty the file, while the note is held; it is what it was if the block fails, also on a full disk."""
        with put_back(self.path):
            self.write("")
            yield

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes from changing the note until the block ends."""
        with locked(self._lock()):
            yield

    def back_up(self, text: str) -> Path:
        """Lay a copy beside the file, and return where; the same text is kept once."""
        for kept in sorted(self.path.parent.glob(f"{self.path.name}.bak.*")):
            if NoteFile(kept, self.name).read() == Text(text):
                return kept
        moment = clock.now() // clock.MICROSECONDS
        return self._keep(text, ".bak.", moment)

    def keep_conflict(self, text: str) -> Path:
        """Lay a text beside the file that lost against another machine's, and return where."""
        return self._keep(text, ".conflict.", 1)

    def tidy_up(self) -> None:
        """Remove what a killed write left behind; call it while the note is held."""
        target = self.path.resolve()
        prefix = f".{target.name}."
        for left in target.parent.glob(prefix + "*"):
            if _LEFT_BEHIND.fullmatch(left.name.removeprefix(prefix)):
                left.unlink(missing_ok=True)

    def unreadable(self, found: Unreadable) -> str:
        """Say for people that the file cannot be read."""
        return f"{self.path} cannot be read ({found.reason}); it was left as it is."

    def _keep(self, text: str, suffix: str, number: int) -> Path:
        while (place := beside(self.path, f"{suffix}{number}")).exists():
            number += 1
        replace_text(place, text)
        return place

    def _lock(self) -> Path:
        _make_folder(self.path.parent)
        return beside(self.path, ".lock")


def leave_link(former: Path, target: Path) -> None:
    """Put a link to the target in the place of a file that moved there; without links it is set aside."""
    fresh = beside(former, ".link")
    try:
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.path.relpath(target, former.parent))
        fresh.replace(former)
    except OSError:
        former.replace(beside(former, ".moved"))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise HermesError(f"{folder} cannot be made: {error.strerror}.") from error
