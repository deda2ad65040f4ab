"""Open a backup that a person named: which file is meant, with which key, and what it holds."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation
from hermes_agent.cli.output import say
from hermes_agent.cli.progress import follow
from hermes_agent.config import held_folder, paths, private, variables
from hermes_agent.errors import LockedHome, UsageError
from hermes_agent.jobs import backing_up
from hermes_agent.ops.backups.checking import PASSPHRASE

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from hermes_agent.config.paths import Home
    from hermes_agent.ops.backups.keys import Identity
    from hermes_agent.ops.backups.opening import Opened
    from hermes_agent.ops.steps import Step

_OPENED = ".restore-"
_TIMES = 20
"""How much room a backup may need, packed, unpacked, and while its memory is checked: text packs to a tenth."""


def found_file(invocation: Invocation, file: str) -> Path:
    """Return the file that a person means: a path, or the name of a backup in its folder."""
    path = paths.expand(file)
    beside = backing_up.folder_of(invocation.home, invocation.settings) / file
    return beside if not path.exists() and beside.exists() else path


@contextmanager
def restored(invocation: Invocation, path: Path, identity: str | None) -> "Iterator[tuple[Opened, list[str]]]":
    """Open a backup in a folder of the home's own disk, and check it there."""
    from hermes_agent.ops import own_formats
    from hermes_agent.ops.backups import opening

    own_formats.refuse(path, "profile")
    keys_of_it = identities(invocation, path, identity) if opening.is_encrypted(path) else []
    paths.ensure(invocation.home)
    with held_folder.made(_room_for(path, invocation.home), _OPENED) as folder:

        def work() -> "Generator[Step, None, tuple[Opened, list[str]]]":
            found = yield from opening.open_into(folder, path, keys_of_it)
            owner = invocation.home.profile if found.manifest is None else found.manifest.profile
            return found, (yield from opening.check(found, owner, key_inside(found)))

        yield follow(work())


def _room_for(path: Path, home: "Home") -> Path:
    """Return where a backup may be opened: on the disk of the home; what is encrypted there, in memory only."""
    scratch = private.scratch(home)
    if scratch is None:
        return private.room(home)
    if shutil.disk_usage(scratch).free > _TIMES * path.stat().st_size:
        return scratch
    say(f"It does not fit into memory: until it is checked it lies on the disk, in {home.root}.", is_error=True)
    return home.root


def missing(found: "Opened", profile: str) -> list[str]:
    """Name what the memory of a backup knows and its files lack."""
    from hermes_agent.ops.backups import opening

    owner = profile if found.manifest is None else found.manifest.profile
    return opening.missing(found, owner, key_inside(found))


def key_inside(found: "Opened") -> bytes | None:
    """Return what opens the database of a backup of an encrypted home; None if that was not encrypted."""
    from hermes_agent.cli.passphrases import asking
    from hermes_agent.config import encryption

    inside = paths.Home(found.folder, paths.DEFAULT_PROFILE)
    told = encryption.read(inside)
    if told is None:
        return None
    try:
        return encryption.keys_of(inside, told, asking("the home as it was backed up")).database
    except LockedHome as error:
        kind = told.source.kind
        given = {"passphrase": "$HERMES_PASSPHRASE", "key file": "$HERMES_KEY_FILE"}.get(kind)
        raise LockedHome(
            f"The backup is of an encrypted home, and the {kind} it had on that day does not open it here.",
            hint="Make that entry again." if given is None else f"Give the {kind} of that day: set {given}",
        ) from error


def identities(invocation: Invocation, path: Path, identity: str | None) -> "Sequence[Identity]":
    from hermes_agent.ops.backups import keys

    home = invocation.home
    named = None if identity is None else paths.expand(identity)
    if named is not None and not keys.is_sealed(named):
        return keys.read(named)
    sealed = named or keys.sealed_beside(path)
    own = keys.read(home.backup_key) if home.backup_key.exists() and identity is None else []
    words = variables.read(home).get(PASSPHRASE)
    if sealed.exists() and (words or not own):
        return [*own, *keys.unseal(sealed, words or _asked("Passphrase: "))]
    if not own:
        raise UsageError(
            "No key is here that could open it.", hint="Name the file that holds it: --identity backup.key"
        )
    return own


def new_passphrase(home: "Home") -> str:
    words = variables.read(home).get(PASSPHRASE)
    if words:
        return words
    words = _asked("New passphrase: ")
    if _asked("Once more: ") != words:
        raise UsageError("The two are not the same.")
    return words


def _asked(prompt: str) -> str:
    if not sys.stdin.isatty():
        raise UsageError("There is nobody to ask for the passphrase.", hint=f"Set ${PASSPHRASE}.")
    return str(click.prompt(prompt, hide_input=True, prompt_suffix="", err=True))
