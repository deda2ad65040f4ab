"""An entry of the journal without the words that were forgotten. Pure.

It stays with its uid, its kind and its time, and says that something was forgotten; the words are gone, and with
them what an undo would bring back: an undo across it skips it.
"""

from collections.abc import Collection
from dataclasses import replace

from hermes_agent.records.archive import Json
from hermes_agent.records.changes import UNDONE, Change, change_of
from hermes_agent.records.journal import Entry, NewEntry

FORGOTTEN = "What this told was forgotten with its conversation."
SILENT = "forgotten"
"""Under it stands in an entry that its words are gone."""
EMPTY = "is_empty"
"""Under it stands that nothing is left of what a version said."""
FORGETTING = "forgetting"
"""Who takes out of notes what was forgotten: no undo brings it back."""
GONE = "memory.forgotten"
"""The kind of entries that tell that something was forgotten; an undo skips them."""
_WORDING = ("topic", "lines", "written_by")
"""What tells how a summary is worded."""
_KEPT = ("undoes", "part_of", "notes", "sources", EMPTY)
"""What else an entry tells that is no word of a conversation that is gone."""


def is_past_undo(entry: Entry) -> bool:
    """Tell whether an entry tells of a forgetting, or of a change of a note whose words were forgotten."""
    is_silent = isinstance(entry.after, dict) and entry.after.get(SILENT) is True
    is_note = entry.kind.startswith("note.") and entry.kind not in UNDONE
    return entry.kind == GONE or entry.actor == FORGETTING or (is_note and is_silent)


def without(entry: Entry, names: Collection[str]) -> Entry:
    """Return an entry that does not tell of some records."""
    return replace(entry, before=_side_without(entry.before, names), after=_side_without(entry.after, names))


def wordless(entry: Entry, names: Collection[str]) -> Entry:
    """Return an entry that does not tell what some summaries said; whether they stood it still tells."""
    sides = [_side_wordless(side, names) for side in (entry.before, entry.after)]
    left = replace(entry, before=sides[0], after=sides[1])
    change = change_of(left)
    empty = () if change is None else [name for name in names if not _tells_of(change, name)]
    return without(left, empty)


def silent(entry: Entry) -> Entry:
    """Return an entry without its words; how many changes an undo took back is no word of anybody."""
    text = entry.text if _is_of_several(entry) else FORGOTTEN
    after = {**_kept(entry.after), SILENT: True}
    return replace(entry, text=text, cause=_cause(entry), before=_kept(entry.before) or None, after=after)


def silent_new(entry: NewEntry) -> NewEntry:
    """Return an entry that is about to be written without its words."""
    subject = entry.session_id or "memory"
    return replace(entry, subject=subject, text=FORGOTTEN, cause=None, before=None, after={SILENT: True})


def _is_of_several(entry: Entry) -> bool:
    """Tell whether an entry tells an undo of several changes: that of one names it, and quotes it."""
    return entry.kind in UNDONE and entry.cause is None


def _cause(entry: Entry) -> str | None:
    """Return the cause if it names another entry: undos are told from it."""
    return entry.cause if entry.kind in UNDONE else None


def _side_without(side: Json, names: Collection[str]) -> Json:
    records = side.get("records") if isinstance(side, dict) else None
    if not isinstance(side, dict) or not isinstance(records, dict):
        return side
    left = {name: values for name, values in records.items() if name not in names}
    told = {name: value for name, value in side.items() if name != "records"}
    return {**told, "records": left} if left else told or None


def _side_wordless(side: Json, names: Collection[str]) -> Json:
    records = side.get("records") if isinstance(side, dict) else None
    if not isinstance(side, dict) or not isinstance(records, dict):
        return side
    left = {
        name: {field: value for field, value in values.items() if field not in _WORDING}
        if name in names and isinstance(values, dict)
        else values
        for name, values in records.items()
    }
    return {**side, "records": left}


def _tells_of(change: Change, name: str) -> bool:
    return bool(change.before.get(name) or change.after.get(name))


def _kept(side: Json) -> dict[str, Json]:
    told = side if isinstance(side, dict) else {}
    return {name: told[name] for name in (*_KEPT, "records") if name in told}
