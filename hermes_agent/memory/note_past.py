"""The past of the notes: which change is to be undone, what undoing it gives, what was ever removed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from hermes_agent.notes import format, patch
from hermes_agent.records.notes import SUBJECTS, NoteVersion, Refused, Removed
from hermes_agent.store import notes as versions
from hermes_agent.store.engine import Connection
from hermes_agent.text.clean import preview

UNDOABLE = frozenset({"note.changed", "note.edited", "note.merged", "note.undone"})
"""The kinds of entries that are changes of a note; what was found or moved is the owner's file and stays."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A change that is to be undone: the version it made, and the text there was before it."""

    version: NoteVersion
    before: str


def made_by(connection: Connection, entry_uids: Sequence[str]) -> list[Chosen]:
    """Return what entries of the journal did to notes, in their order: each mostly nothing, or to one of them."""
    place = {uid: number for number, uid in enumerate(entry_uids)}
    found = sorted(versions.made_by(connection, entry_uids), key=lambda one: place[one.entry_uid or ""])
    before = [versions.previous(connection, version) for version in found]
    return [
        Chosen(version, "" if former is None else former.text)
        for version, former in zip(found, before, strict=True)
    ]


def without(chosen: Chosen, text: str, limit: int | None) -> str | Refused:
    """Return a note's text without the chosen change; `limit` is None for a free text."""
    version = chosen.version
    name = SUBJECTS[version.note]
    if text == version.text:
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


def in_the_way(connection: Connection, chosen: Chosen, limit: int | None) -> NoteVersion | None:
    """Return the change since the chosen one that made it impossible to undo that."""
    newest_first = versions.newest(connection, chosen.version.note)
    later = list(takewhile(lambda version: version.id > chosen.version.id, newest_first))
    return next((one for one in reversed(later) if isinstance(without(chosen, one.text, limit), Refused)), None)


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
