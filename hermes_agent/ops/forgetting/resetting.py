"""Reset memory: the notes first, then one transaction, then the files, as with everything that is forgotten."""

from collections.abc import Collection, Generator
from contextlib import suppress

from hermes_agent.errors import HermesError
from hermes_agent.memory import resetting
from hermes_agent.memory.forgotten import FORGETTING
from hermes_agent.memory.resetting import NOTES, Seen, Target
from hermes_agent.notes.files import Unreadable
from hermes_agent.ops.forgetting.carrying_out import Place, finish_one
from hermes_agent.ops.steps import Step
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import Note
from hermes_agent.records.receipts import Receipt


def preview(place: Place, targets: Collection[Target]) -> Seen:
    """Tell what would go; what its owner changed in notes by hand is taken in first, and is no change since."""
    for note in NOTES:
        with suppress(HermesError):  # one that cannot be read is not emptied either
            place.notebook.settle(note)
    with place.store.read() as connection:
        return resetting.look(connection, targets)


def carry_out(
    place: Place, targets: Collection[Target], seen: Seen | None = None
) -> Generator[Step, None, Receipt]:
    """Reset; return the receipt. If it was `seen` before, only that goes, or ChangedMeanwhile is raised."""
    yield Step("Resetting", 0)
    is_all = "all" in targets
    if seen is not None:  # before the notes are touched, too
        with place.store.read() as connection:
            resetting.check_seen(connection, targets, seen)
    if is_all or "notes" in targets:
        for note in NOTES:
            _empty(place, note)
    with place.store.write() as connection:
        receipt = resetting.reset(connection, place.store.engine, targets, seen)
    if is_all or "sessions" in targets:
        place.home.chat_history.unlink(missing_ok=True)
        for file in place.home.outputs.glob("*") if place.home.outputs.is_dir() else ():
            file.unlink(missing_ok=True)
    return (yield from finish_one(place, receipt, lambda _: []))


def _empty(place: Place, note: Note) -> None:
    kept = place.notebook.kept(note)
    with kept.held():
        while True:
            settled = kept.settle()
            if isinstance(settled, Unreadable) or not settled.text:
                return
            entry = NewEntry("note.changed", kept.name, f"{kept.name} was reset.", actor=FORGETTING)
            if kept.put(settled, "", entry) is not None:
                return
