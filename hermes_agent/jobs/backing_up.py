"""The job `backup`, once a day: an encrypted copy of the home, and the old ones let go of.

The first is made when a memory is a day old: before that there is little to lose, and a key is made for it.
"""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.config import paths
from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import BACKUP_DAILY, BACKUP_DIRECTORY, BACKUP_RECIPIENTS
from hermes_agent.errors import HermesError
from hermes_agent.jobs import last_done, pausing
from hermes_agent.jobs.worker import LOG
from hermes_agent.ops.backups import places
from hermes_agent.ops.steps import Step
from hermes_agent.store import jobs, meta
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.ops.backups.writing import Made

JOB = "backup"
DAY = 86_400 * clock.MICROSECONDS
SPARED_DAYS = 7
_LAST, _FILE, _SINCE = "last_backup", "last_backup_file", "backups_since"


def folder_of(home: Home, settings: Settings) -> Path:
    """Return the folder in which the backups of a home are kept."""
    chosen = settings[BACKUP_DIRECTORY]
    return home.backups if chosen is None else paths.expand(chosen)


def run(home: Home, store: Store, settings: Settings) -> Generator[Step, None, None]:
    """Make a backup, then remove those that need not stay."""
    # Imported here: age is loaded for it.
    from hermes_agent.ops.backups import keeping

    made = yield from make(home, store, settings)
    for trouble in made.trouble:
        LOG.warning("The backup: %s", trouble)
    found = keeping.of_home(home, store, folder_of(home, settings))
    # By itself it makes one a day: what else is there of the last days somebody made on purpose.
    keeping.remove(keeping.superfluous(found, spared_days=SPARED_DAYS))


def make(
    home: Home, store: Store, settings: Settings, target: Path | None = None
) -> "Generator[Step, None, Made]":
    """Make a backup, under a name of its own in its folder if no `target` is given; none is removed."""
    from hermes_agent.ops.backups import beside, form, keys, writing

    moment = clock.now()
    name = form.name_of(store.owner, moment, form.mark_of(store.uid))
    lock = keys.lock_of(home, settings[BACKUP_RECIPIENTS])
    place = folder_of(home, settings) / name if target is None else target
    named, trouble = [], list[str]()
    try:
        named = beside.named(home, settings)
    except HermesError as error:  # our own memory is worth a backup all the same
        trouble.append(f"The files of the external memory are not in it: {error.message}")
    made = yield from writing.create(home, store, place, lock, takes_free_name=target is None, named=named)
    note(home, store, moment, made.path, is_named=target is not None)
    return replace(made, trouble=[*trouble, *made.trouble])


def note(home: Home, store: Store, moment: int, file: Path, *, is_named: bool = False) -> None:
    """Keep that a backup was made, and where; one in the home is told by its place there, which may be moved.

    `is_named`: its owner named the file, so that its folder need hold no others.
    """
    place = file.relative_to(home.root) if file.is_relative_to(home.root) else file.absolute()
    with store.write() as connection:
        meta.put(connection, _LAST, str(moment))
        meta.put(connection, _FILE, str(place))
        places.remember(connection, home, file if is_named else file.parent)


def last_there(home: Home, store: Store, settings: Settings) -> Path | None:
    """Return the last backup, wherever it was put; None if there is none there now."""
    from hermes_agent.ops.backups import keeping

    with store.read() as connection:
        place = meta.get(connection, _FILE)
    last = None if place is None else paths.expand(place, relative_to=home.root)
    if last is not None and last.exists():
        return last
    listed = keeping.of_home(home, store, folder_of(home, settings))
    return listed[0].path if listed else None


def last(store: Store) -> tuple[int | None, int | None]:
    """Return when the last backup was made, None if never, and since when there should be some."""
    with store.read() as connection:
        kept = [meta.get(connection, key) for key in (_LAST, _SINCE)]
    made, since = (None if one is None else int(one) for one in kept)
    return made, since


def enqueue_due(store: Store, settings: Settings) -> None:
    """Add the job if a day has gone by since the last one."""
    if not settings[BACKUP_DAILY]:
        return
    made, since = last(store)
    now = clock.now()
    if since is None:
        with store.write(is_aside=True) as connection:
            meta.put_first(connection, _SINCE, str(now))
        return
    if min(last_done.since(made or 0), last_done.since(since)) < DAY:
        return
    with store.read() as connection:
        is_open = bool(jobs.open_keys(connection, [JOB]))
        due_at = pausing.due_at(connection, JOB)
    if not is_open:
        with store.write() as connection:
            jobs.add(connection, JOB, JOB, due_at=due_at)
