"""Write a note whole, for its owner who looked at it: what somebody else wrote meanwhile is never overwritten.

The agent changes entries one by one (`Notebook.change`); an owner who has the whole text in front of them sends
the whole text back. What is new in it is looked at as an added entry is, and the limit counts.
"""

from collections.abc import Sequence

from hermes_agent.errors import ChangedMeanwhile, HermesError, UsageError
from hermes_agent.memory import blocked, note_grounds
from hermes_agent.memory.note_words import Difference
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import contents, format, snapshot
from hermes_agent.notes.files import Text, Unreadable
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import Note, Refused, Written
from hermes_agent.text.clean import unix

LONGEST = 200_000
"""Characters; of a free text, all of them are in every prompt."""


def write(notebook: Notebook, note: Note, expected: str, text: str, *, cause: str | None = None) -> Written:
    """Put a text in the place of `expected`; ChangedMeanwhile if the note says something else."""
    kept = notebook.kept(note)
    with kept.held():
        while True:
            settled = kept.settle()
            if isinstance(settled, Unreadable):
                raise HermesError(kept.file.unreadable(settled), hint="Mend or remove the file first.")
            if settled.text != expected:
                raise ChangedMeanwhile(
                    f"{kept.name} was changed meanwhile.", hint="Look at it again, then change it."
                )
            new = _formed(notebook, note, settled.text, text)
            warnings = [] if kept.has_entries else snapshot.warnings_of(kept.file, Text(new))
            if new == settled.text:
                return Written(note, f"{kept.name} says exactly this already.", warnings)
            difference = Difference(note, settled.text, new)
            before, after = difference.kept()
            entry = NewEntry(
                "note.changed", kept.name, difference.change(), cause=cause, before=before, after=after
            )
            grounds = dict.fromkeys(difference.added, note_grounds.BY_HAND) if kept.has_entries else None
            entry_uid = kept.put(settled, new, entry, grounds=grounds)
            if entry_uid is not None:
                return Written(note, difference.change(), warnings, entry_uid)


def _formed(notebook: Notebook, note: Note, former: str, text: str) -> str:
    """Return a text as it is written; UsageError says why it may not be."""
    if len(text) > LONGEST:
        raise UsageError(f"A note has at most {LONGEST:,} characters; this one has {len(text):,}.")
    text = unix(text)
    limit = notebook.limit(note)
    if limit is None:
        _require_new(notebook, [text])
        _allow(contents.unwritable(text))
        return text
    before, entries = format.unique(format.parse(former)), format.unique(format.parse(text))
    new = [entry for entry in entries if entry not in before]
    for entry in new:
        _allow(contents.problem(entry))
    _require_new(notebook, new)
    size = format.size(entries)
    if size > limit and size > format.size(before):
        raise UsageError(
            f"That is {size:,} characters; {notebook.kept(note).name} holds at most {limit:,}.",
            hint="Shorten or remove an entry.",
        )
    return format.render(entries)


def _allow(refused: Refused | None) -> None:
    if refused is not None:
        raise UsageError(refused.error, hint=refused.advice or None)


def _require_new(notebook: Notebook, texts: Sequence[str]) -> None:
    with notebook.store.read() as connection:
        for text in texts:
            blocked.refuse(connection, text)
