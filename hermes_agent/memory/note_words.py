"""What a change of a note is called in the journal, and what of it is kept there."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.notes import format, patch
from hermes_agent.records.archive import Json
from hermes_agent.records.notes import SUBJECTS, Note
from hermes_agent.text.clean import preview


@dataclass(frozen=True, slots=True)
class Difference:
    """What is different between two texts of a note: whole entries, or the texts where there are none."""

    note: Note
    before: str
    after: str

    @property
    def removed(self) -> list[str]:
        return patch.added(self._entries(self.after), self._entries(self.before))

    @property
    def added(self) -> list[str]:
        return patch.added(self._entries(self.before), self._entries(self.after))

    def kept(self) -> tuple[Json, Json]:
        """Return what the journal keeps as before and after: only the entries that changed."""
        if self.note in ("memory", "user"):
            return self.removed, self.added
        return self.before, self.after

    def change(self) -> str:
        """Say in a sentence what a change did."""
        name, removed, added = SUBJECTS[self.note], self.removed, self.added
        if self.note not in ("memory", "user"):
            return f"{name} was written: {len(self.after):,} characters."
        match removed, added:
            case [], [entry]:
                return f"Added to {name}: {preview(entry)}"
            case [entry], []:
                return f"Removed from {name}: {preview(entry)}"
            case [old], [new]:
                return f"Replaced in {name}: {preview(old)} → {preview(new)}"
        return f"Changed {name}: {self._counts()}."

    def edit(self) -> str:
        """Say in a sentence what the owner did by hand."""
        name = SUBJECTS[self.note]
        if self.note in ("memory", "user"):
            return f"{name} was edited by hand: {self._counts()}."
        return f"{name} was edited by hand: {len(self.before):,} → {len(self.after):,} characters."

    def _counts(self) -> str:
        if not self.added and not self.removed:
            return "only its layout changed"
        return f"{_entries(self.added)} added, {len(self.removed)} removed"

    def _entries(self, text: str) -> list[str]:
        return format.parse(text)


def found(note: Note, text: str) -> str:
    """Say that a file was there before anything was known of it."""
    what = _entries(format.parse(text)) if note in ("memory", "user") else f"{len(text):,} characters"
    return f"{SUBJECTS[note]} was found with {what}."


def _entries(entries: Sequence[str]) -> str:
    return "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
