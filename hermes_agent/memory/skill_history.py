"""The versions of a skill: what it was after each change, read back from the journal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from hermes_agent.errors import NotFound
from hermes_agent.memory.forgotten import EMPTY, SILENT
from hermes_agent.records.changes import SEVERAL, change_of, told_in
from hermes_agent.records.journal import Entry
from hermes_agent.store import journal, skills
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

PROPOSED = "skill.proposed"
"""The kind of entries that tell what a skill of the owner could say: no version of it."""
_SKILL = "skill:"


@dataclass(frozen=True, slots=True)
class Version:
    """A skill after a change; the first is number 1."""

    number: int
    entry: Entry
    files: Mapping[str, str]
    state: str


def versions(store: Store, name: str) -> list[Version]:
    """Return the versions of a skill, the newest first."""
    with store.read() as connection:
        kept = skills.get(connection, name)
        if kept is None:
            raise NotFound(f"There is no skill {name!r}.", hint="List them: hermes skills list")
        entries = entries_of(connection, name, kept.name)
    files: Mapping[str, str] = kept.files
    state = str(kept.state)
    found = []
    for place, entry in enumerate(entries):
        files = {} if told_in(entry, EMPTY) else files
        found.append(Version(len(entries) - place, entry, files, state))
        change = change_of(entry)
        before = {} if change is None else change.before.get(kept.name, {})
        former = before.get("files")
        files = former if isinstance(former, Mapping) else files
        state = str(before.get("state", state))
    return found


def entries_of(connection: Connection, skill: str, name: str) -> list[Entry]:
    """Return what the journal tells of a skill, by its name and that of its record, the newest first."""
    told = journal.of_subjects(connection, (skill, SEVERAL))
    return [one for one in told if name in _names_in(one) or (one.subject == skill and _is_silent(one))]


def names_of(connection: Connection, skill: str) -> list[str]:
    """Return the names of the records that were called so: one that is undone, and made anew, is another."""
    told = journal.of_subjects(connection, (skill,))
    kept = skills.get(connection, skill)
    names = {name for entry in told for name in _names_in(entry) if name.startswith(_SKILL)}
    return sorted(names if kept is None else {*names, kept.name})


def _names_in(entry: Entry) -> set[str]:
    change = change_of(entry)
    return set() if change is None else change.names


def _is_silent(entry: Entry) -> bool:
    """Tell whether an entry is a version of which nothing is told any more."""
    is_version = entry.kind.startswith("skill.") and entry.kind != PROPOSED and not _names_in(entry)
    return is_version and bool(told_in(entry, SILENT))


def lines_between(one: Version, other: Version) -> Sequence[str]:
    """Return what differs between two versions, file by file."""
    lines: list[str] = []
    for file in sorted({*one.files, *other.files}):
        before, after = (each.files.get(file, "").splitlines() for each in (one, other))
        names = (f"{file} (version {one.number})", f"{file} (version {other.number})")
        lines += unified_diff(before, after, *names, lineterm="")
    return lines
