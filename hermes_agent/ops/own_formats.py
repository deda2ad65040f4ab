"""Files of this program that were given to the wrong command: told apart by what they begin with."""

import gzip
import tarfile
from pathlib import Path
from typing import Literal

from hermes_agent.errors import UsageError
from hermes_agent.ops import room
from hermes_agent.ops.backups import form

Kind = Literal["backup", "profile"]

_AGE, _GZIP = b"age-encryption.org/v1", b"\x1f\x8b"
_TOLD: dict[Kind, tuple[str, str]] = {
    "backup": ("an encrypted backup", "hermes backup restore FILE"),
    "profile": ("the archive of a profile", "hermes profile import FILE --name NAME"),
}


def refuse(file: Path, *kinds: Kind) -> None:
    """Refuse a file that is one of these, and name the command that takes it."""
    kind = _kind_of(file)
    if kind in kinds:
        what, command = _TOLD[kind]
        raise UsageError(f"{file} is {what}.", hint=f"Run: {command}")


def _kind_of(file: Path) -> Kind | None:
    try:
        if not file.is_file():
            return None
        with file.open("rb") as opened:
            head = opened.read(len(_AGE))
        if head == _AGE:
            return "backup"
        if not head.startswith(_GZIP):
            return None
        with gzip.open(file) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as tar:
            first = tar.next()
    except (OSError, *room.UNREADABLE):
        return None
    return "profile" if first is not None and first.name == form.MEMORY else None
