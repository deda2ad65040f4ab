"""Put a folder back to how it was: the part of checkpoints that changes the owner's files.

What differs is told by comparing two trees, the one to go back to and the one taken just before; only those
files are touched. A file that is not in the tree taken before would be lost, so it is left alone. Links are
never followed, and every file is replaced whole: its bytes and its mode are those of the snapshot.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from hermes_agent.agent.shadow_git import ShadowGit
from hermes_agent.agent.survey import Details, ignored
from hermes_agent.ids import new_uid

_LINK = "120000"
_NOTHING = "000000"


@dataclass(frozen=True, slots=True)
class State:
    """A folder as a snapshot holds it."""

    hash: str
    details: Details


@dataclass(slots=True)
class Done:
    """What was written, removed and left alone, as it happens."""

    written: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Change:
    """A file that differs: how the target has it (`mode`, `hash`), and whether it is there now."""

    name: str
    mode: str
    hash: str
    is_there_now: bool

    @property
    def is_new(self) -> bool:
        return self.mode == _NOTHING

    @property
    def is_rules(self) -> bool:
        return PurePosixPath(self.name).name == ".gitignore"


def apply(git: ShadowGit, folder: Path, target: State, now: State, nowhere: Path, only: str | None) -> Done:
    """Make the folder like `target`, or with `only` just one file or what is below one folder."""
    done = Done()
    changes = [change for change in _changes(git, target, now) if _is_wanted(change.name, only)]
    old = [change for change in changes if not change.is_new]
    modes = _git_modes(git, target)
    # The rules of that time decide what was ignored then, so they come first.
    _write_files(git, folder, target, [change for change in old if change.is_rules], done)
    if only is None:
        new = [change.name for change in changes if change.is_new]
        spared = ignored(git, folder, nowhere, new) | target.details.left_out
        _remove_files(folder, [name for name in new if name not in spared], done)
        _remove_empty_folders(
            folder, [*done.removed, *(f"{name}/" for name in now.details.empty_folders)], modes, target
        )
    _write_files(git, folder, target, [change for change in old if not change.is_rules], done)
    _make_folders(folder, target, only, done)
    changed = {change.name for change in changes}
    unchanged = {name: mode for name, mode in modes.items() if name not in changed and _is_wanted(name, only)}
    _set_modes(folder, target.details, now.details, unchanged, done)
    return done


def _is_wanted(name: str, only: str | None) -> bool:
    return only is None or name == only or name.startswith(f"{only}/")


def _changes(git: ShadowGit, target: State, now: State) -> Iterator[_Change]:
    printed = git.run(
        "diff-tree", "-r", "-z", "--raw", "--no-renames", f"{target.hash}:files", f"{now.hash}:files"
    )
    fields = printed.split(b"\0")
    for header, name in zip(fields[0::2], fields[1::2], strict=False):
        mode, mode_now, hash, _, _ = header.decode().removeprefix(":").split(" ")
        yield _Change(os.fsdecode(name), mode, hash, mode_now != _NOTHING)


def _git_modes(git: ShadowGit, state: State) -> dict[str, str]:
    """Return every file of a snapshot with the mode that git has for it."""
    printed = git.run("ls-tree", "-r", "-z", f"{state.hash}:files")
    entries = (line.split(b"\t", 1) for line in printed.split(b"\0") if line)
    return {os.fsdecode(name): header.split()[0].decode() for header, name in entries}


def _write_files(git: ShadowGit, folder: Path, target: State, changes: Sequence[_Change], done: Done) -> None:
    contents = git.contents([change.hash for change in changes]) if changes else iter(())
    for change, content in zip(changes, contents, strict=True):
        try:
            _write_file(folder, change, content, target.details)
        except OSError as error:
            done.left.append(f"{change.name} ({error.strerror})")
        else:
            done.written.append(change.name)


def _write_file(folder: Path, change: _Change, content: bytes, details: Details) -> None:
    path = folder / change.name
    if not change.is_there_now and os.path.lexists(path):
        raise FileExistsError(0, "it is not in the checkpoint taken before this rollback")
    _make_parents(folder, change.name)
    if change.mode == _LINK:
        fresh = path.with_name(f".{new_uid()}")
        fresh.symlink_to(os.fsdecode(content))
    else:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
        fresh = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), details.mode_of(change.name, change.mode))
    try:
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def _make_parents(folder: Path, name: str) -> None:
    """Make the folders above a file; a link among them would lead out, so it is an obstacle."""
    for parent in reversed(PurePosixPath(name).parents[:-1]):
        path = folder / parent
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise NotADirectoryError(0, f"{parent} is no folder")
        path.mkdir(exist_ok=True)


def _remove_files(folder: Path, names: Sequence[str], done: Done) -> None:
    for name in names:
        if any((folder / parent).is_symlink() for parent in PurePosixPath(name).parents[:-1]):
            continue  # a link took the place of its folder meanwhile: the file is not there any more
        try:
            (folder / name).unlink(missing_ok=True)
        except OSError as error:
            done.left.append(f"{name} ({error.strerror})")
        else:
            done.removed.append(name)


def _remove_empty_folders(folder: Path, names: Sequence[str], files: Iterable[str], target: State) -> None:
    """Remove the folders above what went as far as they are empty now and were not there then."""
    there = {
        parent
        for name in [*files, *(f"{one}/x" for one in target.details.empty_folders)]
        for parent in _above(name)
    }
    gone = {parent for name in names for parent in _above(f"{name}x")} - there
    for name in sorted(gone, key=len, reverse=True):
        path = folder / name
        try:
            if not path.is_symlink():
                path.rmdir()
        except OSError:
            continue  # not empty, or not ours to remove: an empty folder more harms nobody


def _above(name: str) -> Iterator[str]:
    """Yield the folders above a file, not the outermost."""
    return (str(parent) for parent in PurePosixPath(name).parents[:-1])


def _make_folders(folder: Path, target: State, only: str | None, done: Done) -> None:
    for name, mode in sorted(target.details.empty_folders.items()):
        path = folder / name
        if not _is_wanted(name, only) or path.is_dir():
            continue
        try:
            _make_parents(folder, f"{name}/x")
            path.chmod(mode)
        except OSError as error:
            done.left.append(f"{name}/ ({error.strerror})")
        else:
            done.written.append(f"{name}/")


def _set_modes(folder: Path, target: Details, now: Details, unchanged: Mapping[str, str], done: Done) -> None:
    """Give back their modes to files whose content stayed."""
    for name in sorted({*target.modes, *now.modes} & unchanged.keys()):
        path = folder / name
        mode = target.mode_of(name, unchanged[name])
        if mode == now.mode_of(name, unchanged[name]) or path.is_symlink() or not path.is_file():
            continue
        try:
            path.chmod(mode)
        except OSError as error:
            done.left.append(f"{name} ({error.strerror})")
        else:
            done.written.append(name)
