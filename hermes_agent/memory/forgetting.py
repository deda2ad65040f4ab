"""Forget a conversation: what was deleted with it does not live on in the journal, nor in what was made of it.

Entries that told of it are silent since (`forgotten.py`). Facts, notes and the owner's skills stay, with their
past; learned skills lose what only it taught (`skill_forgetting.py`). A lesson that another conversation taught,
too, stays with that one.
"""

from collections.abc import Collection
from dataclasses import replace

from hermes_agent.memory import skill_forgetting
from hermes_agent.memory.forgotten import silent, without
from hermes_agent.memory.reflections import let_go
from hermes_agent.records.changes import UNDONE, change_of
from hermes_agent.store import entities, entity_joins, journal, reflections, removing, skills
from hermes_agent.store.engine import Connection, Engine

_SPOKEN = ("reflection.", "learning.", "session.renamed", "skill.proposed")
"""Kinds of changes that hold words of the conversation they belong to."""
_JOINED = "thing.joined"


def forget_session(connection: Connection, engine: Engine, session_id: str) -> int:
    """Delete a session and what it delegated with all that was said in them; return how many sessions went."""
    # Locked before the session is: whoever reflects on it does so in this order, too.
    reflections.lock(connection)
    skills.lock(connection)
    entity_joins.lock(connection)
    going = removing.going(connection, session_id)
    taught = reflections.of_sessions(connection, going)
    named = entities.named_in(connection, going)
    removed = removing.remove(connection, engine, going)
    reflections.forget_brought(connection, [one.id for one in taught])
    if taught:
        reflections.mark_changed(connection)
    skill_forgetting.forget(connection, journal.naming(connection, going))
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
        journal.put(connection, without(entry, names))


def _forget_records(connection: Connection, names: Collection[str]) -> None:
    """Forget what entries tell of records that are gone, and the words of those entries."""
    # Those whose past began anew are in no entry any more, but entries are about them.
    about = [one for name in names for one in journal.about(connection, name)]
    for entry in {one.id: one for one in (*journal.naming(connection, names), *about)}.values():
        journal.put(connection, silent(without(entry, names)))


def _forget_said(connection: Connection, session_ids: Collection[str]) -> None:
    """Forget what entries quote of conversations; what they did to records stays."""
    of_sessions = [one for session_id in session_ids for one in journal.of_session(connection, session_id)]
    about = [one for session_id in session_ids for one in journal.about(connection, session_id)]
    for entry in (*of_sessions, *about):
        if entry.kind.startswith(_SPOKEN):
            journal.put(connection, silent(entry))
    for entry in journal.naming(connection, session_ids):
        told = entry.after if isinstance(entry.after, dict) else {}
        if told.get("session") in session_ids and entry.kind.startswith("skill."):
            is_version = change_of(entry) is not None
            left = silent(entry)
            journal.put(connection, replace(left, text=entry.text) if is_version else left)


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
            journal.put(connection, replace(silent(without(entry, names)), subject="memory"))
