"""The notes as they stand in a prompt, frozen when a conversation begins.

An entry that reads like an attack is replaced by a placeholder here and only here: the file keeps it, so
that its owner can see it and take it out. SOUL.md and the workspace's notes are the owner's own words:
screening warns of them and changes nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.notes import format, screening
from hermes_agent.notes.files import NoteFile, Text, Unreadable

BLOCKED = "[BLOCKED:"
"""How the placeholder of an entry begins; an entry that begins so passes as it is."""

_WORKSPACE_TITLE = "WORKSPACE MEMORY (written by the owner)"
_LONG_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a prompt takes from the notes; None where there is nothing to take."""

    soul: str | None
    user: str | None
    memory: str | None
    workspace: str | None
    warnings: tuple[str, ...] = ()
    """What the owner should know: blocked entries, unreadable files, notes that are too long."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One note's part of the prompt, and what to say about it."""

    text: str | None
    warnings: Sequence[str] = ()


def take_entries(file: NoteFile, title: str, limit: int) -> Taken:
    """Render a note of entries under its title, each entry screened."""
    found = file.read()
    if isinstance(found, Unreadable):
        return Taken(None, [file.unreadable(found)])
    entries = format.unique(format.parse(found.text))
    if not entries:
        return Taken(None)
    shown: list[str] = []
    warnings: list[str] = []
    # Mostly there is nothing to find, and looking once is faster than looking at each.
    is_clean = not screening.find(format.render(entries))
    for entry in entries:
        ids = () if is_clean or entry.startswith(BLOCKED) else screening.find(entry)
        if ids:
            warnings.append(
                f"An entry of {file.name} was left out of the prompt ({', '.join(ids)}): {entry[:60]!r}."
                f" See it with `hermes notes show`, take it out with `hermes notes remove`."
            )
        shown.append(f"{BLOCKED} an entry of {file.name} matched {', '.join(ids)}]" if ids else entry)
    size = format.size(entries)
    if size > limit:
        warnings.append(f"{file.name} holds {size:,} characters, more than its limit of {limit:,}.")
    return Taken(format.block(f"{title} [{format.usage(size, limit)}]", format.render(shown)), warnings)


def take_soul(file: NoteFile) -> Taken:
    """Return SOUL.md as it is, without the space around it."""
    return _take_owners(file)


def take_workspace(file: NoteFile) -> Taken:
    """Render the workspace's notes under their title."""
    taken = _take_owners(file)
    return Taken(None if taken.text is None else format.block(_WORKSPACE_TITLE, taken.text), taken.warnings)


def _take_owners(file: NoteFile) -> Taken:
    found = file.read()
    if isinstance(found, Unreadable):
        return Taken(None, [file.unreadable(found)])
    return Taken(_bare(found) or None, warnings_of(file, found))


def warnings_of(file: NoteFile, found: Text) -> list[str]:
    """Return what the owner should know about a free text; it goes into the prompt all the same."""
    text = _bare(found)
    ids = screening.find(text, "soul") if text else ()
    warnings = []
    if ids:
        warnings.append(f"{file.name} reads like an attack ({', '.join(ids)}); it is used as it is, it is yours.")
    if len(text) > _LONG_CHARACTERS:
        warnings.append(f"{file.name} has {len(text):,} characters, all of them in every prompt.")
    return warnings


def _bare(found: Text) -> str:
    return found.text.removeprefix(format.BOM).strip()
