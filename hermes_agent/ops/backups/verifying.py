"""Check a backup with the keys at hand: restore it into a folder of its own, open it, and compare."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.config import encryption, held_folder, paths, variables
from hermes_agent.config.paths import Home
from hermes_agent.errors import UsageError
from hermes_agent.ops.backups import keys, opening
from hermes_agent.ops.backups.keys import Identity
from hermes_agent.ops.backups.opening import Opened
from hermes_agent.ops.steps import Step

PASSPHRASE = "HERMES_BACKUP_PASSPHRASE"
FOLDER = ".restore-"
"""What the folders begin with in which backups are opened."""


@dataclass(frozen=True, slots=True)
class Verified:
    """How many files a backup holds, and what is wrong with it."""

    files: int
    problems: Sequence[str]


def verify(home: Home, path: Path) -> Generator[Step, None, Verified]:
    """Check a backup of a home; nobody is asked for a passphrase."""
    known = _identities(home, path) if opening.is_encrypted(path) else []
    with held_folder.made(home.root, FOLDER) as folder:
        found = yield from opening.open_into(folder, path, known)
        owner = home.profile if found.manifest is None else found.manifest.profile
        problems = yield from opening.check(found, owner, _key_inside(found))
        return Verified(len(found.names), problems)


def _identities(home: Home, path: Path) -> Sequence[Identity]:
    own = keys.read(home.backup_key) if home.backup_key.exists() else []
    words, sealed = variables.read(home).get(PASSPHRASE), keys.sealed_beside(path)
    if sealed.exists() and words:
        own = [*own, *keys.unseal(sealed, words)]
    if not own:
        raise UsageError("No key is here that could open it.", hint="At the terminal: hermes backup verify")
    return own


def _key_inside(found: Opened) -> bytes | None:
    inside = paths.Home(found.folder, paths.DEFAULT_PROFILE)
    told = encryption.read(inside)
    return None if told is None else encryption.keys_of(inside, told).database
