"""Save a damaged SQLite store: set the file aside untouched, copy every readable row into a new one."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import beside
from hermes_agent.errors import DamagedStore
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import journal
from hermes_agent.store import salvage as rows
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store

_COMPANIONS = ("-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Saved:
    """Where the damaged file is now, how many rows of each table were saved, and which have gaps."""

    set_aside: Path
    rows: Mapping[str, int]
    lost: tuple[str, ...]


def needs_salvage(store: Store) -> bool:
    """Tell whether the file itself is damaged, not only an index that can be made anew."""
    if not isinstance(store.engine, Sqlite):
        return False
    try:
        with store.read() as connection:
            condition = store.engine.inspect(connection, is_thorough=True)
    except DamagedStore:
        return True
    return any("fts" not in problem for problem in condition.problems)


def salvage(store: Store) -> Saved:
    """Set the damaged file aside and copy what can be read of it, in one transaction."""
    assert isinstance(store.engine, Sqlite), "only a SQLite file can be salvaged"
    path = store.engine.path
    store.close()
    stamp = f"{clock.to_datetime(clock.now()):%Y%m%dT%H%M%S}"
    set_aside = beside(path, f".damaged-{stamp}")
    for suffix in _COMPANIONS:
        companion = beside(path, suffix)
        if companion.exists():
            companion.rename(beside(set_aside, suffix))
    path.rename(set_aside)
    counts: dict[str, int] = {}
    lost: list[str] = []
    with store.write() as connection:
        rows.allow_orphans(connection)
        for table in rows.TABLES:
            counts[table], has_gaps = rows.copy_table(set_aside, connection, table)
            if has_gaps:
                lost.append(table)
        adopted = rows.adopt_orphans(connection)
        text = f"A damaged store was salvaged: {counts['messages']} messages; {adopted} sessions were remade."
        journal.write(
            connection, NewEntry("store.salvaged", str(set_aside), text, before={"lost": lost}, after=counts)
        )
    return Saved(set_aside, counts, tuple(lost))
