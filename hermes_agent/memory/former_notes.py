"""Notes at the place where early guides put them, the home itself: moved, and a link left behind.

Everything can be cut short and begun again: the entries are in the new file before the old one goes.
"""

from pathlib import Path

from hermes_agent.memory.kept_note import PROGRAM, KeptNote
from hermes_agent.memory.note_words import Difference
from hermes_agent.notes import format
from hermes_agent.notes.files import NoteFile, Unreadable, leave_link
from hermes_agent.records.journal import NewEntry


def move_former(former: Path, kept: KeptNote) -> list[str]:
    """Bring the entries of a former note into its file, whose place a link then tells; say what was done."""
    if not _is_former(former, kept.file.path):
        return []
    with kept.held():
        while _is_former(former, kept.file.path):
            sentences = _move(former, kept)
            if sentences is not None:
                return sentences
    return []


def _is_former(former: Path, target: Path) -> bool:
    """Tell whether a file is there that is not the note itself; a link that leads nowhere is none."""
    return former.exists() and former.resolve() != target.resolve()


def _move(former: Path, kept: KeptNote) -> list[str] | None:
    """Move once; None if another machine changed the note meanwhile."""
    old = NoteFile(former, former.name)
    read = old.read()
    if isinstance(read, Unreadable):
        return [old.unreadable(read)]
    if former.is_symlink() and not kept.file.path.exists():
        # The owner keeps the file elsewhere: it stays there, and the new place leads to it too.
        kept.file.path.symlink_to(former.resolve())
    settled = kept.settle()
    if isinstance(settled, Unreadable):
        return [kept.file.unreadable(settled)]
    place = f"{kept.file.path.parent.name}/{kept.file.path.name}"
    ours, theirs = format.parse(settled.text), format.parse(read.text)
    text = format.render(format.unique([*ours, *theirs])) if ours else read.text
    sentence = f"{former.name} was moved to {place}."
    if ours and set(theirs) - set(ours):
        sentence = f"The entries of {former.name} were added to {place}."
    if format.parse(text) != format.unique(ours):
        before, after = Difference(kept.note, settled.text, text).kept()
        entry = NewEntry("note.moved", kept.name, sentence, actor=PROGRAM, before=before, after=after)
        if kept.put(settled, text, entry) is None:
            return None
    leave_link(former, kept.file.path)
    return [sentence]
