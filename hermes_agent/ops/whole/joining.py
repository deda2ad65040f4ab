"""Join the home with a memory that comes from a file: its rows, its notes, its skills and its settings.

Notes of a home that had none are written before the rows are kept: whoever finds rows without their files would
take that for the owner's deletion. Where there are notes, entries that are not there, and never were, are added as
far as there is room; a free text of ours is never replaced.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hermes_agent.config import files, portable
from hermes_agent.config.settings import TABLE
from hermes_agent.memory import skills
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import format
from hermes_agent.ops.steps import Step
from hermes_agent.ops.whole import merging
from hermes_agent.ops.whole.form import Whole
from hermes_agent.ops.whole.merging import Brought
from hermes_agent.records.archive import Json
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import SUBJECTS, Changed, Note, Operation, Target
from hermes_agent.store import canonical, journal

_ENTRIES: tuple[Target, ...] = ("user", "memory")
_OWN: tuple[Note, ...] = ("soul", "workspace")


@dataclass(slots=True)
class Joined:
    """What came into the home."""

    brought: Brought
    added: dict[str, int] = field(default_factory=dict)
    """How many entries each note got."""
    left: list[str] = field(default_factory=list)
    """What was not taken over, and why."""


def join(notebook: Notebook, path: Path, whole: Whole, *, is_own: bool) -> Generator[Step, None, Joined]:
    """Bring a checked file in. An empty memory takes it for the owner's; beside another the owner must say so."""
    store, home = notebook.store, notebook.home
    portable.check(whole.settings)
    with store.read() as connection:
        is_fresh = canonical.is_empty(connection)
    if is_fresh:
        written = _write_notes(notebook, whole.notes)
        is_kept = False
        try:
            brought = yield from merging.bring_in(store, path, whole, is_own=True)
            is_kept = True
        finally:
            for note in written if not is_kept else ():
                notebook.path(note).unlink(missing_ok=True)
        joined = Joined(brought)
        _set(notebook, whole.settings)
    else:
        joined = Joined((yield from merging.bring_in(store, path, whole, is_own=is_own)))
        if is_own:
            _join_notes(notebook, whole.notes, joined)
        _tell(notebook, joined, path.name)
    joined.left += skills.sync(store, home.skills)
    return joined


def _write_notes(notebook: Notebook, texts: Mapping[str, str]) -> list[Note]:
    """Write the notes that have no text here; return which."""
    missing = [note for note, name in SUBJECTS.items() if texts.get(name) and not notebook.text(note)]
    for note in missing:
        notebook.kept(note).file.write(texts[SUBJECTS[note]])
    return missing


def _join_notes(notebook: Notebook, texts: Mapping[str, str], joined: Joined) -> None:
    for target in _ENTRIES:
        _join_entries(notebook, target, texts.get(SUBJECTS[target], ""), joined)
    for note in _OWN:
        text, ours = texts.get(SUBJECTS[note], ""), notebook.text(note)
        if text and text != ours:
            joined.left.append(f"{SUBJECTS[note]} differs; yours stays, the other is in the file")


def _join_entries(notebook: Notebook, target: Target, text: str, joined: Joined) -> None:
    ours = set(notebook.entries(target))
    former = {one.entry for one in notebook.removed(target, limit=10_000)}
    for entry in format.unique(format.parse(text)):
        if entry in ours or entry in former:
            continue
        done = notebook.change(
            target, [Operation("add", content=entry)], actor="owner", cause="hermes memory import"
        )
        if isinstance(done, Changed):
            joined.added[SUBJECTS[target]] = joined.added.get(SUBJECTS[target], 0) + 1
        else:
            joined.left.append(f"“{entry}” was not added to {SUBJECTS[target]}: {done.error}")


def _set(notebook: Notebook, given: Mapping[str, Json]) -> None:
    """Write the settings that came, where the home has none of that name."""
    file = files.read(notebook.home)
    there = set() if file is None else set(file.entries)
    for setting in TABLE:
        if setting.name in given and setting.name not in there and portable.is_portable(setting.name):
            files.write(notebook.home, setting, given[setting.name])


def _tell(notebook: Notebook, joined: Joined, name: str) -> None:
    new = {table: count for table, count in joined.brought.new.items() if count}
    if not new and not joined.added:
        return
    told = (
        f"A memory was joined with this one: {new.get('messages', 0)} messages, {new.get('facts', 0)} facts came."
    )
    with notebook.store.write() as connection:
        journal.write(
            connection,
            NewEntry("memory.imported", name, told, cause="hermes memory import", after={"new": dict(new)}),
        )
