"""The form of a backup: a tar of the home, compressed with zstd, encrypted with age.

    age --decrypt -i backup.key FILE | zstd --decompress | tar --extract

`manifest.json` comes last and tells what must be there: each file with its size and SHA-256, the tables with their
rows.
"""

import json
import re
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import cast

from hermes_agent import clock
from hermes_agent.errors import UsageError
from hermes_agent.records.archive import Json

FORMAT = "hermes-agent backup"
VERSION = 1
MANIFEST = "manifest.json"
DATABASE = "state.db"
MEMORY = "memory.json"
"""In the place of the database where that is a server's."""
ENDING = ".hermes.age"
_STAMP = "%Y%m%dT%H%M%SZ"
_NAME = re.compile(r"(?P<profile>.+)-(?P<stamp>[0-9]{8}T[0-9]{6}Z)(?:-(?P<home>[0-9a-f]{8}))?")
_MARK_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Member:
    """A file of a backup."""

    size: int
    sha256: str
    mode: int = 0o600


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds, and of which moment and profile."""

    profile: str
    made_at: str
    program: str
    shape: int
    files: Mapping[str, Member]
    rows: Mapping[str, int]
    home: str | None = None
    """The mark of the home; None in those that were made before it was told."""
    left_out: Sequence[str] = ()
    """The links that were left out, since nobody reads through them."""


@dataclass(frozen=True, slots=True)
class Named:
    """What the name of a backup's file tells: whose it is, and when it was made."""

    profile: str
    made_at: datetime
    home: str | None
    """The mark of the home it is of; None if it was named by hand, or before homes had one."""


def mark_of(store_uid: str) -> str:
    """Return the mark by which backups of several homes are told apart that lie in one folder."""
    return store_uid.replace("-", "")[-_MARK_DIGITS:]


def name_of(profile: str, moment: int, home: str) -> str:
    """Return the name of the file of a backup."""
    return f"{profile}-{clock.to_datetime(moment):{_STAMP}}-{home}{ENDING}"


def free(path: Path) -> Path:
    """Return the path of a backup, a second later for each that is there already."""
    while path.exists() and (told := named(path.name)) is not None:
        moment = clock.from_datetime(told.made_at) + clock.MICROSECONDS
        path = path.with_name(name_of(told.profile, moment, told.home or ""))
    return path


def named(name: str) -> Named | None:
    """Read the name of a backup's file; None if it is none."""
    found = _NAME.fullmatch(name.removesuffix(ENDING)) if name.endswith(ENDING) else None
    if found is None:
        return None
    try:
        moment = datetime.strptime(f"{found['stamp']}+0000", f"{_STAMP}%z")
    except ValueError:
        return None
    return Named(found["profile"], moment, found["home"])


def info(name: str, size: int, mode: int) -> tarfile.TarInfo:
    """Return what a tar tells of a file."""
    told = tarfile.TarInfo(name)
    told.size, told.mode, told.mtime = size, mode, clock.now() // clock.MICROSECONDS
    return told


def written(manifest: Manifest) -> bytes:
    """Write a manifest."""
    return json.dumps({"format": FORMAT, "version": VERSION, **asdict(manifest)}, indent=1).encode("ascii")


def read(text: bytes) -> Manifest:
    """Read a manifest; UsageError if it is none, or of a newer program."""
    try:
        found = cast(Json, json.loads(text))
    except (ValueError, RecursionError) as error:
        raise UsageError("The backup is damaged: its manifest cannot be read.") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise UsageError("It is no backup of hermes.")
    if not isinstance(version := found.get("version"), int) or version > VERSION:
        raise UsageError("The backup was made by a newer hermes.", hint="Update hermes here first.")
    try:
        files = {name: Member(**one) for name, one in found["files"].items()}
        told = {name: found[name] for name in ("profile", "made_at", "program", "shape", "rows")}
        left_out = [str(one) for one in found.get("left_out", ())]
        return Manifest(files=files, home=found.get("home"), left_out=left_out, **told)
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError("The backup is damaged: its manifest lacks something.") from error
