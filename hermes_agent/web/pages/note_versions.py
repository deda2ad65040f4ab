"""What a note said before: its versions, what each changed, and the way back to one."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent.app import App
from hermes_agent.errors import NotFound
from hermes_agent.ids import is_uid
from hermes_agent.memory import note_writing
from hermes_agent.records.notes import SUBJECTS, Note, NoteVersion
from hermes_agent.store import notes as rows
from hermes_agent.web import etags
from hermes_agent.web.callers import Owner, Reader, TheApp
from hermes_agent.web.collisions import difference
from hermes_agent.web.pages.notes import require
from hermes_agent.web.paging import Offset
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/notes/{note}/versions")

_LIMIT = 50


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    note: str,
    offset: Offset = 0,
) -> Response:
    """List the versions of a note, the newest first."""
    chosen = require(note)
    app.notebook.settle(chosen)
    found = app.notebook.history(chosen, _LIMIT + 1, offset)
    return render(
        request,
        caller,
        "note_versions.html",
        note=chosen,
        name=SUBJECTS[chosen],
        versions=found[:_LIMIT],
        offset=offset,
        limit=_LIMIT,
        next=offset + _LIMIT if len(found) > _LIMIT else None,
    )


@router.get("/{uid}")
def shown(request: Request, app: TheApp, caller: Reader, note: str, uid: str) -> Response:
    """Show a version: its text, what it changed, and what has changed since."""
    chosen = require(note)
    version = _version(app, chosen, uid)
    with app.store.read() as connection:
        former = rows.previous(connection, version)
    now = app.notebook.settle(chosen)
    return render(
        request,
        caller,
        "note_version.html",
        note=chosen,
        name=SUBJECTS[chosen],
        one=version,
        is_now=now == version.text,
        changed=difference("" if former is None else former.text, version.text),
        since=difference(version.text, now or ""),
        tag=etags.tag_of(now),
    )


@router.post("/{uid}/restore")
def restore(app: TheApp, caller: Owner, note: str, uid: str, tag: Annotated[str, Form()]) -> Response:
    """Let a note say again what a version says."""
    chosen = require(note)
    version = _version(app, chosen, uid)
    now = app.notebook.settle(chosen)
    etags.require_same(tag, now)
    written = note_writing.write(app.notebook, chosen, now or "", version.text, cause=caller.cause)
    done = "" if written.entry_uid is None else f"?done={written.entry_uid}"
    return RedirectResponse(f"/notes/{chosen}{done}", status_code=303)


def _version(app: App, note: Note, uid: str) -> NoteVersion:
    found = None
    if is_uid(uid):
        with app.store.read() as connection:
            found = rows.get(connection, uid)
    if found is None or found.note != note:
        raise NotFound(f"{SUBJECTS[note]} has no such version.")
    return found
