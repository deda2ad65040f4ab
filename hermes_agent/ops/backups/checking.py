"""Check a backup by restoring it into a folder of its own, with the keys that are at hand: nobody is asked."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.config import encryption, held_folder, paths, variables
from hermes_agent.config.paths import Home
from hermes_agent.errors import UsageError
from hermes_agent.ops.backups import keys, opening
from hermes_agent.ops.backups.keys import Identity
from hermes_agent.ops.steps import Step

PASSPHRASE = "HERMES_BACKUP_PASSPHRASE"
OPENED = ".restore-"
"""How the folders are called into which backups are opened."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a backup holds, and what is wrong with it."""

    files: int
    problems: Sequence[str]


def check(home: Home, path: Path) -> Generator[Step, None, Checked]:
    """Open a backup, compare everything in it, open its memory."""
    identities = (
        _identities(home, path, variables.read(home).get(PASSPHRASE)) if opening.is_encrypted(path) else []
    )
    paths.ensure(home)
    with held_folder.made(home.root, OPENED) as folder:
        found = yield from opening.open_into(folder, path, identities)
        owner = home.profile if found.manifest is None else found.manifest.profile
        inside = Home(found.folder, paths.DEFAULT_PROFILE)
        told = encryption.read(inside)
        key = None if told is None else encryption.keys_of(inside, told).database
        problems = yield from opening.check(found, owner, key)
        return Checked(len(found.names), problems)


def _identities(home: Home, path: Path, words: str | None) -> Sequence[Identity]:
    own = keys.read(home.backup_key) if home.backup_key.exists() else []
    sealed = keys.sealed_beside(path)
    if sealed.exists() and words:
        return [*own, *keys.unseal(sealed, words)]
    if not own:
        raise UsageError(
            "No key is here that could open it.",
            hint=f"At the terminal, name the file that holds it: hermes backup verify {path.name} --identity FILE",
        )
    return own
