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


def full_notes(notebook: Notebook) -> list[FullNote]:
    """Return the notes that are nearly full; one that cannot be read is told elsewhere."""
    found = []
    for target, limit in sorted(notebook.limits.items()):
        try:
            characters = len(format.render(notebook.entries(target)))
        except HermesError:
            continue
        if format.is_nearly_full(characters, limit):
            found.append(FullNote(target, characters, limit))
    return found


def proposed(note: FullNote) -> str:
    """Ask the owner to tidy a note that fills up."""
    room = f"{note.characters:,} of {note.limit:,} characters"
    return f"{note.subject} is {note.percent} % full ({room}); tidy it: hermes notes edit -t {note.target}"
