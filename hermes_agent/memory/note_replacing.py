"""Write a whole note in the place of the one that its owner saw: for editing it elsewhere than in its file."""

from hermes_agent.errors import ChangedMeanwhile, HermesError, UsageError
from hermes_agent.memory import blocked, note_grounds
from hermes_agent.memory.note_words import Difference
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import contents, format, snapshot
from hermes_agent.notes.files import Text, Unreadable
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import SUBJECTS, Note, Written

LONGEST = 200_000
"""Characters; of a free text, all of them are in every prompt."""


def replace(notebook: Notebook, note: Note, expected: str, text: str, *, cause: str | None = None) -> Written:
    """Let a text take the place of the `expected` one; refuse if the note says something else by now.

    Of a note with entries only the new ones are looked at: what its owner wrote by hand stays theirs.
    """
    text = _clean(notebook, note, expected, text)
    kept = notebook.kept(note)
    with kept.held():
        settled = kept.settle()
        if isinstance(settled, Unreadable):
            raise HermesError(kept.file.unreadable(settled), hint="Mend it by hand; nothing is written over it.")
        if settled.text != expected:
            raise ChangedMeanwhile(f"{kept.name} was changed meanwhile.", hint="Look at it again, then change it.")
        warnings = snapshot.warnings_of(kept.file, Text(text)) if note in ("soul", "workspace") else []
        if text == settled.text:
            return Written(note, f"{kept.name} says exactly this already.", warnings)
        difference = Difference(note, settled.text, text)
        before, after = difference.kept()
        entry = NewEntry("note.changed", kept.name, difference.change(), cause=cause, before=before, after=after)
        grounds = dict.fromkeys(difference.added, note_grounds.BY_HAND) if notebook.limit(note) else None
        entry_uid = kept.put(settled, text, entry, grounds=grounds)
    if entry_uid is None:
        raise ChangedMeanwhile(f"{kept.name} was changed meanwhile.", hint="Look at it again, then change it.")
    return Written(note, difference.change(), warnings, entry_uid)


def _clean(notebook: Notebook, note: Note, expected: str, text: str) -> str:
    """Return what is to be written, or say why it cannot be."""
    text = text.replace("\r\n", "\n")
    if len(text) > LONGEST:
        raise UsageError(f"A note has at most {LONGEST:,} characters; this one has {len(text):,}.")
    limit = notebook.limit(note)
    if limit is None:
        refused = contents.unwritable(text)
        if refused is not None:
            raise UsageError(refused.error, hint=refused.advice)
        return text
    entries = format.unique(format.parse(text))
    if (size := format.size(entries)) > limit and size > format.size(format.parse(expected)):
        raise UsageError(
            f"{SUBJECTS[note]} would have {size:,} of {limit:,} characters.", hint="Shorten or remove an entry."
        )
    for entry in Difference(note, expected, format.render(entries)).added:
        refused = contents.problem(entry)
        if refused is not None:
            raise UsageError(refused.error, hint=refused.advice)
        with notebook.store.read() as connection:
            blocked.refuse(connection, entry)
    return format.render(entries)
