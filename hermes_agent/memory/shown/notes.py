"""Notes as JSON: what they say and how full they are, their versions, and what was removed from them."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from hermes_agent.errors import HermesError
from hermes_agent.memory.shown.values import values_json
from hermes_agent.notes import format
from hermes_agent.records.archive import Json
from hermes_agent.records.notes import Note, NoteVersion, Refused, Removed
from hermes_agent.text.clean import preview

if TYPE_CHECKING:
    from hermes_agent.memory.notebook import Notebook


def note_json(notebook: "Notebook", note: Note) -> dict[str, Json]:
    """Write a note as it is now: entries with their grounds, or the text of one that has no entries."""
    described: dict[str, Json] = {"note": note, "path": str(notebook.path(note))}
    text = readable(notebook, note)
    if text is None:
        return described | {"problem": "unreadable"}
    if note not in ("memory", "user"):
        return described | {"text": text}
    entries = notebook.entries(note)
    size, limit = format.size(entries), notebook.limits[note]
    return described | {
        "entries": entries,
        "grounds": {entry: asdict(one) for entry, one in notebook.grounds(note).items()},
        "characters": size,
        "limit": limit,
        "usage": format.usage(size, limit),
    }


def readable(notebook: "Notebook", note: Note) -> str | None:
    """Return a note's text; None if it cannot be read, which may be what its owner is about to mend."""
    try:
        return notebook.text(note)
    except HermesError:
        return None


def refusal(refused: Refused) -> HermesError:
    """Say to a person what the agent would be told."""
    hint = refused.remediation
    if refused.matches:
        hint = f"They are: {'; '.join(preview(match) for match in refused.matches)}"
    elif refused.reason in ("no_match", "full"):
        hint = "`hermes notes show` shows what is there."
    return HermesError(refused.error, hint=hint)


def version_json(version: NoteVersion) -> dict[str, Json]:
    """Write a version of a note, its time in UTC."""
    return values_json(asdict(version))


def removed_json(gone: Removed) -> dict[str, Json]:
    """Write an entry that was removed, its time in UTC."""
    return values_json(asdict(gone))
