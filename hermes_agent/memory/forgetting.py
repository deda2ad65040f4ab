"""Forget conversations: what was deleted with them does not live on in the journal, nor in what was made of it.

Entries that told of them are silent since (`forgotten.py`). Facts, notes and the owner's skills stay, with their
past; learned skills lose what only these taught (`skill_forgetting.py`). A lesson that another conversation
taught, too, stays with that one. Many are forgotten together: what is read for one is read for all of them.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from hermes_agent.memory import forget_told, skill_forgetting
from hermes_agent.memory.forgotten import FORGOTTEN, SILENT, silent, without, wordless
from hermes_agent.memory.reflections import let_go
from hermes_agent.records.archive import Message
from hermes_agent.records.changes import UNDONE, change_of, told_in
from hermes_agent.records.journal import Entry
from hermes_agent.records.reflections import Reflection
from hermes_agent.store import (
    entities,
    entity_joins,
    journal,
    learned,
    messages,
    reflections,
    removing,
    skills,
    summaries,
)
from hermes_agent.store.engine import Connection, Engine

_SPOKEN = ("reflection.", "learning.", "session.renamed", "skill.proposed")
"""Kinds of changes that hold words of the conversation they belong to."""
_JOINED = "thing.joined"
SUMMARY_EDITED = "summary.edited"
"""The kind of entries that tell how the owner changed a summary, with every line there was."""
TOLD = "sessions"
"""What such an entry names the conversations under that those lines told of."""


def forget_sessions(connection: Connection, engine: Engine, session_ids: Sequence[str]) -> int:
    """Delete sessions and what they delegated with all that was said in them; return how many sessions went."""
    # Locked before the sessions are: whoever reflects on one does so in this order, too.
    reflections.lock(connection)
    summaries.lock(connection)
    skills.lock(connection)
    entity_joins.lock(connection)
    going = removing.going(connection, session_ids)
    taught = reflections.of_sessions(connection, going)
    named = entities.named_in(connection, going)
    removed = removing.remove(connection, engine, going)
    # All changes are read for it: once for all of them.
    told = journal.naming(connection, going)
    skill_forgetting.forget(connection, told)
    forget_lessons(connection, taught, _taken_back(told, set(going)))
    _forget_said(connection, going, [entry.id for entry in told])
    _forget_wordings(connection, set(going))
    unnamed = named - entities.known(connection, named)
    if unnamed:
        _forget_things(connection, unnamed)
    return removed


def forget_taken_back(connection: Connection, session_id: str, taken: Sequence[Message]) -> None:
    """Forget what messages of a session taught that were taken back; a task that stays is reflected on anew."""
    if not taken:
        return
    uids, since = {one.uid for one in taken}, min(one.said_at for one in taken)
    lessons = reflections.of_sessions(connection, [session_id])
    taught = [one for one in lessons if one.message_uid in uids]
    # A word on a task that stays. What its owner deleted would come back.
    revised = [one for one in lessons if one not in taught and one.ended_at >= since and one.state != "deleted"]
    if taught or revised:
        reflections.remove(connection, [one.id for one in (*taught, *revised)])
        forget_lessons(connection, [*taught, *revised], ())
    _forget_wordings(connection, {session_id})
    asked = messages.by_uids(connection, [one.message_uid for one in revised])
    if asked:
        first = min(one.id for one in asked.values())
        learned.set_reached(connection, session_id, first - 1, "reflected_to")


def forget_lessons(connection: Connection, taught: Sequence[Reflection], undone: Collection[str]) -> None:
    """Forget lessons that are gone; `undone` are the names of those that only the journal knew any more."""
    reflections.forget_brought(connection, [one.id for one in taught])
    if taught:
        reflections.mark_changed(connection)
    changed = let_go(connection, taught)
    _forget_history(connection, [one.name for one in changed])
    forget_records(connection, {*(one.name for one in taught), *undone})


def _taken_back(told: Iterable[Entry], session_ids: Collection[str]) -> set[str]:
    """Return the names of records of conversations that only the journal knows any more: they were undone."""
    changes = [change for entry in told if (change := change_of(entry)) is not None]
    sides = [side for change in changes for side in (change.before, change.after)]
    return {name for side in sides for name, one in side.items() if one.get("session_id") in session_ids}


def _forget_history(connection: Connection, names: Collection[str]) -> None:
    """Let the past of records that forgetting itself has changed begin anew: no undo leads back over it."""
    journal.put(connection, *(without(entry, names) for entry in journal.naming(connection, names)))


def forget_records(connection: Connection, names: Collection[str]) -> None:
    """Forget what entries tell of records that are gone, and the words of those entries.

    One that tells how another record came, by which these only ended, keeps its words: they are of the other.
    """
    # Those whose past began anew are in no entry any more, but entries are about them.
    about = journal.of_subjects(connection, sorted(names)) if names else []
    told = {one.id: one for one in (*journal.naming(connection, names), *about)}
    journal.put(connection, *(_left_of(entry, names) for entry in told.values()))


def _left_of(entry: Entry, names: Collection[str]) -> Entry:
    left = without(entry, names)
    return left if forget_told.is_of_another(entry, names) else silent(left)


def forget_entry(connection: Connection, entry: Entry) -> None:
    """Forget what one entry tells, its records among it."""
    change = change_of(entry)
    left = silent(without(entry, () if change is None else change.names))
    kept = {SILENT: True}
    journal.put(connection, replace(left, text=FORGOTTEN, cause=None, before=None, after=kept))


def _forget_said(connection: Connection, session_ids: Collection[str], naming: Sequence[int]) -> None:
    """Forget what entries quote of conversations; what they did to records stays.

    `naming` are the entries that name one of them.
    """
    spoken = [one for one in journal.of_sessions(connection, session_ids) if one.kind.startswith(_SPOKEN)]
    journal.put(connection, *map(silent, spoken))
    known, left = set(session_ids), []
    for entry in journal.get_many(connection, naming):
        if told_in(entry, "session") in known and entry.kind.startswith("skill."):
            is_version = change_of(entry) is not None
            left.append(replace(silent(entry), text=entry.text) if is_version else silent(entry))
    journal.put(connection, *left)


def _forget_wordings(connection: Connection, session_ids: set[str]) -> None:
    """Forget how summaries were worded that told of conversations; no undo brings back what it says no more."""
    edited = {
        entry.subject
        for entry in journal.of_kinds(connection, [SUMMARY_EDITED])
        if isinstance(told := told_in(entry, TOLD), list) and not session_ids.isdisjoint(told)
    }
    found = journal.naming(connection, edited) if edited else []
    worded = [(entry, wordless(entry, edited)) for entry in found]
    journal.put(connection, *(silent(left) for entry, left in worded if left != entry))


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
