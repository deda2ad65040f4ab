"""A profile in one archive: its memory with notes and settings, and the files of its skills. Never its keys.

It is a tar.gz of `memory.json` (`ops/whole/`) and `skills/`, to be carried to another machine, or given away.
"""

import io
import tarfile
import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from hermes_agent.config import held_folder, paths, private
from hermes_agent.config.paths import Home, beside
from hermes_agent.config.replace import locked, sync_folder
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.ops.backups import form
from hermes_agent.ops.backups.opening import is_encrypted, unpack_plain
from hermes_agent.ops.steps import Step
from hermes_agent.ops.whole import writing
from hermes_agent.records.archive import Json
from hermes_agent.store.store import Store

_SKILLS, _PROFILE = "skills", "profile"
_UNFINISHED, _LOCK = ".importing-profile-", ".lock"
_OWN = (".lock", ".synced.json")
"""What a skills folder keeps of its own store and machine."""


def export(
    home: Home, store: Store, out: BinaryIO, notes: Mapping[str, str], settings: Mapping[str, Json]
) -> Generator[Step, None, Mapping[str, int]]:
    """Write a profile to an archive; return how many rows each table of its memory has."""
    with (
        tarfile.open(fileobj=out, mode="w:gz") as tar,
        tempfile.TemporaryFile(dir=private.scratch(home) or home.root) as memory,
    ):
        rows = yield from writing.export(store, memory, notes, settings)
        size = memory.tell()
        memory.seek(0)
        tar.addfile(form.info(form.MEMORY, size, 0o600), memory)
        for file in files_of_skills(home):
            name = f"{_SKILLS}/{file.relative_to(home.skills).as_posix()}"
            data = private.read(file)
            tar.addfile(form.info(name, len(data), file.stat().st_mode & 0o700), io.BytesIO(data))
    return rows


def files_of_skills(home: Home) -> Iterator[Path]:
    """Yield the files of the skills that belong to them, wherever they are."""
    for file in sorted(home.skills.rglob("*")):
        if file.is_file() and not file.is_symlink() and file.name not in _OWN:
            yield file


def unpack(archive: Path, folder: Path) -> Path | None:
    """Unpack an archive into an empty folder; return where its memory is, None if it has none."""
    if is_encrypted(archive):
        raise UsageError(f"{archive} is a backup.", hint="Restore it: hermes backup restore FILE")
    names = unpack_plain(archive, folder)
    return folder / form.MEMORY if form.MEMORY in names else None


@contextmanager
def unfinished(name: str) -> Iterator[tuple[Path, Home]]:
    """Give a folder to unpack into, and in it the home of a profile that is being made; both go with the block.

    They lie in the root: from there the home is only moved to its place. What a killed import left goes first.
    """
    root = paths.root_folder()
    with locked(beside(paths.profiles_folder(), _LOCK)), held_folder.made(root, _UNFINISHED) as folder:
        yield folder, Home(folder / _PROFILE, name)


def place(home: Home, finished: Home) -> None:
    """Give a home that is whole the place of its profile."""
    try:
        finished.root.parent.mkdir(mode=0o700, exist_ok=True)
        home.root.rename(finished.root)
        sync_folder(finished.root.parent)
    except OSError as error:
        raise HermesError(f"{finished.root} could not be made: {error.strerror}.") from error


def place_skills(folder: Path, home: Home) -> None:
    """Move the files of the skills of an unpacked archive into a home that has none."""
    for file in sorted((folder / _SKILLS).rglob("*")):
        if file.is_file():
            target = home.skills / file.relative_to(folder / _SKILLS)
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.rename(target)
