"""What to say of a SQLite file that does not open: damaged, encrypted, or not encrypted where it should be.

An encrypted file whose home has lost its `encryption.json` looks like a damaged one, and a repair could save
nothing of it. But damage has gaps: only in an encrypted file every page is as random as the next.
"""

from pathlib import Path

from hermes_agent.errors import DamagedStore, HermesError, LockedHome, StoreError

_PAGE = 4096
_SAMPLES = 8
_FEWEST_VALUES = 240
"""Of 4,096 random bytes all 256 values are there, give or take one; of text and tables a hundred or two."""


def other_kind(path: Path, *, is_encrypted: bool) -> HermesError:
    """Tell of a file that is plain in an encrypted home, or no plain one in another."""
    if is_encrypted:
        return StoreError(
            f"{path} is not encrypted, although this home is.",
            hint="The file was left as it is. If it belongs here, run: hermes encrypt",
        )
    if _looks_encrypted(path):
        return LockedHome(
            f"{path} is encrypted, and the encryption.json of its home is missing. Without it nobody can open it.",
            hint="It was left as it is. Take encryption.json from a backup: hermes backup restore FILE",
        )
    return DamagedStore(
        f"{path} is not a SQLite database: its first bytes are wrong.",
        hint="The file was left as it is. Restore a backup over it, or run: hermes db repair",
    )


def unopened(path: Path, error: Exception, *, is_encrypted: bool) -> DamagedStore:
    """Tell of a file that the driver refuses."""
    if is_encrypted:
        return DamagedStore(
            f"{path} cannot be opened with the key of this home: it is damaged, or another home's.",
            hint="The file was left as it is. Restore a backup over it, or run: hermes db repair",
        )
    return DamagedStore(f"{path} is damaged ({error}).", hint="The file was left as it is. Run: hermes db repair")


def _looks_encrypted(path: Path) -> bool:
    """Tell whether a file is whole pages, and random wherever one looks."""
    pages, rest = divmod(path.stat().st_size, _PAGE)
    if rest or not pages:
        return False
    with path.open("rb") as file:
        for sample in range(min(pages, _SAMPLES)):
            file.seek(sample * (pages - 1) // max(min(pages, _SAMPLES) - 1, 1) * _PAGE)
            if len(set(file.read(_PAGE))) < _FEWEST_VALUES:
                return False
    return True
