"""Where the file tools may go: the working folder, and the folders the owner allowed beside it.

A path from a model is followed to the end of its links first, and must end up inside. It is opened from the
allowed folder downwards, one name after another and never through a link, so a link put there in the meantime
leads nowhere. The home is closed, for reading too: its tools know what may be shown of it. Only ordinary files
are opened; a pipe or a device would make the agent wait for ever.
"""

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from hermes_agent import ids
from hermes_agent.errors import ToolError
from hermes_agent.text.clean import preview, printable

_NO_FILES = (Path("/proc"), Path("/sys"), Path("/dev"))
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_PATH = 4_096
_SHOWN_CHARACTERS = 200


class Keeper(Protocol):
    """Keeps a copy of a folder before it is changed; what it returns is said to the model."""

    def before_change(self, folder: Path, reason: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Place:
    """A path that was checked: the names in `parts` lead to it from `root`, without links."""

    root: Path
    parts: tuple[str, ...]
    shown: str

    @property
    def path(self) -> Path:
        return self.root.joinpath(*self.parts)

    def inside(self, *names: str) -> "Place":
        """Return the place of something below this one."""
        shown = "/".join(names) if self.shown == "." else "/".join((self.shown.rstrip("/"), *names))
        return Place(self.root, self.parts + names, readable_name(shown))


class Workspace:
    """The files one conversation may touch.

    `home` is the folder of all profiles. `outputs` is the one folder in it that may be read, for what was too
    long to show; `closed` are further files that are nobody's to touch, such as a store kept elsewhere.
    """

    def __init__(
        self,
        folder: Path,
        allowed: Sequence[Path],
        home: Path,
        outputs: Path | None = None,
        closed: Sequence[Path] = (),
    ) -> None:
        self.folder = _real(folder)
        self._roots = (self.folder, *(_real(other) for other in allowed))
        self._closed = (_real(home), *(_real(path) for path in closed))
        self._outputs = None if outputs is None else _real(outputs)

    def to_read(self, path: str) -> Place:
        """Return where a path leads, if it may be read."""
        real = self._real(path)
        if self._outputs is not None and real.is_relative_to(self._outputs):
            return Place(self._outputs, real.relative_to(self._outputs).parts, readable_name(str(real)))
        return self._inside(real, path)

    def to_write(self, path: str) -> Place:
        """Return where a path leads, if it may be written; what git obeys may not."""
        place = self._inside(self._real(path), path)
        # A hook or a setting of git is a command that nobody was asked about.
        if any(part.casefold() == ".git" for part in (*place.root.parts, *place.parts)):
            raise ToolError(f"{place.shown} belongs to git.", hint="Use git commands through shell instead.")
        return place

    def is_closed(self, path: Path) -> bool:
        """Tell whether a real path is, or is in, what nobody but its own tools may touch."""
        return any(path.is_relative_to(closed) for closed in (*self._closed, *_NO_FILES))

    def is_output(self, place: Place) -> bool:
        """Tell whether a place is among the outputs that were too long to show."""
        return place.root == self._outputs

    def is_folder(self, place: Place) -> bool:
        """Tell whether there is a folder; say so when there is nothing."""
        with _explained(place):
            return stat.S_ISDIR(place.path.lstat().st_mode)

    def open(self, place: Place) -> BinaryIO:
        """Open an ordinary file for reading."""
        with _explained(place), self._above(place) as folder:
            self._require_file(os.stat(place.parts[-1], dir_fd=folder, follow_symlinks=False), place)
            file = os.fdopen(os.open(place.parts[-1], _READ, dir_fd=folder), "rb")
            # Looked at again: what was a file a moment ago may be a pipe by now.
            try:
                self._require_file(os.fstat(file.fileno()), place)
            except ToolError:
                file.close()
                raise
            return file

    def write(self, place: Place, data: bytes) -> None:
        """Put a file in place as a whole; one that was there keeps its mode, missing folders are made."""
        with _explained(place), self._above(place, create=True) as folder:
            name, before = place.parts[-1], None
            with suppress(FileNotFoundError):
                before = os.stat(name, dir_fd=folder, follow_symlinks=False)
                self._require_file(before, place)
                if not before.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
                    raise ToolError(f"{place.shown} is read-only.", hint="Ask the owner before changing it.")
            fresh = f".{ids.new_uid()}"
            handle = os.open(fresh, _WRITE, 0o666, dir_fd=folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                    file.flush()
                    if before is not None:
                        _keep_mode(file.fileno(), before)
                    os.fsync(file.fileno())
                os.rename(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(fresh, dir_fd=folder)

    def _real(self, path: str) -> Path:
        """Follow a path to the end of its links."""
        if not path.strip() or "\0" in path or len(path) > _LONGEST_PATH:
            raise ToolError(f"{preview(path) or 'Nothing'} is no path.", hint="Send the path of a file or folder.")
        try:
            return _real(self.folder / Path(path).expanduser())
        except RuntimeError:
            raise ToolError(f"{preview(path)} is no path: there is no such user.") from None

    def _inside(self, real: Path, path: str) -> Place:
        shown = preview(path, _SHOWN_CHARACTERS)
        if any(real.is_relative_to(closed) for closed in _NO_FILES):
            raise ToolError(f"{shown} is no ordinary file.", hint="Only ordinary files and folders can be used.")
        if self.is_closed(real):
            raise _own_home(shown)
        for root in self._roots:
            if real.is_relative_to(root):
                parts = real.relative_to(root).parts
                inside = "/".join(parts) or "."
                return Place(root, parts, readable_name(inside if root == self.folder else str(real)))
        raise ToolError(
            f"{shown} is outside the working folder.",
            hint=f"Work inside {self.folder}; the owner can allow other folders with the setting tools.folders.",
        )

    @contextmanager
    def _above(self, place: Place, *, create: bool = False) -> Iterator[int]:
        """Open the folder that holds a place, name by name; a link on the way ends it."""
        if not place.parts:
            raise ToolError(f"{place.shown} is a folder.", hint="Name a file in it; `search_files` lists them.")
        handle = os.open(place.root, _FOLDER)
        try:
            for name in place.parts[:-1]:
                if create:
                    with suppress(FileExistsError):
                        os.mkdir(name, dir_fd=handle)
                inner = os.open(name, _FOLDER, dir_fd=handle)
                os.close(handle)
                handle = inner
                self._refuse_closed(os.fstat(handle), place)
            yield handle
        finally:
            os.close(handle)

    def _require_file(self, found: os.stat_result, place: Place) -> None:
        if stat.S_ISDIR(found.st_mode):
            raise ToolError(f"{place.shown} is a folder.", hint="Name a file in it; `search_files` lists them.")
        if not stat.S_ISREG(found.st_mode):
            raise ToolError(f"{place.shown} is no ordinary file.", hint="Only ordinary files can be used.")
        self._refuse_closed(found, place)

    def _refuse_closed(self, found: os.stat_result, place: Place) -> None:
        """Refuse the home under any spelling: where case does not count, its path has more than one."""
        for path in self._closed:
            with suppress(OSError):
                if os.path.samestat(found, path.stat()):
                    raise _own_home(place.shown)


def _real(path: Path) -> Path:
    # Not Path.resolve: it raises on a circle of links, which here simply cannot be opened.
    return Path(os.path.realpath(path))


def readable_name(name: str) -> str:
    """Return a file's name as one line of text; bytes that are no UTF-8 are replaced."""
    return printable(os.fsencode(name).decode("utf-8", "replace")).replace("\t", " ").replace("\n", " ")


def _own_home(shown: str) -> ToolError:
    return ToolError(
        f"{shown} belongs to the agent's own home, which the file tools never touch.",
        hint="Use `memory` for notes, `session_search` for past conversations, `skill_view` for skills.",
    )


def _keep_mode(handle: int, before: os.stat_result) -> None:
    now = os.fstat(handle)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with suppress(PermissionError):  # only root may give a file back to its owner
            os.fchown(handle, before.st_uid, before.st_gid)
    os.fchmod(handle, stat.S_IMODE(before.st_mode))


@contextmanager
def _explained(place: Place) -> Iterator[None]:
    """Say what the system refused, and what to try instead."""
    try:
        yield
    except FileNotFoundError:
        raise ToolError(f"{place.shown} is not there.", hint="`search_files` lists what is.") from None
    except NotADirectoryError:
        raise ToolError(f"{place.shown} leads through a file.", hint="Check the path.") from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ToolError(f"{place.shown} leads through a link that goes nowhere.") from None
        raise ToolError(f"{place.shown} cannot be used: {error.strerror}.") from None
