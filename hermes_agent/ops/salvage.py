"""Save a damaged SQLite store: copy every readable row into a new file, then let the two change places.

The new file is whole before the damaged one is touched, and the damaged one is only renamed. Killed on
the way, either the damaged file is still in place, or a store that refuses to begin anew beside the
finished copy; running again goes on from there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_agent.errors import DamagedStore
from hermes_agent.ops.aside import set_aside
from hermes_agent.ops.doctor import rebuild, replace_unreadable
from hermes_agent.ops.steps import finish
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import canonical, journal
from hermes_agent.store import salvage as rows
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store

_MARK = ".damaged-"


@dataclass(frozen=True, slots=True)
class Saved:
    """Where the damaged file is now, how many rows of each table were saved, and which have gaps.

    `unreadable` are the messages that now say that they were lost.
    """

    set_aside: Path
    rows: Mapping[str, int]
    lost: Sequence[str]
    unreadable: Sequence[str]


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


def salvage(store: Store, *, is_forced: bool = False) -> Saved:
    """Copy what can be read into a new file and put it in the damaged one's place.

    Of a file that holds nothing one can read nothing is saved: that one stays, unless it is forced aside.
    """
    assert isinstance(store.engine, Sqlite), "only a SQLite file can be salvaged"
    path, copy = store.engine.path, store.engine.salvaged
    store.close()
    counts: dict[str, int] = {}
    lost: list[str] = []
    unreadable: list[str] = []
    if path.exists():
        # What an earlier run left half made is made anew.
        rows.remove_files(copy)
        counts, lost, unreadable = _copy(store.engine, Store(replace(store.engine, path=copy), store.owner))
        if not is_forced and path.stat().st_size and not any(counts.values()):
            rows.remove_files(copy)
            raise DamagedStore(
                f"Nothing in {path} can be read: it was left as it is.",
                hint="Restore a backup: hermes backup restore FILE. To begin anew: hermes db repair --force",
            )
    aside = set_aside(path, _MARK)
    copy.rename(path)
    return Saved(aside, counts, lost, unreadable)


def _copy(damaged: Sqlite, store: Store) -> tuple[dict[str, int], list[str], list[str]]:
    counts: dict[str, int] = {}
    lost: list[str] = []
    with store.write() as connection:
        rows.allow_orphans(connection)
        for table in rows.TABLES:
            counts[table], has_gaps = rows.copy_table(damaged, connection, table)
            if has_gaps:
                lost.append(table)
        adopted = rows.adopt_orphans(connection)
        for table, last in rows.last_numbers(damaged).items():
            if table in canonical.TABLES:
                canonical.settle_numbers(connection, table, max(last, canonical.last_id(connection, table)))
        text = f"A damaged store was salvaged: {counts['messages']} messages; {adopted} sessions were remade."
        journal.write(
            connection, NewEntry("store.salvaged", damaged.path.name, text, before={"lost": lost}, after=counts)
        )
    unreadable = replace_unreadable(store)
    finish(rebuild(store))
    # Closed, the file is all there is: its log is folded in.
    store.close()
    return counts, lost, unreadable
