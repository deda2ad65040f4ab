"""Reset memory: one transaction, at whose end the notes are emptied, then the other files."""

from collections.abc import Collection, Generator, Sequence
from contextlib import ExitStack, suppress

from hermes_agent.errors import HermesError
from hermes_agent.memory import forget_all, resetting
from hermes_agent.memory.forgotten import FORGETTING
from hermes_agent.memory.kept_note import KeptNote, Settled
from hermes_agent.memory.resetting import NOTES, Seen, Target
from hermes_agent.ops.forgetting.carrying_out import Place, finish_one
from hermes_agent.ops.steps import Step
from hermes_agent.records.journal import NewEntry
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
    with ExitStack() as held:
        kept = [place.notebook.kept(note) for note in NOTES if is_all or "notes" in targets]
        for one in kept:
            held.enter_context(one.held())
        while (receipt := _reset(place, targets, seen, kept)) is None:
            pass  # another machine changed a note just then
        for one in kept:
            one.settle()
    if is_all or "sessions" in targets:
        place.home.chat_history.unlink(missing_ok=True)
        for file in place.home.outputs.glob("*") if place.home.outputs.is_dir() else ():
            file.unlink(missing_ok=True)
    return (yield from finish_one(place, receipt, lambda _: []))


def _reset(
    place: Place, targets: Collection[Target], seen: Seen | None, kept: Sequence[KeptNote]
) -> Receipt | None:
    """Reset in one transaction, and empty the notes before its end; None if one is another by then."""
    settled = [(one, found) for one in kept if isinstance(found := one.settle(), Settled)]
    full = [one for one, found in settled if found.text]
    # Left last: if the transaction is not kept, the notes are what they were.
    with ExitStack() as emptied, place.store.write() as connection:
        forget_all.lock(connection)
        if not all(one.is_at(connection, found.version) for one, found in settled):
            return None
        for one in full:
            entry = NewEntry("note.changed", one.name, f"{one.name} was reset.", actor=FORGETTING)
            one.note_down(connection, "", entry)
        receipt = resetting.reset(connection, place.store.engine, targets, seen)
        # Last: what is refused leaves the notes as they are. Killed from here on, only they are empty.
        for one in full:
            emptied.enter_context(one.file.emptied())
        return receipt
