"""The backups of a profile in their folder: listed, and let go of when there are newer ones."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hermes_agent.errors import HermesError
from hermes_agent.ops.backups import form, keys, retention


@dataclass(frozen=True, slots=True)
class Kept:
    """A backup in its folder."""

    path: Path
    made_at: datetime
    size_bytes: int
    has_sealed_key: bool
    """Whether its key lies beside it, protected by a passphrase."""


def listed(folder: Path, profile: str) -> list[Kept]:
    """Return the backups of a profile, the newest first."""
    try:
        names = sorted(folder.iterdir()) if folder.is_dir() else []
    except OSError as error:
        raise HermesError(f"{folder} cannot be read: {error.strerror}.") from error
    found = [
        Kept(path, moment, path.stat().st_size, keys.sealed_beside(path).exists())
        for path in names
        if (moment := form.moment_of(path.name, profile)) is not None
    ]
    return sorted(found, key=lambda one: one.made_at, reverse=True)


def superfluous(backups: list[Kept]) -> list[Kept]:
    """Return those that need not stay."""
    stay = retention.kept(one.made_at for one in backups)
    return [one for one in backups if one.made_at not in stay]


def remove(backups: list[Kept]) -> None:
    """Remove backups, with the keys beside them."""
    for one in backups:
        one.path.unlink(missing_ok=True)
        keys.sealed_beside(one.path).unlink(missing_ok=True)
