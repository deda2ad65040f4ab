"""The notes: an editor that overwrites nobody, how full each is, and what the next session will see of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent.app import App
from hermes_agent.config.settings import MEMORY_CURATE_USER_NOTE
from hermes_agent.errors import ChangedMeanwhile, NotFound, UsageError
from hermes_agent.memory import curation, note_writing
from hermes_agent.memory.shown.notes import readable
from hermes_agent.notes import format
from hermes_agent.records.journal import Entry as JournalEntry
from hermes_agent.records.memory import Fact
from hermes_agent.records.notes import SUBJECTS, Grounds, Note, NoteVersion
from hermes_agent.store import facts, journal, messages
from hermes_agent.text.clean import unix
from hermes_agent.text.tokens import CHARACTERS_PER_TOKEN
from hermes_agent.web import changes, collisions, etags
from hermes_agent.web.callers import Caller, Owner, Reader, TheApp
from hermes_agent.web.collisions import Collision
from hermes_agent.web.problems import PreconditionFailed
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/notes")

ABOUT: dict[Note, str] = {
    "soul": "Who the agent is. It stands first in every prompt, as you write it.",
    "user": "What the agent should always know of you, entry by entry.",
    "memory": "What the agent should always know of everything else, entry by entry.",
    "workspace": "Your own notes for the agent. It never changes them.",
}
_VERSIONS = 10
_REMOVED = 10
_CONFLICTS = 5
_MOST_ENTRIES = 500


@dataclass(frozen=True, slots=True)
class Shown:
    """A note as a page shows it; `text` is None if its file cannot be read, `limit` if it has none."""

    note: Note
    name: str
    about: str
    text: str | None
    size: int
    limit: int | None
    entries: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry, what it stands on, and in which message that was said."""

    text: str
    grounds: Grounds | None
    message: object


@router.get("")
def listed(request: Request, app: TheApp, caller: Reader, done: Annotated[str, Query()] = "") -> Response:
    """Show the notes and how full they are."""
    sentences = app.notebook.reconcile()
    return render(
        request,
        caller,
        "notes.html",
        notes=[describe(app, note) for note in SUBJECTS],
        sentences=sentences,
        warnings=app.notebook.snapshot().warnings,
        done=changes.made(app, done),
    )


@router.get("/next")
def next_prompt(request: Request, app: TheApp, caller: Reader) -> Response:
    """Show what the next session will see of the notes, exactly as its prompt holds them."""
    sentences = app.notebook.reconcile()
    found = app.notebook.snapshot()
    texts = {"soul": found.soul, "user": found.user, "memory": found.memory, "workspace": found.workspace}
    parts = [(note, name, texts[note]) for note, name in SUBJECTS.items()]
    size = sum(len(text or "") for text in texts.values())
    with app.store.read() as connection:
        is_behind = app.settings[MEMORY_CURATE_USER_NOTE] and curation.is_due(connection)
    return render(
        request,
        caller,
        "notes_next.html",
        blocks=parts,
        warnings=found.warnings,
        sentences=sentences,
        is_behind=is_behind,
        tokens=size // CHARACTERS_PER_TOKEN,
    )


@router.get("/{note}")
def shown(
    request: Request, app: TheApp, caller: Reader, note: str, done: Annotated[str, Query()] = ""
) -> Response:
    """Show a note in its editor."""
    chosen = require(note)
    sentences = app.notebook.reconcile()
    return _editor(request, app, caller, chosen, sentences=sentences, done=done)


@router.post("/{note}")
def save(
    request: Request,
    app: TheApp,
    caller: Owner,
    note: str,
    tag: Annotated[str, Form()],
    text: Annotated[str, Form()] = "",
) -> Response:
    """Save a note; one that was changed meanwhile is shown beside what was typed, and nothing is lost."""
    chosen = require(note)
    current = app.notebook.settle(chosen)
    try:
        etags.require_same(tag, current)
        written = note_writing.write(app.notebook, chosen, current or "", text, cause=caller.cause)
    except (PreconditionFailed, ChangedMeanwhile):
        return collisions.shown(request, caller, _collision(app, chosen, text))
    except UsageError as error:
        return _editor(request, app, caller, chosen, typed=text, error=error)
    path = f"/notes/{chosen}"
    if written.entry_uid is None:
        return RedirectResponse(path, status_code=303)
    return RedirectResponse(f"{path}?done={written.entry_uid}", status_code=303)


