"""Undo changes of memory: what they did to notes and facts is taken back together, journalled as one change.

What is to be undone is chosen first (`undo_choice.py`). Facts are put back and the notes' new texts are written
down in one transaction; then the files get their texts. A process that is killed in between leaves that to the
next one, as with every change of a note. What a later change makes impossible is refused, and nothing written.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from hermes_agent.memory import note_past
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.embedding import own_fingerprint
from hermes_agent.memory.kept_note import Settled
from hermes_agent.memory.naming import named_in
from hermes_agent.memory.note_words import Difference
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.undo_choice import Choice, Wanted, choose
from hermes_agent.notes.files import Unreadable, digest
from hermes_agent.records.changes import (
    SEVERAL,
    Change,
    Undone,
    between,
    change_of,
    described,
    discarded_in,
    forgotten,
    lasting,
    misfit,
    take_back,
    taken_back,
    without,
)
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.records.notes import SUBJECTS, Note, Refused
from hermes_agent.store import (
    entities,
    entity_joins,
    facts,
    jobs,
    journal,
    reflections,
    skills,
    summaries,
    touched,
    undone_facts,
)
from hermes_agent.store import notes as versions
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Changes to be undone, and what each of them did to notes."""

    choice: Choice
    of_notes: Sequence[note_past.Chosen]

    @property
    def entries(self) -> Sequence[Entry]:
        return self.choice.entries

    @property
    def notes(self) -> list[Note]:
        return sorted({chosen.version.note for chosen in self.of_notes})


@dataclass(frozen=True, slots=True)
class _PutBack:
    """What taking changes back did to records; `kept` are the uids of those that are past taking back."""

    change: Change
    kept: Collection[str]


@dataclass(frozen=True, slots=True)
class _Written:
    """An undo that is in the store: what the files must hold now, each with its version."""

    undone: Undone
    texts: Mapping[Note, tuple[str, str]]


def undo(notebook: Notebook, wanted: Wanted) -> Undone | Refused:
    """Take changes back, all or none; what an undo did is done again by undoing it."""
    while True:
        with notebook.store.read() as connection:
            chosen = _choose(connection, wanted)
        if isinstance(chosen, Refused):
            return chosen
        with ExitStack() as held:
            for note in chosen.notes:
                held.enter_context(notebook.kept(note).held())
            outcome = _undo(notebook, wanted, chosen)
        if outcome is not None:
            return outcome


def _choose(connection: Connection, wanted: Wanted) -> _Chosen | Refused:
    choice = choose(connection, wanted)
    if isinstance(choice, Refused):
        return choice
    return _Chosen(choice, note_past.made_by(connection, [entry.uid for entry in choice.entries]))


def _undo(notebook: Notebook, wanted: Wanted, chosen: _Chosen) -> Undone | Refused | None:
    """Try once, while the notes are held; None if something else was changed meanwhile."""
    settled: dict[Note, Settled] = {}
    for note in chosen.notes:
        kept = notebook.kept(note)
        found = kept.settle()
        if isinstance(found, Unreadable):
            return Refused("unreadable", kept.file.unreadable(found))
        settled[note] = found
    with notebook.store.write() as connection:
        facts.lock(connection)
        reflections.lock(connection)
        summaries.lock(connection)
        versions.lock(connection)
        skills.lock(connection)
        entity_joins.lock(connection)
        if _choose(connection, wanted) != chosen:
            return None
        if not all(notebook.kept(note).is_at(connection, one.version) for note, one in settled.items()):
            return None
        written = _write(connection, notebook, chosen, {note: one.text for note, one in settled.items()})
    if isinstance(written, Refused):
        return written
    for note, (version_uid, text) in written.texts.items():
        notebook.kept(note).carry_out(version_uid, text, written.undone.entry_uid)
    return written.undone


def _write(
    connection: Connection, notebook: Notebook, chosen: _Chosen, texts: Mapping[Note, str]
) -> _Written | Refused:
    new_texts = _texts_without(connection, notebook, chosen.of_notes, texts)
    if isinstance(new_texts, Refused):
        return new_texts
    put_back = _put_back(connection, notebook.store, chosen.entries)
    if isinstance(put_back, Refused):
        return put_back
    change = put_back.change
    if not change.names and not new_texts:
        return Refused("superseded", "There is nothing to undo: memory is already as it was.")
    of_notes = {one.version.entry_uid for one in chosen.of_notes}
    skipped = [one for one in chosen.entries if one.uid in put_back.kept and one.uid not in of_notes]
    entries = [one for one in chosen.entries if one not in skipped]
    differences = [Difference(note, texts[note], text) for note, text in new_texts.items()]
    entry_uid = journal.write(connection, _entry(entries, change, differences))
    undone_facts.remember(connection, entry_uid, change)
    added = {
        note: (versions.add(connection, note, text, digest(text), "intended", entry_uid), text)
        for note, text in new_texts.items()
    }
    past = [*chosen.choice.skipped, *skipped]
    return _Written(Undone(entries, entry_uid, chosen.choice.turn, chosen.choice.also, past), added)


