"""Forget a conversation: what was deleted with it does not live on in the journal, nor in what was made of it.

An entry that told of it stays with its uid, its kind and its time, and says that something was forgotten; the
words are gone, and with them what an undo would bring back: an undo across it skips it. Facts, notes and skills
are their owner's and stay, with their past. A lesson that another conversation taught, too, stays with that one.
"""

from collections.abc import Collection
from dataclasses import replace

from hermes_agent.memory.reflections import let_go
from hermes_agent.records.archive import Json
from hermes_agent.records.changes import UNDONE, change_of
from hermes_agent.records.journal import Entry
from hermes_agent.store import entities, entity_joins, journal, reflections, removing
from hermes_agent.store.engine import Connection, Engine

FORGOTTEN = "What this told was forgotten with its conversation."
_SPOKEN = ("reflection.", "learning.", "session.renamed", "skill.proposed")
"""Kinds of changes that hold words of the conversation they belong to."""
_KEPT = ("undoes", "part_of", "notes")
"""What else an entry tells that is no word of a conversation."""
_JOINED = "thing.joined"


def forget_session(connection: Connection, engine: Engine, session_id: str) -> int:
    """Delete a session and what it delegated with all that was said in them; return how many sessions went."""
    # Locked before the session is: whoever reflects on it does so in this order, too.
    reflections.lock(connection)
    entity_joins.lock(connection)
    going = removing.going(connection, session_id)
    taught = reflections.of_sessions(connection, going)
    named = entities.named_in(connection, going)
    removed = removing.remove(connection, engine, going)
    reflections.forget_brought(connection, [one.id for one in taught])
    if taught:
        reflections.mark_changed(connection)
    changed = let_go(connection, taught)
    _forget_history(connection, [one.name for one in changed])
    _forget_records(connection, {*(one.name for one in taught), *_taken_back(connection, going)})
    _forget_said(connection, going)
    unnamed = named - entities.known(connection, named)
    if unnamed:
        _forget_things(connection, unnamed)
    return removed


def _taken_back(connection: Connection, session_ids: Collection[str]) -> set[str]:
    """Return the names of records of conversations that only the journal knows any more: they were undone."""
    changes = (change_of(entry) for entry in journal.naming(connection, session_ids))
    sides = [side for change in changes if change is not None for side in (change.before, change.after)]
    return {name for side in sides for name, one in side.items() if one.get("session_id") in session_ids}


def _forget_history(connection: Connection, names: Collection[str]) -> None:
    """Let the past of records that forgetting itself has changed begin anew: no undo leads back over it."""
    for entry in journal.naming(connection, names):
        journal.put(connection, _without(entry, names))


def _forget_records(connection: Connection, names: Collection[str]) -> None:
    """Forget what entries tell of records that are gone, and the words of those entries."""
    # Those whose past began anew are in no entry any more, but entries are about them.
    about = [one for name in names for one in journal.about(connection, name)]
    for entry in {one.id: one for one in (*journal.naming(connection, names), *about)}.values():
        journal.put(connection, _silent(_without(entry, names)))


def _forget_said(connection: Connection, session_ids: Collection[str]) -> None:
    """Forget what entries quote of conversations; what they did to records stays."""
    of_sessions = [one for session_id in session_ids for one in journal.of_session(connection, session_id)]
    about = [one for session_id in session_ids for one in journal.about(connection, session_id)]
    for entry in (*of_sessions, *about):
        if entry.kind.startswith(_SPOKEN):
            journal.put(connection, _silent(entry))
    for entry in journal.naming(connection, session_ids):
        told = entry.after if isinstance(entry.after, dict) else {}
        if told.get("session") in session_ids and entry.kind.startswith("skill."):
            is_version = change_of(entry) is not None
            silent = _silent(entry)
            journal.put(connection, replace(silent, text=entry.text) if is_version else silent)


def _forget_things(connection: Connection, keys: Collection[str]) -> None:
    """Forget spellings that were joined, and taken apart, of things that nothing names any more."""
    gone = [one for one in entity_joins.every(connection) if one.alias in keys or one.key in keys]
    if gone:
        entity_joins.change(connection, removed=gone)
    for entry in journal.of_kinds(connection, (_JOINED, *UNDONE)):
        change = change_of(entry)
        sides = {} if change is None else {**change.before, **change.after}
        names = [name for name, one in sides.items() if one.get("alias") in keys or one.get("key") in keys]
        if names:
            silent = _silent(_without(entry, names))
            journal.put(connection, replace(silent, subject="memory"))


def _without(entry: Entry, names: Collection[str]) -> Entry:
    """Return an entry that does not tell of some records."""
    return replace(entry, before=_side_without(entry.before, names), after=_side_without(entry.after, names))


def _side_without(side: Json, names: Collection[str]) -> Json:
    records = side.get("records") if isinstance(side, dict) else None
    if not isinstance(side, dict) or not isinstance(records, dict):
        return side
    left = {name: values for name, values in records.items() if name not in names}
    told = {name: value for name, value in side.items() if name != "records"}
    return {**told, "records": left} if left else told or None


def _silent(entry: Entry) -> Entry:
    """Return an entry without its words; how many changes an undo took back is no word of anybody."""
    text = entry.text if entry.subject == "memory" else FORGOTTEN
    after = {**_kept(entry.after), "forgotten": True}
    return replace(entry, text=text, cause=_cause(entry), before=_kept(entry.before) or None, after=after)


def _cause(entry: Entry) -> str | None:
    """Return the cause if it names another entry: undos are told from it."""
    return entry.cause if entry.kind in UNDONE else None


def _kept(side: Json) -> dict[str, Json]:
    told = side if isinstance(side, dict) else {}
    return {name: told[name] for name in (*_KEPT, "records") if name in told}
