"""What can be undone, and how a person names it.

Notes, facts, reflections, skills and summaries can be undone: their entries tell what they did to records
(`records/changes.py`, `store/touched.py`) or which versions they made.
"""

import re

from hermes_agent.memory import numbers
from hermes_agent.memory.forgotten import is_past_undo
from hermes_agent.memory.note_past import UNDOABLE
from hermes_agent.records.changes import UNDONE, change_of, told_in
from hermes_agent.records.journal import Entry
from hermes_agent.records.notes import Refused
from hermes_agent.records.summaries import summary_name
from hermes_agent.store import journal
from hermes_agent.store.engine import Connection
from hermes_agent.store.journal import Numbers

COMPRESSED = "memory.compressed"
"""The kind of entries that tell what a summary stands for."""
DISCARDED = "memory.discarded"
"""The kind of entries that tell of a summary whose messages were discarded: nothing brings them back."""
COMPACTION = "compaction"
"""What such an entry names the run by that made it."""
IMPORTED = "memory.imported"
"""The kind of entries that tell that a memory was joined with this one."""
CAME = "entries"
"""What such an entry names the first and the last number by of what came into the journal."""
NUMBER = re.compile("[1-9][0-9]{0,17}")
_SUMMARY = "summary:"


def can_be_undone(entry: Entry) -> bool:
    """Tell whether an entry is of a change, or of an undo."""
    if is_past_undo(entry):
        return False
    return change_of(entry) is not None or entry.kind in UNDOABLE or entry.kind in UNDONE


def is_change(entry: Entry) -> bool:
    """Tell whether an entry is of a change that is no undo."""
    return entry.kind not in UNDONE and can_be_undone(entry)


def came(connection: Connection) -> Numbers:
    """Return the numbers of entries that came from other homes: they tell what was done there, not here."""
    spans = [told_in(one, CAME) for one in journal.of_kinds(connection, [IMPORTED])]
    return Numbers([(one[0], one[1]) for one in spans if isinstance(one, list) and len(one) == 2])


def find(connection: Connection, typed: str) -> Entry | Refused:
    """Return the entry that a person names by its number, its uid or the beginning of that, or by its summary."""
    name = typed.strip().lower().removeprefix("entry:")
    if name.startswith(_SUMMARY):
        made = journal.recent(connection, 1, kind=COMPRESSED, subject=summary_name(numbers.read(name, "summary")))
        return made[0] if made else Refused("no_match", f"{typed.strip()!r} is no summary that can be undone.")
    # A uid of our time begins with a zero.
    is_number = NUMBER.fullmatch(name) is not None
    found = journal.get_many(connection, [int(name)]) if is_number else []
    found = found or journal.beginning(connection, name.replace("-", ""))
    if len(found) == 1:
        return found[0]
    what = "is the beginning of several changes" if found else "is no change"
    return Refused("no_match", f"{typed.strip()!r} {what}. `hermes memory log` lists them.")


def of_compaction(connection: Connection, run: str) -> list[Entry]:
    """Return what a compaction did, by the uid of its run, the newest first."""
    return [one for one in journal.of_kinds(connection, [COMPRESSED]) if told_in(one, COMPACTION) == run]