def _texts_without(
    connection: Connection,
    notebook: Notebook,
    of_notes: Sequence[note_past.Chosen],
    texts: Mapping[Note, str],
) -> dict[Note, str] | Refused:
    """Return the texts of the notes without the changes."""
    result = dict(texts)
    for chosen in of_notes:
        note = chosen.version.note
        text = note_past.without(chosen, result[note], notebook.limit(note))
        if isinstance(text, Refused):
            later = note_past.in_the_way(connection, chosen, notebook.limit(note))
            return (
                text if later is None else replace(text, error=f"{text.error} The later change: {later.summary}")
            )
        result[note] = text
    return {note: text for note, text in result.items() if text != texts[note]}


def _put_back(connection: Connection, store: Store, entries: Sequence[Entry]) -> _PutBack | Refused:
    """Put facts and disputes back as they were before the changes."""
    changes = {entry.uid: change for entry in entries if (change := change_of(entry)) is not None}
    now = touched.present(connection, {name for change in changes.values() for name in change.names})
    former = dict(now)
    kept: set[str] = set()
    for uid, told in changes.items():
        change = without(told, forgotten(told, former))
        name = misfit(change, former)
        if name is not None:
            return Refused(
                "superseded",
                f"It cannot be undone: {name} is not as that change left it, and the journal does not say why.",
            )
        take_back(change, former)
        kept.update(() if change.names else (uid,))
    back = between(now, former)
    discarded = [summary for change in changes.values() for summary in discarded_in(change, now)]
    if discarded and not back.names:
        return Refused("superseded", f"It cannot be undone: the messages behind {discarded[0]} were discarded.")
    orphan = touched.orphan(connection, back)
    if orphan is not None:
        return Refused("superseded", f"It cannot be undone: the conversation of {orphan} was deleted since.")
    taken = touched.taken(connection, back)
    if taken is not None:
        return Refused("superseded", f"It cannot be undone: another skill {taken} was made since.")
    restored = touched.make(connection, store.engine, back, _own_fingerprint(connection, back))
    entities.link(connection, "fact", {fact.id: named_in([fact.text]) for fact in restored.indexed})
    if restored.is_wanting:
        jobs.add(connection, EMBED, EMBED)
    return _PutBack(back, kept)


def _own_fingerprint(connection: Connection, change: Change) -> int | None:
    is_of_episodes = any(name.startswith("episode:") for name in change.names)
    return own_fingerprint(connection) if is_of_episodes else None


def _entry(entries: Sequence[Entry], change: Change, differences: Sequence[Difference]) -> NewEntry:
    """Tell an undo: of one change of a note as that is told, of anything else with all it took back."""
    one = entries[0] if len(entries) == 1 else None
    text = f"Undone: {_counted(len(lasting(entries)))}." if one is None else taken_back(one)
    subject, cause = (SEVERAL, None) if one is None else (one.subject, one.uid)
    if one is not None and not change.names and len(differences) == 1:
        before, after = differences[0].kept()
        return NewEntry("note.undone", subject, text, cause=cause, before=before, after=after)
    kept = {SUBJECTS[each.note]: each.kept() for each in differences}
    told = {"undoes": [entry.uid for entry in entries]}
    entry = NewEntry(
        _kind(change.names, has_notes=bool(kept)),
        subject,
        text,
        cause=cause,
        before={"notes": {name: sides[0] for name, sides in kept.items()}} if kept else None,
        after={**told, "notes": {name: sides[1] for name, sides in kept.items()}} if kept else told,
    )
    return described(entry, change)


def _kind(names: Collection[str], *, has_notes: bool) -> str:
    """Return the kind of an undo: of facts, of notes, or of more than that."""
    if not names:
        return "note.undone"
    is_of_facts = all(name.startswith(("fact:", "dispute:")) for name in names)
    return "fact.undone" if is_of_facts and not has_notes else "memory.undone"


def _counted(number: int) -> str:
    return "1 change" if number == 1 else f"{number} changes"
