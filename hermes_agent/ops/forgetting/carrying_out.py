"""Forget, from what was asked to a receipt: first the files that hold words, then one transaction, then the rest.

What comes after the transaction needs no words: merging the indexes, writing the database anew, bringing folders
in step. So whoever finds a pending receipt can finish it, by its hashes. What comes before can be done again.
Killed in between, either nothing is forgotten in the store, or all of it.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import Home
from hermes_agent.errors import ChangedMeanwhile, HermesError, NotFound, StoreFull, UsageError
from hermes_agent.memory import forget_all, reflections_file, resetting
from hermes_agent.memory import numbers as typed_numbers
from hermes_agent.memory.forget_asked import Asked, Going, find
from hermes_agent.memory.forget_quotes import note_without
from hermes_agent.memory.forget_shown import Forgotten, changed
from hermes_agent.memory.forgotten import FORGETTING
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes.files import Unreadable
from hermes_agent.ops.forgetting import files, receipt_file
from hermes_agent.ops.steps import Step
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import SUBJECTS, Note
from hermes_agent.records.receipts import Receipt
from hermes_agent.store import journal, receipts, sweeping
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.store import Store
from hermes_agent.text.runs import Look, encoded

_TRIES = 5
"""So often what is to go is gathered anew, if more is said while it is looked for."""
_READING_SECONDS = 30.0
"""So long those may take who read the store, this process among them, before it is told that they do."""
_PAUSE_SECONDS = 0.2
_KEPT_BY_AGENT: tuple[Note, ...] = ("memory", "user")
_ENCRYPTED = "not looked through, since it is encrypted: "
_CLOSED = "not looked through, since it may not be read: "
Seek = Callable[[Connection], Going]
"""Finds what is to be forgotten."""


@dataclass(frozen=True, slots=True)
class Place:
    """A home in which something is forgotten, and the verbs of others that it needs."""

    home: Home
    store: Store
    notebook: Notebook
    database: Path | None
    backups: Path
    zone: tzinfo | None
    sync_skills: Callable[[], Sequence[str]]
    drop_snapshots: Callable[[Look, bool], int]
    """Drops the copies of folders that hold something, or only counts them."""


def seek(asked: Asked) -> Seek:
    """Return how what was asked for is found."""
    return lambda connection: find(connection, asked)


def preview(place: Place, wanted: Seek) -> Forgotten:
    """Tell what would go, in the store and in the files; nothing is changed."""
    _settle(place)
    found = _tried(place, wanted)
    look, in_notes = found.sought.find, _look_in_notes(found)
    entries = _every_entry_held(place, in_notes)
    held = {"entries of notes": len(entries)}
    held |= files.clean(place.home, look, is_dry=True)
    held["copies of folders"] = place.drop_snapshots(look, False)
    return replace(found, counts={**found.counts, **held}, entries=entries)


def carry_out(place: Place, wanted: Seek, shown: Forgotten | None = None) -> Generator[Step, None, Receipt]:
    """Forget; return the receipt. If it was `shown` before, only that goes, or ChangedMeanwhile is raised."""
    yield Step("Looking", 0)
    _settle(place)
    counts: Counter[str] = Counter()
    entries: list[str] = []
    for attempt in range(1, _TRIES + 1):
        found = shown or _tried(place, wanted)
        look, in_notes = found.sought.find, _look_in_notes(found)
        if shown is not None:  # before the files are touched, too
            _check_shown(place, wanted, shown, in_notes)
        yield Step("Cleaning the files", 0)
        entries += [one for note in _KEPT_BY_AGENT for one in _entries_held(place, note, in_notes)]
        try:
            counts.update(clean(place, look, in_notes))
            yield Step("Forgetting", 0)
            with place.store.write() as connection:
                going = wanted(connection)
                done = forget_all.forget(connection, place.store.engine, going, found, counts, entries)
                if shown is not None and done.quoting != shown.quoting:
                    raise changed()
            break
        except ChangedMeanwhile as refused:
            if shown is not None or attempt == _TRIES:
                raise changed(is_cleaned=True) from refused
        except StoreFull as full:
            raise StoreFull(
                "There is no room on the disk: the store has forgotten nothing; notes and files may have lost it.",
                hint="Make room, then run the same command again.",
            ) from full
    assert done.receipt is not None, "what is forgotten has a receipt"
    return (yield from finish_one(place, done.receipt, look))


def finish(place: Place) -> Generator[Step, None, list[Receipt]]:
    """Finish what was cut short: receipts whose files are not clean yet."""
    with place.store.read() as connection:
        waiting = receipts.pending(connection)
    done = []
    for receipt in waiting:
        look = receipts.hashed_look([receipt])
        clean(place, look)
        done.append((yield from finish_one(place, receipt, look)))
    return done


def verify(place: Place, receipt: Receipt) -> Generator[Step, None, list[str]]:
    """Look once more for what a receipt tells of, by its hashes, in every row and file; return where it is.

    One that keeps nothing to look by is refused: that nothing is left of it cannot be said. What was left when it
    was forgotten, and is gone by now, is named by the receipt no more.
    """
    yield Step("Looking", 0)
    if not receipt.runs:
        raise UsageError(
            f"{receipt.name} cannot be verified: it keeps nothing to look by.",
            hint="What went was a reset, or too short to be told from other texts.",
        )
    left = _left(place, receipts.hashed_look([receipt]))
    still = [one for one in receipt.found if one in left]
    if still != receipt.found:
        with place.store.write() as connection:
            receipt_file.write(place.home, receipts.settle(connection, receipt.id, still, receipt.backups))
    return left


def require(store: Store, typed: str) -> Receipt:
    """Return the receipt a person names by its number, or by its uid or the beginning of that."""
    with store.read() as connection:
        every = receipts.every(connection)
    name = typed.strip().lower().removesuffix(".json")
    found = [one for one in every if len(name) >= 6 and one.uid.startswith(name)]
    if not found:
        number = typed_numbers.read(typed, "receipt")
        found = [one for one in every if one.id == number]
    if len(found) != 1:
        raise NotFound(f"There is no receipt {typed!r}.", hint="List them: hermes memory receipts")
    return found[0]


def unblock(place: Place, typed: str, *, cause: str | None = None) -> Receipt:
    """Let what a receipt tells of be learned again when it is said again."""
    found = require(place.store, typed)
    if found.lifted_at is not None:
        raise UsageError(f"{found.name} blocks nothing any more.")
    with place.store.write() as connection:
        lifted = receipts.lift(connection, found.id)
        text = f"What {found.name} tells of may be learned again."
        journal.write(connection, NewEntry("memory.unblocked", found.name, text, cause=cause))
        receipt_file.write(place.home, lifted)
    return lifted


def _settle(place: Place) -> None:
    """Take in what its owner changed by hand: it is looked through, is theirs, and no copy of it is set aside."""
    place.sync_skills()
    for note in SUBJECTS:
        with suppress(HermesError):  # one that cannot be read is named when the files are looked through
            place.notebook.settle(note)


def _tried(place: Place, wanted: Seek, shown: Forgotten | None = None) -> Forgotten:
    """Forget in a copy: so it is known what to look for, and nobody who writes meanwhile waits."""
    with place.store.copied() as connection:
        return forget_all.forget(connection, place.store.engine, wanted(connection), shown)


def _check_shown(place: Place, wanted: Seek, shown: Forgotten, in_notes: Look) -> None:
    """Raise ChangedMeanwhile if other things would go than were shown: only a try tells what quotes them."""
    if _every_entry_held(place, in_notes) != shown.entries:
        raise changed()
    if _tried(place, wanted, shown).quoting != shown.quoting:
        raise changed()


def clean(place: Place, look: Look, in_notes: Look | None = None) -> Counter[str]:
    """Take the words out of notes and files that are ours, and drop copies of folders that hold them."""
    counts: Counter[str] = Counter()
    for note in SUBJECTS:
        held = _entries_held(place, note, in_notes or look)
        counts["entries of notes"] += len(held)
        if held:
            _rewrite(place, note, in_notes or look)
    counts.update(files.clean(place.home, look))
    counts["copies of folders"] += place.drop_snapshots(look, True)
    return counts


def _look_in_notes(found: Forgotten) -> Look:
    """Look for what was forgotten, and for what the agent had noted of it."""
    lines = {encoded(one) for one in found.lines}
    return lambda data: [(0, len(data))] if data.strip() in lines else found.sought.find(data)


def _every_entry_held(place: Place, look: Look) -> list[str]:
    return [one for note in SUBJECTS for one in _entries_held(place, note, look)]


def _entries_held(place: Place, note: Note, look: Look) -> list[str]:
    try:
        text = place.notebook.text(note)
    except HermesError:
        return []  # one that cannot be read is named when the files are looked through
    parts = text.split("\n§\n") if note in _KEPT_BY_AGENT else text.splitlines()
    return [one for one in parts if look(encoded(one))]


def _rewrite(place: Place, note: Note, look: Look) -> None:
    kept = place.notebook.kept(note)
    with kept.held():
        while True:
            settled = kept.settle()
            if isinstance(settled, Unreadable):
                return
            text = note_without(note, settled.text, look)
            told = f"What was forgotten was taken out of {kept.name}."
            entry = NewEntry("note.changed", kept.name, told, actor=FORGETTING)
            if text == settled.text or kept.put(settled, text, entry) is not None:
                return


def finish_one(place: Place, receipt: Receipt, look: Look) -> Generator[Step, None, Receipt]:
    """Leave no trace in indexes, free pages and copies; look whether it is so; write the receipt."""
    try:
        return (yield from _finish_one(place, receipt, look))
    except StoreFull as full:
        raise StoreFull(
            f"{receipt.name}: it is forgotten, but there is no room on the disk: the files are not clean yet.",
            hint="Make room, then run: hermes memory forget --finish",
        ) from full


def _finish_one(place: Place, receipt: Receipt, look: Look) -> Generator[Step, None, Receipt]:
    engine = place.store.engine
    yield Step("Bringing the folders in step", 0)
    # Twice: what was only in doubt is told once, and a disk may fail once.
    if place.sync_skills() and (hindered := place.sync_skills()):
        raise HermesError(
            f"{receipt.name}: it is forgotten, but not in the folders of the skills: {hindered[0]}",
            hint="Mend that, then run: hermes memory forget --finish",
        )
    if place.home.reflections.exists():
        reflections_file.write(place.store, place.home.reflections, place.zone)
    _drop_set_aside(place)
    yield Step("Writing the database anew", 0)
    with place.store.bare() as connection:
        engine.settle_vectors(connection, is_erasure=True)
        is_clean = engine.erase(connection) or _folded(engine, connection)
    if not is_clean:
        raise HermesError(
            f"{receipt.name}: it is forgotten, but somebody reads the store: its file is not clean yet.",
            hint="When they are done (a chat, a job, another program), run: hermes memory forget --finish",
        )
    yield Step("Looking what is left", 0)
    left = _left(place, look)
    backups = _backup_names(place) if receipt.asked != resetting.ASKED else []
    with place.store.write() as connection:
        done = receipts.settle(connection, receipt.id, left, backups)
        # Before the commit: what is settled is not looked at again, and its file would be missing for good.
        receipt_file.write(place.home, done)
    return done


def _drop_set_aside(place: Place) -> None:
    """Remove what a killed reset had set aside of the notes, whole, to bring it back if it was refused."""
    for note in resetting.NOTES:
        kept = place.notebook.kept(note)
        with kept.held():
            kept.file.tidy_up()


def _folded(engine: Engine, connection: Connection) -> bool:
    """Fold the log once those are done who are in the way; SQLite itself does not wait for who folds just then.

    In a daemon that is its own worker: what it writes meanwhile folds the log, too.
    """
    deadline = clock.monotonic() + _READING_SECONDS
    while not engine.fold(connection):
        if clock.monotonic() > deadline:
            return False
        # Between two tries whoever wants to write can.
        clock.sleep(_PAUSE_SECONDS)
    return True


def _backup_names(place: Place) -> list[str]:
    """Return the backups of the home: each was made before what is forgotten now."""
    from hermes_agent.ops.backups import keeping  # here: age is loaded for it

    found = keeping.everywhere(place.home, place.store, place.backups)
    return [*found.there, *found.away]


def _left(place: Place, look: Look) -> list[str]:
    with place.store.read() as connection:
        left = [f"store: {one}" for one in sweeping.places(connection, look)]
    left += [f"file: {one}" for one in files.left_in(place.home, look, place.database)]
    left += [f"{_ENCRYPTED}{one}" for one in files.encrypted_in(place.home, place.database)]
    left += [f"{_CLOSED}{one}" for one in files.closed_in(place.home)]
    if held := place.drop_snapshots(look, False):
        left.append(f"checkpoints: {held} copies of folders")
    return left
