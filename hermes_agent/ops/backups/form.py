"""The form of a backup: a tar of the home, compressed with zstd, encrypted with age.

    age --decrypt -i backup.key FILE | zstd --decompress | tar --extract

`manifest.json` comes last and tells what must be there: each file with its size and SHA-256, the tables with their
rows.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
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


def name_of(profile: str, moment: int) -> str:
    """Return the name of the file of a backup."""
    return f"{profile}-{clock.to_datetime(moment):{_STAMP}}{ENDING}"


def moment_of(name: str, profile: str) -> datetime | None:
    """Return when a backup of a profile was made, by the name of its file; None if it is none."""
    stamp = name.removeprefix(f"{profile}-").removesuffix(ENDING)
    try:
        return datetime.strptime(f"{stamp}+0000", f"{_STAMP}%z") if name == f"{profile}-{stamp}{ENDING}" else None
    except ValueError:
        return None


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
        return Manifest(files=files, **told)
    except (KeyError, TypeError, AttributeError) as error:
        raise UsageError("The backup is damaged: its manifest lacks something.") from error
