"""The files of the external memory, for a backup: it names them itself.

What lies in the home keeps its name there. What lies elsewhere is below `outside/`, with its whole path: a restore
puts it there in the home, since nobody knows what lies at that path on another machine.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import is_lock
from hermes_agent.config.settings import MEMORY_PROVIDER
from hermes_agent.errors import ProviderDown
from hermes_agent.providers import choose
from hermes_agent.providers.watched import as_text, call
from hermes_agent.store import database_file

OUTSIDE = "outside"
_SECONDS = 10.0
_COMPANIONS = ("-wal", "-shm", "-journal")


def named(home: Home, settings: Settings) -> list[Path]:
    """Return the paths that the external memory of a home names; HermesError if it cannot be asked."""
    name = settings[MEMORY_PROVIDER]
    if name is None:
        return []

    provider = choose.make(name, choose.surroundings_of(home, settings, name))
    return call(name, _SECONDS, lambda: _paths(name, provider.backup_paths()), "say which files are its own")


def _paths(name: str, told: object) -> list[Path]:
    if not isinstance(told, list | tuple) or not all(isinstance(one, str) for one in told):
        raise ProviderDown(f"{name} does not say which files are its own: its answer is no list of paths.")
    return [Path(as_text(one)) for one in told]


def files_of(home: Home, paths: Sequence[Path], scratch: Path) -> dict[str, Path]:
    """Return the files there by their names in a backup; a database is copied, as it is at one moment."""
    found = sorted({file for path in paths for file in _below(home, path)})
    databases = [file for file in found if database_file.is_one(file)]
    logs = {file.with_name(file.name + suffix) for file in databases for suffix in _COMPANIONS}
    copies = {file: scratch / f"beside-{number}.db" for number, file in enumerate(databases)}
    for file, copy in copies.items():
        database_file.copy(file, copy)
    return {_name(home, file): copies.get(file, file) for file in found if file not in logs}


def _below(home: Home, path: Path) -> Iterator[Path]:
    """Yield the files at a path; one that holds the home is none of a provider's."""
    if not path.is_absolute() or home.root.is_relative_to(path):
        return
    for file in path.rglob("*") if path.is_dir() else (path,):
        if file.is_file() and not file.is_symlink() and not is_lock(file):
            yield file


def _name(home: Home, file: Path) -> str:
    if file.is_relative_to(home.root):
        return file.relative_to(home.root).as_posix()
    return f"{OUTSIDE}/{file.relative_to(file.anchor).as_posix()}"
