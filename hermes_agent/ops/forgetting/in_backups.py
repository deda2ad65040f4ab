"""Backups that still hold what was forgotten: named, or made anew without it.

One that is made anew is opened into a folder in the home (of an encrypted home: in memory), cleaned by the hashes
of all receipts that are not lifted, looked through, and put in the place of the old one under the same name, whole
or not at all. The copies of folders it held are left out: git packs them. One that cannot be opened with the keys
at hand, and a plain one of a home that is encrypted since, stay and are named.
"""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

from hermes_agent.config import encryption, held_folder, private
from hermes_agent.config.paths import Home
from hermes_agent.crypto import unlocked
from hermes_agent.errors import HermesError
from hermes_agent.memory import forget_all
from hermes_agent.ops.backups import keeping, keys, opening, writing
from hermes_agent.ops.backups.keeping import Kept
from hermes_agent.ops.backups.opening import Opened
from hermes_agent.ops.forgetting import files, receipt_file
from hermes_agent.ops.forgetting.carrying_out import Place
from hermes_agent.ops.steps import Step
from hermes_agent.store import receipts, sweeping
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from hermes_agent.text.runs import Look

_TEMPORARY = ".forgetting-"


@dataclass(frozen=True, slots=True)
class Anew:
    """The backups that were made anew, and those that may still hold something, by their names."""

    made: Sequence[str]
    left: Sequence[str]


def make_anew(place: Place) -> Generator[Step, None, Anew]:
    """Make every backup anew that a receipt names; the receipts name only what is left since."""
    with place.store.read() as connection:
        every = [one for one in receipts.every(connection) if one.lifted_at is None]
    looked_for = [one for one in every if one.runs]
    named = {name for one in every for name in one.backups}
    # Without anything to look by nobody could say that one is clean.
    unknown = {name for one in every if not one.runs for name in one.backups}
    found = keeping.everywhere(place.home, place.store, place.backups)
    there = {name: backup for name, backup in found.there.items() if name in named}
    made: list[str] = []
    for done, (name, backup) in enumerate(there.items()):
        yield Step("Going through backups", done, len(there))
        if looked_for and (yield from _made_anew(place, backup, receipts.hashed_look(looked_for))):
            made.append(name)
    left = there.keys() - set(made) | unknown & there.keys() | named & set(found.away)
    with place.store.write() as connection:
        told = [
            receipts.settle(connection, one.id, one.found, still)
            for one in every
            if one.state == "done" and (still := [name for name in one.backups if name in left]) != one.backups
        ]
        for one in told:
            receipt_file.write(place.home, one)
    return Anew(sorted(made), sorted(left))


def _made_anew(place: Place, backup: Kept, look: Look) -> Generator[Step, None, bool]:
    """Make a backup anew; False if it cannot be opened or holds no database."""
    home = place.home
    is_encrypted = home.encryption.exists()
    scratch = private.scratch(home) if is_encrypted else home.root
    if scratch is None or not home.backup_key.exists():
        return False
    held_folder.clear(home.root, _TEMPORARY)
    with held_folder.made(scratch, _TEMPORARY) as folder:
        try:
            opened = yield from opening.open_into(folder, backup.path, keys.read(home.backup_key))
            inside = Home(opened.folder, home.profile)
            # By the name that the profile had then: it may have got another one since.
            owner = place.store.owner if opened.manifest is None else opened.manifest.profile
            store = _store_of(opened, inside, owner, is_encrypted=is_encrypted)
        except HermesError:
            return False  # another key, or damaged: it is named
        if store is None:
            return False
        try:
            with closing(store):
                if not _cleaned(inside, store, look):
                    return False
                yield from writing.create(inside, store, backup.path, keys.lock_of(home, []))
        finally:
            unlocked.lock(inside.sealed)
    return True


def _store_of(opened: Opened, inside: Home, owner: str, *, is_encrypted: bool) -> Store | None:
    """Open the memory of a backup by its own encryption; None if it has none, or is plainer than the home."""
    told = encryption.read(inside)
    if opened.database is None or (told is None and is_encrypted):
        return None
    owned = None if told is None else encryption.keys_of(inside, told)
    if owned is not None:
        unlocked.unlock(inside.sealed, owned)
    store = Store(Sqlite(opened.database, key=None if owned is None else owned.database), owner)
    try:
        with store.read():
            return store
    except HermesError:
        store.close()
        raise


def _cleaned(inside: Home, store: Store, look: Look) -> bool:
    """Clean an opened backup; tell whether nothing is left in it."""
    with store.write() as connection:
        forget_all.forget_again(connection, store.engine, look)
    with store.bare() as connection:
        store.engine.erase(connection)
    files.clean_whole(inside, look)
    with store.read() as connection:  # in the file of an encrypted one nothing can be seen
        if any(True for _ in sweeping.places(connection, look)):
            return False
    return not list(files.left_in(inside, look, None))
