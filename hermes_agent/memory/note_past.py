"""The past of the notes: which change is to be undone, what undoing it gives, what was ever removed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hermes_agent.notes import format, patch
from hermes_agent.records.notes import SUBJECTS, NoteVersion, Refused, Removed
from hermes_agent.store import notes as versions
from hermes_agent.store.engine import Connection
from hermes_agent.text.clean import preview

_UNDOABLE = frozenset({"note.changed", "note.edited", "note.merged"})
_SHORTEST_UID = 6


@dataclass(frozen=True, slots=True)
class Chosen:
    """A change that is to be undone: the version it made, and the text there was before it."""

    version: NoteVersion
    before: str


def choose(connection: Connection, entry_uid: str | None) -> Chosen | Refused:
    """Find the change that is meant; without a name, the latest that is not undone yet."""
    wanted = entry_uid if entry_uid is None else _whole_uid(connection, entry_uid.strip().lower())
    if isinstance(wanted, Refused):
        return wanted
    undone: set[str] = set()
    for version in versions.newest(connection):
        # An undo that was itself undone undoes nothing.
        if version.undoes is not None and version.entry_uid not in undone:
            undone.add(version.undoes)
        is_undone = version.entry_uid in undone
        if wanted is None and (is_undone or version.kind not in _UNDOABLE):
            continue
        if wanted is not None and version.entry_uid != wanted:
            continue
        if is_undone:
            return Refused("superseded", f"That change is undone already: {version.summary}")
        if version.kind not in _UNDOABLE and version.kind != "note.undone":
            return Refused("superseded", f"That is nothing to undo: {version.summary}")
        before = versions.previous(connection, version)
        return Chosen(version, "" if before is None else before.text)
    return Refused("no_match", "There is no change of the notes to undo.")


def without(chosen: Chosen, text: str, *, is_current: bool, limit: int | None) -> str | Refused:
    """Return a note's text without the chosen change; `limit` is None for a free text."""
    version = chosen.version
    name = SUBJECTS[version.note]
    if is_current:
        return chosen.before
    if limit is None:
        return Refused("superseded", f"{name} was changed since; undo the later change first, or edit it by hand.")
    now = format.unique(format.parse(text))
    after, before = format.unique(format.parse(version.text)), format.unique(format.parse(chosen.before))
    result = patch.apply(patch.hunks(after, before), now)
    if isinstance(result, patch.Lost):
        return Refused(
            "superseded",
            f"It cannot be undone: {name} was changed since and does not hold {preview(result.entry)!r} any more.",
        )
    if result == now:
        return Refused("superseded", f"There is nothing to undo: {name} is already as it was without this change.")
    size = format.size(result)
    if size > limit and size > format.size(now):
        return Refused("full", f"{name} has no room for what would come back: {size:,} of {limit:,} characters.")
    return format.render(result)


def removed(newest_first: Iterable[NoteVersion]) -> Iterator[Removed]:
    """Yield the entries of a note that are gone, the last removed first, each once."""
    seen: set[str] | None = None
    later: NoteVersion | None = None
    for version in newest_first:
        entries = format.unique(format.parse(version.text))
        seen = set(entries) if seen is None else seen
        if later is not None:
            for hunk in patch.hunks(entries, format.unique(format.parse(later.text))):
                for entry in hunk.old:
                    if entry not in seen:
                        seen.add(entry)
                        yield _removed(later, entry, hunk)
        later = version


def _removed(version: NoteVersion, entry: str, hunk: patch.Hunk) -> Removed:
    return Removed(
        note=version.note,
        entry=entry,
        at=version.at,
        actor=version.actor,
        cause=version.cause,
        replaced_by=hunk.new[hunk.old.index(entry)] if len(hunk.new) == len(hunk.old) else None,
        entry_uid=version.entry_uid,
    )


def _whole_uid(connection: Connection, beginning: str) -> str | Refused:
    found = versions.uids_like(connection, beginning) if len(beginning) >= _SHORTEST_UID else []
    if len(found) == 1:
        return found[0]
    what = "is the beginning of several changes" if found else "is no change of a note"
    return Refused("no_match", f"{beginning!r} {what}. `hermes memory history` lists them.")
