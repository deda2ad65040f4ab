"""Backups that still hold what was forgotten: named, or made anew without it.

One that is made anew is opened into a folder in the home, cleaned by the hashes of the receipt, looked through,
and put in the place of the old one under the same name, whole or not at all. The copies of folders it held are
left out: git packs them. The key that opens it must be the home's own.
"""

import shutil
import tempfile
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from hermes_agent.config.paths import Home
from hermes_agent.crypto import unlocked
from hermes_agent.errors import HermesError
from hermes_agent.memory import forget_all
from hermes_agent.ops.backups import form, keeping, keys, opening, writing
from hermes_agent.ops.backups.keeping import Kept
from hermes_agent.ops.forgetting import files, receipt_file
from hermes_agent.ops.forgetting.carrying_out import Place, hashed_look
from hermes_agent.ops.steps import Step
from hermes_agent.records.receipts import Receipt
from hermes_agent.store import receipts
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from hermes_agent.text.runs import Look

_TEMPORARY = ".forgetting-"


def settle(place: Place, receipt: Receipt, folder: Path, *, rewrites: bool) -> Generator[Step, None, Receipt]:
    """Name the backups that were made before the forgetting, or make them anew without it."""
    owner = keeping.Owner(place.store.owner, form.mark_of(place.store.uid), place.home.backups)
    older = [one for one in keeping.listed(folder, owner) if one.is_ours]
    left: list[str] = []
    for done, backup in enumerate(older):
        yield Step("Going through backups", done, len(older))
        is_clean = False
        if rewrites:
            is_clean = yield from _made_anew(place, receipt, backup)
        left += [] if is_clean else [backup.path.name]
    if left == list(receipt.backups):
        return receipt
    with place.store.write() as connection:
        told = receipts.settle(connection, receipt.id, receipt.found, left)
    receipt_file.write(place.home, told)
    return told


def _made_anew(place: Place, receipt: Receipt, backup: Kept) -> Generator[Step, None, bool]:
    """Make a backup anew; False if it cannot be opened or holds no database."""
    home = place.home
    for stale in home.root.glob(f"{_TEMPORARY}*"):
        shutil.rmtree(stale, ignore_errors=True)
    if not home.backup_key.exists() or not receipt.runs:
        return False  # no key, or nothing to look by: nobody could say that it is clean
    with tempfile.TemporaryDirectory(dir=home.root, prefix=_TEMPORARY) as name:
        try:
            opened = yield from opening.open_into(Path(name), backup.path, keys.read(home.backup_key))
        except HermesError:
            return False  # another key, or damaged: it is named
        if opened.database is None:
            return False
        look = hashed_look([receipt])
        inside = Home(opened.folder, home.profile)
        owned = unlocked.of_file(home.soul)
        if owned is not None:
            unlocked.unlock(inside.sealed, owned)
        engine = Sqlite(opened.database, key=None if owned is None else owned.database)
        with closing(Store(engine, place.store.owner)) as store:
            if not _cleaned(inside, store, look):
                return False
            lock = keys.lock_of(home, [])
            yield from writing.create(inside, store, backup.path, lock)
    return True


def _cleaned(inside: Home, store: Store, look: Look) -> bool:
    """Clean an opened backup; tell whether nothing is left in it."""
    with store.write() as connection:
        forget_all.forget_again(connection, store.engine, look)
    with store.bare() as connection:
        store.engine.erase(connection)
    files.clean_whole(inside, look)
    return not list(files.left_in(inside, look, None))
