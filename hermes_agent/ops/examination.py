"""Examine a home part by part: what is wrong with it, how to mend it, and what was mended because that is safe.

Each part is a function that returns findings; one that finds nothing wrong returns none. Nothing here needs a
language model or the network.
"""

import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config import held_folder, passing, paths, private, profiles
from hermes_agent.config.paths import Home, beside
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import format
from hermes_agent.notes.files import Unreadable
from hermes_agent.ops import doctor
from hermes_agent.records.archive import Json
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.skills.library import Library
from hermes_agent.store import latest, sqlite_copy
from hermes_agent.store import vectors as kept_vectors
from hermes_agent.store.store import Store

_DAY = 86_400 * clock.MICROSECONDS
_MOMENT = 300 * clock.MICROSECONDS
_LOGS = ("", "-wal", "-shm")
_LEAST_FREE = 200 << 20
_HALF_WRITTEN = re.compile(r"\.(?P<name>.+)\.(?=[a-z0-9_]*[a-z])(?=[a-z]*[0-9_])[a-z0-9_]{8}")
"""What `config/replace.py` calls a file before it takes its place; a word or a date at the end is its owner's."""
_REPLACED = ("*.md", "*.json", "*.jsonc", "*.yaml", "*.age", ".env", "backup.key", ".renaming", "active_profile")
_IMPORTING = ".importing-home-"
_FOLDERS = (".restore-", _IMPORTING, ".backup-", ".forgetting-", passing.PREFIX, sqlite_copy.PREFIX)
_COPIES = 2
"""A vacuum, a repair and a backup need room for the store once more, for a moment twice."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be; what is only to be known is no problem."""

    about: str
    text: str
    advice: str
    is_mended: bool = False
    is_problem: bool = True


def permissions(home: Home, store_file: Path | None = None) -> Iterator[Finding]:
    """Close to others what is the owner's alone; `store_file` is the database, wherever it lies."""
    if home.root.exists() and not os.access(home.root, os.W_OK):
        yield Finding(
            "Home", f"{home.root} may not be written.", f"Run: chmod u+rwx {home.root}, or see who owns it."
        )
    keys = (home.env_file, home.backup_key, home.sealed_backup_key, home.chat_history)
    databases = [
        beside(file, suffix) for file in dict.fromkeys((home.state_db, store_file)) if file for suffix in _LOGS
    ]
    for path in (home.root, *home.folders, *keys, *databases):
        if not path.exists() or path.is_symlink():
            continue
        mode = stat.S_IMODE(path.stat().st_mode)
        if not mode & 0o077:
            continue
        closed = mode & 0o700
        try:
            path.chmod(closed)
        except OSError:
            yield Finding("Home", f"{path} is open to others (mode {mode:o}).", f"Run: chmod {closed:o} {path}")
        else:
            text = f"{path} was open to others (mode {mode:o})."
            yield Finding("Home", text, "It is closed to them now.", is_mended=True)


def leftovers(home: Home) -> Iterator[Finding]:
    """Remove what killed commands left half written, beside what it was to replace, a day ago or earlier."""
    places = (home.root, home.memories, home.workspace, home.receipts, home.backups)
    hidden = [file for folder in places for file in folder.glob(".*")]
    for file in (*hidden, *home.skills.rglob(".*")):
        named = _HALF_WRITTEN.fullmatch(file.name)
        if named is None or not any(fnmatch(named["name"], one) for one in _REPLACED):
            continue
        if file.is_symlink() or not file.is_file():
            continue
        if file.stat().st_mtime * clock.MICROSECONDS > clock.now() - _DAY:
            continue
        text = f"{file} was left half written by a command that was killed."
        try:
            file.unlink()
        except OSError:
            yield Finding("Home", text, f"Run: rm {file}")
        else:
            yield Finding("Home", text, "It is gone now; nothing of yours was in it alone.", is_mended=True)


def abandoned(home: Home, store_file: Path | None = None) -> Iterator[Finding]:
    """Remove the folders that killed commands worked in and nobody holds any more, beside `store_file` too."""
    memory = private.scratch(home)
    where = [home.root] if memory is None else [home.root, memory]
    places = [(folder, prefix) for folder in where for prefix in _FOLDERS]
    if store_file is not None:
        places.append((store_file.resolve().parent, sqlite_copy.PREFIX))
    for folder, prefix in (*places, (home.root.parent, _IMPORTING), (paths.profiles_folder(), profiles.DELETING)):
        for left in held_folder.clear(folder, prefix):
            text = f"{left} was left by a command that was killed."
            yield Finding("Home", text, "It is gone now; nothing of yours was in it alone.", is_mended=True)


