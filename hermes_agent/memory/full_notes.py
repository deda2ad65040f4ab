"""Notes that fill up: their owner is asked to tidy them; nobody else rewrites them."""

from dataclasses import dataclass

from hermes_agent.errors import HermesError
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import format
from hermes_agent.records.notes import SUBJECTS, Target


@dataclass(frozen=True, slots=True)
class FullNote:
    """A note that fills up: its owner is asked to tidy it."""

    target: Target
    characters: int
    limit: int

    @property
    def subject(self) -> str:
        return SUBJECTS[self.target]

    @property
    def percent(self) -> int:
        return format.percent(self.characters, self.limit)


@dataclass(frozen=True, slots=True)
class UnreadNote:
    """A note that could not be read, so nobody knows how full it is."""

    target: Target
    error: HermesError


def full_notes(notebook: Notebook) -> list[FullNote | UnreadNote]:
    """Return the notes that are nearly full, or cannot be read."""
    found: list[FullNote | UnreadNote] = []
    for target, limit in sorted(notebook.limits.items()):
        try:
            characters = len(format.render(notebook.entries(target)))
        except HermesError as error:
            found.append(UnreadNote(target, error))
            continue
        if format.is_nearly_full(characters, limit):
            found.append(FullNote(target, characters, limit))
    return found


def proposed(note: FullNote | UnreadNote) -> str:
    """Ask the owner to tidy a note that fills up, or to mend one that cannot be read."""
    if isinstance(note, UnreadNote):
        return f"{note.error.message} {note.error.hint or ''}".strip()
    room = f"{note.characters:,} of {note.limit:,} characters"
    return f"{note.subject} is {note.percent} % full ({room}); tidy it: hermes notes edit -t {note.target}"
