"""The job `backup`, once a day: an encrypted copy of the home, and the old ones let go of.

The first is made when a memory is a day old: before that there is little to lose, and a key is made for it.
"""

from collections.abc import Generator
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config import paths
from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import BACKUP_DAILY, BACKUP_DIRECTORY, BACKUP_RECIPIENTS
from hermes_agent.jobs import last_done, pausing
from hermes_agent.ops.backups import places
from hermes_agent.ops.steps import Step
from hermes_agent.store import jobs, meta
from hermes_agent.store.store import Store

JOB = "backup"
DAY = 86_400 * clock.MICROSECONDS
_LAST, _SINCE = "last_backup", "backups_since"


def folder_of(home: Home, settings: Settings) -> Path:
    """Return the folder in which the backups of a home are kept."""
    chosen = settings[BACKUP_DIRECTORY]
    return home.backups if chosen is None else paths.expand(chosen)


def run(home: Home, store: Store, settings: Settings) -> Generator[Step, None, None]:
    """Make a backup, then remove those that need not stay."""
    # Imported here: age is loaded for it.
    from hermes_agent.ops.backups import form, keeping, keys, writing

    moment, folder = clock.now(), folder_of(home, settings)
    lock = keys.lock_of(home, settings[BACKUP_RECIPIENTS])
    mark = form.mark_of(store.uid)
    yield from writing.create(home, store, folder / form.name_of(store.owner, moment, mark), lock)
    owner = keeping.Owner(store.owner, mark, home.backups)
    keeping.remove(keeping.superfluous(keeping.listed(folder, owner)))
    note(home, store, moment, folder)


def note(home: Home, store: Store, moment: int, place: Path) -> None:
    """Keep that a backup was made, and in which folder, or in which file if it was named by hand."""
    with store.write() as connection:
        meta.put(connection, _LAST, str(moment))
        places.remember(connection, home, place)


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
