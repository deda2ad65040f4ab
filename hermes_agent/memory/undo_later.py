"""What was changed after what is to be undone, as far as it matters to that.

It matters where it may build on it, and where it is an undo. Thousands of others are not read for it: they are
told apart by what is written in them, and the few that are left are looked at in earnest (`undo_order.py`).
"""

from collections.abc import Sequence

from hermes_agent.records.changes import UNDONE, change_of, meeting, undone_by
from hermes_agent.records.journal import Entry
from hermes_agent.store import journal
from hermes_agent.store.engine import Connection

_DECIDING = (*UNDONE, "note.abandoned")
"""The kinds of entries that say which others stand."""
_MOST = 50
"""For more strings than that reading everything is as quick."""


def later(connection: Connection, chosen: Sequence[Entry]) -> list[Entry]:
    """Return some changes with what since then decides whether they stand and can be undone, the newest first."""
    first = min(entry.id for entry in chosen) - 1
    changes = [change_of(entry) for entry in chosen]
    written = {one for change in changes if change is not None for one in meeting(change)}
    if len(written) > _MOST:
        return list(journal.changes_after(connection, first))
    found = {entry.id: entry for entry in chosen}
    found |= {entry.id: entry for entry in journal.touching(connection, first, written, _DECIDING)}
    # How far back an undo is in the way is told by what it took back.
    undone = {uid for entry in found.values() for uid in undone_by(entry)}
    found |= {entry.id: entry for entry in journal.of_uids(connection, undone) if entry.id > first}
    return [found[number] for number in sorted(found, reverse=True)]
