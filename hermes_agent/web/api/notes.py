"""`/api/notes`: what is always in front of the agent: read with how full it is, rewritten, changed by entries."""

from typing import Annotated, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from hermes_agent.app import App
from hermes_agent.errors import UsageError
from hermes_agent.memory import note_writing, told_by_program
from hermes_agent.memory.shown.notes import note_json, readable, refusal, removed_json, version_json
from hermes_agent.records.archive import Json
from hermes_agent.records.notes import SUBJECTS, Note, NoteVersion, Operation, Refused, Removed
from hermes_agent.web import etags
from hermes_agent.web.answers import answer, changes, gives, lists, page, shows, tagged
from hermes_agent.web.api.given import Given
from hermes_agent.web.callers import Reader, TheApp, Writer, require_owner
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Shape, also, having, record
from hermes_agent.web.speaking import WAITS, program_of, waits

router = APIRouter(prefix="/notes", tags=["notes"])


class NoteShape(Shape):
    """A note. Those that have entries tell how full they are; one that cannot be read has a `problem`."""

    note: Note
    text: str | None
    entries: list[str] = []
    characters: int = 0
    limit: int = 0
    usage: str = ""
    problem: str = ""


EVERY = having("Notes", "All notes.", items=list[NoteShape])
VERSION = record("NoteVersion", NoteVersion)
REMOVED = record("RemovedEntry", Removed)
CHANGED = also("ChangedNote", NoteShape, message=str)
PROMPT = having(
    "NotesInPrompt",
    "The notes as the prompt of the next conversation holds them, and what its owner should know.",
    soul=str | None,
    user=str | None,
    memory=str | None,
    workspace=str | None,
    warnings=list[str],
)


class WholeNote(Given):
    """A note written anew; a line with nothing but § stands between two entries."""

    text: Annotated[str, Field(max_length=note_writing.LONGEST)]


class EntryChange(Given):
    """What to do with one entry; `old_text` is a part of the one that is meant."""

    action: Literal["add", "replace", "remove"]
    content: Annotated[str | None, Field(max_length=note_writing.LONGEST)] = None
    old_text: Annotated[str | None, Field(max_length=note_writing.LONGEST)] = None


class EntryChanges(Given):
    """Changes of entries, made all or none."""

    operations: Annotated[list[EntryChange], Field(min_length=1, max_length=100)]


@router.get("", responses=gives(EVERY))
def list_notes(app: TheApp, caller: Reader) -> Response:
    """Show every note, and how full it is."""
    app.notebook.reconcile()
    return answer({"items": [_json(app, note) for note in SUBJECTS]})


@router.get("/prompt", responses=gives(PROMPT))
def show_prompt(app: TheApp, caller: Reader) -> Response:
    """Show the notes as the prompt of the next conversation will hold them."""
    app.notebook.reconcile()
    taken = app.notebook.snapshot()
    texts = {"soul": taken.soul, "user": taken.user, "memory": taken.memory, "workspace": taken.workspace}
    return answer({**texts, "warnings": list(taken.warnings)})


@router.get("/removed", responses=lists(REMOVED))
def list_removed(app: TheApp, caller: Reader, limit: Limit = 50, offset: Offset = 0) -> Response:
    """List the entries that are in the notes no more, the last removed first."""
    found = app.notebook.removed(None, limit + 1, offset)
    return page([removed_json(one) for one in found], limit, offset)


@router.get("/{note}", responses=shows(NoteShape))
def show_note(app: TheApp, caller: Reader, request: Request, note: Note) -> Response:
    """Show a note."""
    app.notebook.reconcile()
    return tagged(request, _json(app, note))


@router.put("/{note}", responses=changes(CHANGED))
def write_note(
    app: TheApp, caller: Writer, request: Request, note: Note, new: WholeNote, match: etags.IfMatch = None
) -> Response:
    """Write a note anew. It counts from the next conversation on, and can be undone."""
    require_owner(caller, "writes a note whole")
    app.notebook.reconcile()
    shown = _json(app, note)
    etags.require(match, shown)
    # The text that the tag was made of: another one would be what somebody else wrote meanwhile.
    expected = shown["text"] if isinstance(shown["text"], str) else app.notebook.text(note)
    with etags.seen_before():
        written = note_writing.write(app.notebook, note, expected, new.text, cause=caller.cause)
    return _changed(app, note, written.message)


@router.post("/{note}/entries", responses={**gives(CHANGED), **WAITS})
def change_entries(app: TheApp, caller: Writer, request: Request, note: Note, change: EntryChanges) -> Response:
    """Add, replace or remove entries, all or none; each names the entry it means, so it needs no If-Match.

    A program adds one entry, which waits for its owner's review: notes are in every prompt.
    """
    if note not in ("memory", "user"):
        raise UsageError(f"{SUBJECTS[note]} has no entries.", hint="Write it whole: PUT.")
    app.notebook.reconcile()
    program = program_of(request, caller)
    if program is not None:
        (first, *others) = change.operations
        if others or first.action != "add":
            require_owner(caller, "changes entries of a note")
        return waits(told_by_program.propose_notes(app.memory, app.notebook, note, [first.content or ""], program))
    operations = [Operation(one.action, one.content, one.old_text) for one in change.operations]
    outcome = app.notebook.change(note, operations, actor="owner", cause=caller.cause)
    if isinstance(outcome, Refused):
        raise refusal(outcome)
    return _changed(app, note, outcome.message)


@router.get("/{note}/history", responses=lists(VERSION))
def list_versions(app: TheApp, caller: Reader, note: Note, limit: Limit = 20, offset: Offset = 0) -> Response:
    """List the versions of a note, the newest first; `entry_uid` is what undo takes."""
    app.notebook.reconcile()
    found = app.notebook.history(note, limit + 1, offset)
    return page([version_json(one) for one in found], limit, offset)


def _json(app: App, note: Note) -> dict[str, Json]:
    shown = note_json(app.notebook, note)
    del shown["path"]  # where it lies on the server's disk is nobody's business
    return {**shown, "text": readable(app.notebook, note)}


def _changed(app: App, note: Note, message: str) -> Response:
    """Write a note after a change, with the tag that the note itself has."""
    shown = _json(app, note)
    return answer({**shown, "message": message}, headers={"ETag": etags.tag_of(shown)})
