"""A profile in one archive: its memory with notes and settings, and the files of its skills. Never its keys.

It is a tar.gz of `memory.json` (`ops/whole/`) and `skills/`, to be carried to another machine, or given away.
"""

import io
import tarfile
import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import BinaryIO

from hermes_agent.config import private
from hermes_agent.config.paths import Home
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.ops import own_files
from hermes_agent.ops.backups import form
from hermes_agent.ops.backups.opening import is_encrypted, unpack_plain
from hermes_agent.ops.steps import Step
from hermes_agent.ops.whole import writing
from hermes_agent.records.archive import Json
from hermes_agent.store.store import Store

_SKILLS = "skills"
_OWN = (".lock", ".synced.json")
"""What a skills folder keeps of its own store and machine."""


def export(
    home: Home, store: Store, out: BinaryIO, notes: Mapping[str, str], settings: Mapping[str, Json]
) -> Generator[Step, None, Mapping[str, int]]:
    """Write a profile to an archive; return how many rows each table of its memory has."""
    with (
        tarfile.open(fileobj=out, mode="w:gz") as tar,
        tempfile.TemporaryFile(dir=private.room(home)) as memory,
    ):
        rows = yield from writing.export(store, memory, notes, settings)
        size = memory.tell()
        memory.seek(0)
        tar.addfile(form.info(form.MEMORY, size, 0o600), memory)
        for file in files_of_skills(home).values():
            name = f"{_SKILLS}/{file.relative_to(home.skills).as_posix()}"
            try:
                data = private.read(file)
            except OSError as error:
                raise HermesError(f"{file} cannot be read: {error.strerror}.") from error
            tar.addfile(form.info(name, len(data), file.stat().st_mode & 0o700), io.BytesIO(data))
    return rows


def files_of_skills(home: Home) -> dict[str, Path]:
    """Return the files of the skills that belong to them, wherever they are."""
    found = own_files.of_skills(home).files
    return {name: file for name, file in found.items() if file.name not in _OWN}


def unpack(archive: Path, folder: Path) -> Path | None:
    """Unpack an archive into an empty folder; return where its memory is, None if it has none."""
    if is_encrypted(archive):
        raise UsageError(f"{archive} is a backup.", hint="Restore it: hermes backup restore FILE")
    names = unpack_plain(archive, folder, is_home=False)
    return folder / form.MEMORY if form.MEMORY in names else None


def place_skills(folder: Path, home: Home) -> None:
    """Move the files of the skills of an unpacked archive into a home that has none."""
    for file in sorted((folder / _SKILLS).rglob("*")):
        if file.is_file():
            target = home.skills / file.relative_to(folder / _SKILLS)
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file.rename(target)