@router.get("/{note}/empty")
def ask_empty(request: Request, app: TheApp, caller: Owner, note: str) -> Response:
    """Show what would go if a note were emptied, and ask."""
    chosen = require(note)
    text = app.notebook.settle(chosen)
    return render(request, caller, "note_empty.html", one=describe(app, chosen), tag=etags.tag_of(text))


def require(note: str) -> Note:
    """Return the note that an address names."""
    if note not in SUBJECTS:
        raise NotFound(f"There is no note {note[:60]!r}.", hint=f"There are: {', '.join(SUBJECTS)}.")
    return note


def describe(app: App, note: Note) -> Shown:
    """Return a note as a page shows it."""
    text, limit = readable(app.notebook, note), app.notebook.limit(note)
    entries = [] if limit is None else _parsed(text or "")
    size = len((text or "").strip()) if limit is None else format.size(entries)
    return Shown(note, SUBJECTS[note], ABOUT[note], text, size, limit, len(entries))


def _parsed(text: str) -> list[str]:
    return format.unique(format.parse(text))


def _editor(
    request: Request,
    app: App,
    caller: Caller,
    note: Note,
    *,
    typed: str | None = None,
    error: UsageError | None = None,
    sentences: Sequence[str] = (),
    done: str = "",
) -> Response:
    one = describe(app, note)
    warnings = [each for each in app.notebook.snapshot().warnings if one.name in each]
    entries = _entries(app, note)
    removed = app.notebook.removed(note, _REMOVED) if note in ("memory", "user") else []
    return render(
        request,
        caller,
        "note.html",
        one=one,
        entries=entries,
        known_facts=_facts(app, entries),
        typed=typed if typed is not None else one.text,
        size=one.size if typed is None else format.size(_parsed(unix(typed))),
        error=error,
        tag=etags.tag_of(one.text),
        versions=_versions(app, note),
        removed=removed,
        conflicts=_conflicts(app, note),
        sentences=[each for each in sentences if one.name in each],
        warnings=warnings,
        done=changes.made(app, done),
    )


def _entries(app: App, note: Note) -> list[Entry]:
    """Return the entries of a note with what they stand on, those that have any."""
    if note not in ("memory", "user") or readable(app.notebook, note) is None:
        return []
    grounds = app.notebook.grounds(note)
    wanted = [one.evidence for one in grounds.values() if one.evidence is not None]
    with app.store.read() as connection:
        said = messages.by_uids(connection, wanted)
    return [
        Entry(
            text, one := grounds.get(text), None if one is None or one.evidence is None else said.get(one.evidence)
        )
        for text in app.notebook.entries(note)[:_MOST_ENTRIES]
    ]


def _facts(app: App, entries: Sequence[Entry]) -> dict[str, Fact]:
    """Return the facts that entries were made of, by their uids."""
    uids = [uid for entry in entries if entry.grounds is not None for uid in entry.grounds.facts]
    with app.store.read() as connection:
        return facts.by_uids(connection, uids)


def _versions(app: App, note: Note) -> list[NoteVersion]:
    return app.notebook.history(note, _VERSIONS)


def _conflicts(app: App, note: Note) -> list[JournalEntry]:
    """Return where this note was changed on two machines at once, the latest first."""
    with app.store.read() as connection:
        return journal.recent(connection, _CONFLICTS, kind="note.conflict", subject=SUBJECTS[note])


def _collision(app: App, note: Note, typed: str) -> Collision:
    theirs = app.notebook.settle(note)
    path = f"/notes/{note}"
    return Collision(SUBJECTS[note], path, path, theirs or "", unix(typed), etags.tag_of(theirs))