def database(store: Store) -> Iterator[Finding]:
    """Let the database check itself, its references, its indexes, and the copies of vectors."""
    checked = doctor.check(store)
    advice = "Run: hermes doctor --rebuild" if checked.is_index_damaged else "Run: hermes db repair"
    for one in checked.problems:
        yield Finding("Database", f"{_sentence(one)}.", advice)
    if checked.unchecked is not None:
        advice = "Where it may be written, run: hermes doctor"
        yield Finding("Database", f"{_sentence(checked.unchecked)}.", advice, is_problem=False)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def vectors(store: Store) -> Iterator[Finding]:
    """Compare the vectors with what they are of."""
    with store.read() as connection:
        count = kept_vectors.count_orphans(connection)
    if count:
        text = f"{count:,} vectors are of episodes, facts or summaries that are gone."
        yield Finding("Vectors", text, "Run: hermes doctor --rebuild")


def notes(notebook: Notebook) -> Iterator[Finding]:
    """Read each note as the agent would, and write it in thought: every entry must come back."""
    for note, name in SUBJECTS.items():
        kept = notebook.kept(note)
        read = kept.file.read()
        if isinstance(read, Unreadable):
            yield Finding("Notes", kept.file.unreadable(read), "Mend it by hand; nothing is written over it.")
            continue
        limit = notebook.limit(note)
        if limit is None:
            continue
        entries = format.unique(format.parse(read.text))
        if format.parse(format.render(entries)) != entries:
            yield Finding(
                "Notes", f"An entry of {name} does not survive being written.", f"Edit {kept.file.path}."
            )
        if (size := len(format.render(entries))) > limit:
            yield Finding(
                "Notes", f"{name} has {size:,} of {limit:,} characters.", "Shorten it: hermes notes edit"
            )


def skills(library: Library) -> Iterator[Finding]:
    """Name the skills that cannot be used."""
    for skill in library.list():
        if skill.problem is not None:
            yield Finding(
                "Skills", f"{skill.path}: {skill.problem}", f"Edit it, then: hermes skills validate {skill.name}"
            )


def disk(home: Home, store: Store) -> Iterator[Finding]:
    """Tell when there is too little room on the disk for what keeps a store well."""
    with store.read() as connection:
        size = store.engine.inspect(connection, is_thorough=False).size_bytes
    free = shutil.disk_usage(home.root).free
    if free < max(_LEAST_FREE, _COPIES * size):
        text = f"{free >> 20:,} MB are free on the disk of {home.root}; the store has {size >> 20:,} MB."
        yield Finding("Disk", text, "Make room: a vacuum, a repair or a backup needs the store's size twice.")


def time(store: Store) -> Iterator[Finding]:
    """Tell when something is dated later than now: the clock was wrong then, or is wrong now."""
    with store.read() as connection:
        # The highest, not the last: what came after the clock went back is dated before it.
        written_at = latest.written_at(connection) or 0
        said_at = latest.said_at(connection) or 0
    now = clock.now()
    # What was said may be dated by another machine; the journal is dated by this one.
    if written_at > now + _MOMENT or said_at > now + _DAY:
        text = f"Something is dated {clock.iso(max(written_at, said_at))}, and now is {clock.iso(now)}."
        advice = "Set the clock of this machine right. If it is, it was wrong then, and what is dated so stays so."
        yield Finding("Clock", text, advice)


def backup_place(home: Home, folder: Path | None) -> Iterator[Finding]:
    """Tell when the backups lie on the disk that they are to replace; `folder` is that of the last one."""
    if folder is None or not folder.is_dir():
        return
    if folder.stat().st_dev == home.root.stat().st_dev and any(folder.iterdir()):
        advice = "Another disk is safer: hermes config set backup.directory PATH"
        yield Finding("Backups", f"{folder} is on the disk of the home itself.", advice, is_problem=False)


def as_json(found: Sequence[Finding]) -> dict[str, Json]:
    """Write what was found, and whether nothing of it is left to do."""
    return {"is_well": not only_problems(found), "findings": [asdict(one) for one in found]}


def only_problems(found: Sequence[Finding]) -> list[Finding]:
    """Return what still has to be mended."""
    return [one for one in found if one.is_problem and not one.is_mended]
