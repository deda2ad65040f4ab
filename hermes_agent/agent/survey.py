"""What of a folder a checkpoint keeps: which files, with which modes, and which folders are empty.

Git knows neither empty folders nor more of a mode than "executable"; both go into a list beside the tree,
with the files that were too large or could not be read: a rollback must know that those were there.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hermes_agent.agent.shadow_git import ShadowGit, ended, split
from hermes_agent.errors import HermesError

MOST_FILES = 50_000
LARGEST_FILE_BYTES = 10_000_000
LARGEST_FOLDER_BYTES = 500_000_000
_MOST_REPOSITORIES = 100
_MOST_VISITED = 200_000
_NEVER_EMPTY = {".git", "node_modules", ".venv", "venv", "__pycache__"}


@dataclass(frozen=True, slots=True)
class Details:
    """What git's tree does not hold: modes other than 644 and 755, empty folders, files left out."""

    modes: dict[str, int] = field(default_factory=dict)
    empty_folders: dict[str, int] = field(default_factory=dict)
    left_out: frozenset[str] = frozenset()

    def mode_of(self, name: str, git_mode: str) -> int:
        """Return the mode of a file that git has with `git_mode`."""
        return self.modes.get(name, 0o755 if git_mode == "100755" else 0o644)


@dataclass(frozen=True, slots=True)
class Survey:
    """The files of a folder that are kept, relative to it, and the details of them."""

    names: Sequence[str]
    details: Details


def survey(git: ShadowGit, folder: Path, nowhere: Path, own: Path) -> Survey:
    """Look through a folder; `nowhere` is an index that does not exist, `own` is never part of it."""
    names: list[str] = []
    modes: dict[str, int] = {}
    left_out: set[str] = set()
    total_bytes = 0
    for name in _candidates(git, folder, nowhere):
        path = folder / name
        if path.is_relative_to(own) or any(part.lower() == ".git" for part in Path(name).parts):
            continue
        try:
            found = path.lstat()
        except OSError:
            continue  # gone since it was listed
        if stat.S_ISREG(found.st_mode):
            if found.st_size > LARGEST_FILE_BYTES or not os.access(path, os.R_OK):
                left_out.add(name)
                continue
            total_bytes += found.st_size
            mode = stat.S_IMODE(found.st_mode)
            if mode != (0o755 if mode & 0o100 else 0o644):
                modes[name] = mode
        elif not stat.S_ISLNK(found.st_mode):
            continue
        names.append(name)
        if len(names) > MOST_FILES:
            raise HermesError(f"{folder} holds more than {MOST_FILES:,} files.")
        if total_bytes > LARGEST_FOLDER_BYTES:
            raise HermesError(f"{folder} holds more than {LARGEST_FOLDER_BYTES // 1_000_000} MB.")
    return Survey(names, Details(modes, _empty_folders(git, folder, nowhere, own), frozenset(left_out)))


def write_details(details: Details) -> bytes:
    """Write details as bytes that are the same for the same details."""
    lines = [
        *(f"file {mode:04o} {name}" for name, mode in details.modes.items()),
        *(f"folder {mode:04o} {name}" for name, mode in details.empty_folders.items()),
        *(f"left 0000 {name}" for name in details.left_out),
    ]
    return ended(sorted(lines))


def read_details(written: bytes) -> Details:
    """Read what `write_details` wrote."""
    kinds: dict[str, dict[str, int]] = {"file": {}, "folder": {}, "left": {}}
    for line in written.split(b"\0")[:-1]:
        kind, mode, name = os.fsdecode(line).split(" ", 2)
        kinds[kind][name] = int(mode, 8)
    return Details(kinds["file"], kinds["folder"], frozenset(kinds["left"]))


def ignored(git: ShadowGit, folder: Path, nowhere: Path, names: Sequence[str]) -> set[str]:
    """Return which names the folder's own .gitignore files, or our list, exclude."""
    if not names:
        return set()
    # The one command that takes no literal names: `./` keeps a name that begins with `:` from meaning more.
    printed = git.run(
        *("check-ignore", "--no-index", "-z", "--stdin"),
        folder=folder,
        index=nowhere,
        given=ended(f"./{name}" for name in names),
        variables={"GIT_LITERAL_PATHSPECS": "0"},
        codes=(0, 1),  # 1: it has none to print
    )
    return {name.removeprefix("./") for name in split(printed)}


def _candidates(git: ShadowGit, folder: Path, nowhere: Path) -> Iterator[str]:
    """Yield every file that is not ignored; repositories inside are looked through as folders."""
    waiting, repositories = [""], 0
    while waiting:
        inside = waiting.pop()
        arguments = ("ls-files", "-z", "--others", "--exclude-standard")
        for name in git.names(*arguments, folder=folder / inside, index=nowhere):
            if name.endswith("/"):  # git does not enter another repository by itself
                repositories += 1
                if repositories > _MOST_REPOSITORIES:
                    raise HermesError(f"{folder} holds more than {_MOST_REPOSITORIES} git repositories.")
                waiting.append(inside + name)
            else:
                yield inside + name


def _empty_folders(git: ShadowGit, folder: Path, nowhere: Path, own: Path) -> dict[str, int]:
    """Return the empty folders with their modes; in a very large tree none, to end in time."""
    found: dict[str, int] = {}
    waiting, visited = [folder], 0
    while waiting:
        place = waiting.pop()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue  # not ours to look into: nothing of it is kept, so it is not called empty
        visited += len(entries)
        if visited > _MOST_VISITED:
            return {}
        if not entries and place != folder:
            found[str(place.relative_to(folder))] = stat.S_IMODE(place.stat().st_mode)
        for entry in entries:
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False) and entry.name not in _NEVER_EMPTY and path != own:
                waiting.append(path)
    excluded = ignored(git, folder, nowhere, list(found))
    return {name: mode for name, mode in found.items() if name not in excluded}
