"""The versions of a skill: what it was after each change, read back from the journal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from hermes_agent.errors import NotFound
from hermes_agent.records.changes import SEVERAL, change_of
from hermes_agent.records.journal import Entry
from hermes_agent.store import journal, skills
from hermes_agent.store.store import Store


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
        entries = [
            entry
            for entry in journal.of_subjects(connection, (name, SEVERAL))
            if (change := change_of(entry)) is not None and kept.name in change.names
        ]
    files: Mapping[str, str] = kept.files
    state = str(kept.state)
    found = []
    for place, entry in enumerate(entries):
        found.append(Version(len(entries) - place, entry, files, state))
        change = change_of(entry)
        before = {} if change is None else change.before.get(kept.name, {})
        former = before.get("files")
        files = former if isinstance(former, Mapping) else files
        state = str(before.get("state", state))
    return found


def lines_between(one: Version, other: Version) -> Sequence[str]:
    """Return what differs between two versions, file by file."""
    lines: list[str] = []
    for file in sorted({*one.files, *other.files}):
        before, after = (each.files.get(file, "").splitlines() for each in (one, other))
        names = (f"{file} (version {one.number})", f"{file} (version {other.number})")
        lines += unified_diff(before, after, *names, lineterm="")
    return lines
