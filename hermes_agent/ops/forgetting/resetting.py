"""Reset memory: the notes first, then one transaction, then the files, as with everything that is forgotten."""

from collections.abc import Collection, Generator, Mapping

from hermes_agent.memory import resetting
from hermes_agent.memory.forgotten import FORGETTING
from hermes_agent.memory.resetting import NOTES, Target
from hermes_agent.notes.files import Unreadable
from hermes_agent.ops.forgetting.carrying_out import Place, finish_one
from hermes_agent.ops.steps import Step
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import Note
from hermes_agent.records.receipts import Receipt


def preview(place: Place, targets: Collection[Target]) -> Mapping[str, int]:
    """Tell what would go."""
    with place.store.read() as connection:
        return resetting.count(connection, targets)


def carry_out(place: Place, targets: Collection[Target]) -> Generator[Step, None, Receipt]:
    """Reset; return the receipt."""
    yield Step("Resetting", 0)
    is_all = "all" in targets
    if is_all or "notes" in targets:
        for note in NOTES:
            _empty(place, note)
    with place.store.write() as connection:
        receipt = resetting.reset(connection, place.store.engine, targets)
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
