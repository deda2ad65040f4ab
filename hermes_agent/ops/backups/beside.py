"""The files of the external memory, for a backup: it names them itself.

What lies in the home keeps its name there. What lies elsewhere is below `outside/`, with its whole path: a restore
puts it there in the home, since nobody knows what lies at that path on another machine.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import is_lock
from hermes_agent.config.settings import MEMORY_PROVIDER
from hermes_agent.errors import HermesError, ProviderDown
from hermes_agent.ops.backups import form
from hermes_agent.providers import choose
from hermes_agent.providers.watched import as_text, call
from hermes_agent.store import database_file

OUTSIDE = "outside"
_SECONDS = 10.0
_COMPANIONS = ("-wal", "-shm", "-journal")
_UNREAL = ("/proc", "/sys", "/dev")
"""What looks like files there is made by the machine, and may never end."""
_OURS = {form.DATABASE, *(form.DATABASE + one for one in _COMPANIONS), form.MEMORY, form.MANIFEST, "backups"}
_SCRATCH = ".backup-"
_MOST_TOLD = 5


@dataclass(frozen=True, slots=True)
class Beside:
    """The files of the external memory by their names in a backup, and what is not among them."""

    files: Mapping[str, Path]
    trouble: Sequence[str]


def named(home: Home, settings: Settings) -> list[Path]:
    """Return the paths that the external memory of a home names; HermesError if it cannot be asked."""
    name = settings[MEMORY_PROVIDER]
    if name is None:
        return []

    provider = choose.make(name, choose.surroundings_of(home, settings, name))
    return call(name, _SECONDS, lambda: _paths(name, provider.backup_paths()), "say which files are its own")


def _paths(name: str, told: object) -> list[Path]:
    if not isinstance(told, list) or not all(isinstance(one, str) for one in told):
        raise ProviderDown(f"{name} does not say which files are its own: its answer is no list of paths.")
    return [Path(text) for text in map(as_text, told) if "\0" not in text]


def files_of(home: Home, paths: Sequence[Path], scratch: Path) -> Beside:
    """Return the files there; a database is copied, as it is at one moment. One that cannot be kept is told."""
    root, trouble = _resolved(home.root), list[str]()
    found = sorted({file for path in paths for file in _below(root, _resolved(path), trouble)})
    files: dict[str, Path] = {}
    logs: set[Path] = set()
    for number, file in enumerate(found):
        name, copy = _name(root, file), scratch / f"beside-{number}.db"
        if file in logs or _is_ours(name):
            continue
        try:
            # A log comes after its database: its name goes on.
            if is_database := database_file.is_one(file):
                logs |= {file.with_name(file.name + suffix) for suffix in _COMPANIONS}
                database_file.copy(file, copy)
            files[name] = copy if is_database else file
        except HermesError as error:
            trouble.append(error.message)
    return Beside(files, [f"Of the external memory is not in it: {one}" for one in _shortened(trouble)])


def _resolved(path: Path) -> Path:
    """Return where a path leads: past links and `..`, which no name in a backup may have."""
    return Path(os.path.realpath(path)) if path.is_absolute() else path


def _below(root: Path, path: Path, trouble: list[str]) -> Iterator[Path]:
    """Yield the files at a path; one that holds the home is none of a provider's."""
    if not path.is_absolute() or root.is_relative_to(path):
        return
    if any(path.is_relative_to(one) for one in _UNREAL):
        trouble.append(f"{path}: what lies there are no files.")
        return
    errors: list[OSError] = []
    walked = os.walk(path, onerror=errors.append)
    below = (Path(folder, name) for folder, _, names in walked for name in names)
    for file in below if path.is_dir() else (path,):
        if file.is_file() and not file.is_symlink() and not is_lock(file):
            yield file
    trouble += [f"{error.filename} cannot be read: {error.strerror}." for error in errors]


def _name(root: Path, file: Path) -> str:
    if file.is_relative_to(root):
        return file.relative_to(root).as_posix()
    return f"{OUTSIDE}/{file.relative_to(file.anchor).as_posix()}"


def _is_ours(name: str) -> bool:
    """Tell whether a name is one that a backup has a use for: its memory, its manifest, other backups."""
    first = name.partition("/")[0]
    return first in _OURS or first.startswith(_SCRATCH)


def _shortened(trouble: Sequence[str]) -> list[str]:
    more = len(trouble) - _MOST_TOLD
    return [*trouble[:_MOST_TOLD], *([f"{more:,} more files."] if more > 0 else [])]
