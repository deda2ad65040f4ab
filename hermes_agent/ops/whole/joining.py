"""Join the home with a memory that comes from a file: its rows, its notes, its skills and its settings.

Notes and settings of a home that had none are written before the rows are kept: whoever finds rows without their
files would take that for the owner's deletion, and a home with rows takes no settings any more. Where there are
notes, an entry is there if it was added later than removed, in either home, as far as there is room; a free text
of ours is never replaced.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hermes_agent.config import files, full_disk, portable
from hermes_agent.config.replace import replace_bytes
from hermes_agent.config.settings import TABLE
from hermes_agent.memory import skills
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import format
from hermes_agent.ops.steps import Step
from hermes_agent.ops.whole import merging, note_joining
from hermes_agent.ops.whole.form import Whole
from hermes_agent.ops.whole.merge import Brought
from hermes_agent.ops.whole.note_joining import Side, Version
from hermes_agent.ops.whole.reading import entries
from hermes_agent.records.archive import Json
from hermes_agent.records.notes import SUBJECTS, Changed, Note, Operation, Target
from hermes_agent.store import canonical, notes

_ENTRIES: tuple[Target, ...] = ("user", "memory")
_OWN: tuple[Note, ...] = ("soul", "workspace")


@dataclass(slots=True)
class Joined:
    """What came into the home."""

    brought: Brought
    added: dict[str, int] = field(default_factory=dict)
    """How many entries each note got."""
    removed: dict[str, int] = field(default_factory=dict)
    """How many entries each note lost: they were removed there."""
    left: list[str] = field(default_factory=list)
    """What was not taken over, and why."""


def join(notebook: Notebook, path: Path, whole: Whole, *, is_own: bool) -> Generator[Step, None, Joined]:
    """Bring a checked file in. An empty memory takes it for the owner's; beside another the owner must say so."""
    store, home = notebook.store, notebook.home
    portable.check(whole.settings)
    full_disk.require(home.root, path.stat().st_size, f"{path} was not imported")
    with store.read() as connection:
        is_fresh = canonical.is_empty(connection)
    if is_fresh:
        missing = [note for note, name in SUBJECTS.items() if whole.notes.get(name) and not notebook.text(note)]
        settings = files.locate(home) or home.config_yaml
        text = settings.read_bytes() if settings.exists() else None
        is_kept = False
        try:
            for note in missing:
                notebook.kept(note).file.write(whole.notes[SUBJECTS[note]])
            _set(notebook, whole.settings)
            brought = yield from merging.bring_in(store, path, whole, is_own=True)
            is_kept = True
        finally:
            for note in missing if not is_kept else ():
                notebook.path(note).unlink(missing_ok=True)
            if not is_kept and text is not None:
                replace_bytes(settings, text)
            elif not is_kept:
                settings.unlink(missing_ok=True)
        joined = Joined(brought)
    else:
        joined = Joined((yield from merging.bring_in(store, path, whole, is_own=is_own)))
        if is_own:
            _join_notes(notebook, path, whole.notes, joined)
    joined.left += skills.sync(store, home.skills)
    return joined


def _join_notes(notebook: Notebook, path: Path, texts: Mapping[str, str], joined: Joined) -> None:
    pasts = _their_pasts(path)
    for target in _ENTRIES:
        theirs = Side(format.parse(texts.get(SUBJECTS[target], "")), pasts.get(target, ()))
        _join_entries(notebook, target, theirs, joined)
    for note in _OWN:
        text, ours = texts.get(SUBJECTS[note], ""), notebook.text(note)
        if text and text != ours:
            joined.left.append(f"{SUBJECTS[note]} differs; yours stays, the other is in the file")


def _their_pasts(path: Path) -> dict[str, list[Version]]:
    """Return the versions of each of their notes, in their order."""
    found: dict[str, list[Version]] = {}
    for name, row in entries(path, only="note_versions"):
        if name == "note_versions" and isinstance(row, dict) and row["state"] != "abandoned":
            version = Version(int(row["at"]), format.parse(str(row["text"])))
            found.setdefault(str(row["note"]), []).append(version)
    return found


def _join_entries(notebook: Notebook, target: Target, theirs: Side, joined: Joined) -> None:
    notebook.settle(target)
    with notebook.store.read() as connection:
        versions = [Version(one.at, format.parse(one.text)) for one in notes.newest(connection, target)]
    ours = Side(notebook.entries(target), versions[::-1])
    added, removed = note_joining.join(ours, theirs)
    operations = [Operation("remove", old_text=entry) for entry in removed]
    operations += [Operation("add", content=entry) for entry in added]
    for operation in operations:
        done = notebook.change(target, [operation], actor="owner", cause="hermes memory import")
        counted = joined.added if operation.action == "add" else joined.removed
        if isinstance(done, Changed):
            counted[SUBJECTS[target]] = counted.get(SUBJECTS[target], 0) + 1
        else:
            verb = "added to" if operation.action == "add" else "removed from"
            entry = operation.content or operation.old_text
            joined.left.append(f"“{entry}” was not {verb} {SUBJECTS[target]}: {done.error}")


def _set(notebook: Notebook, given: Mapping[str, Json]) -> None:
    """Write the settings that came, where the home has none of that name."""
    file = files.read(notebook.home)
    there = set() if file is None else set(file.entries)
    for setting in TABLE:
        if setting.name in given and setting.name not in there and portable.is_portable(setting.name):
            files.write(notebook.home, setting, given[setting.name])
