"""`/api/export` and `/api/import`: all of a memory in one file, and conversations between stores."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Query, Request, Response

from hermes_agent.app import App
from hermes_agent.config.portable import portable
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.ops.elsewhere import bringing
from hermes_agent.ops.steps import finish
from hermes_agent.ops.transfer import Form, import_file
from hermes_agent.ops.transfer import export as export_conversations
from hermes_agent.ops.whole import joining, reading, writing
from hermes_agent.records.archive import Json
from hermes_agent.store.sessions import Listing
from hermes_agent.text.dates import moment_of
from hermes_agent.web import files
from hermes_agent.web.answers import JSON, Responses, answer, gives
from hermes_agent.web.asked import Since, Until
from hermes_agent.web.at_length import at_length, in_thread
from hermes_agent.web.callers import Admin, TheApp
from hermes_agent.web.shapes import having

router = APIRouter(tags=["export and import"])

IMPORTED = having("Imported", "What came, by kind.")
_MEDIA = {"jsonl": "application/x-ndjson", "markdown": "text/markdown"}
_NAMES = {"jsonl": "sessions.jsonl", "markdown": "sessions.md"}
_UPLOAD, _NAME, _MEND = "The file", "an upload", "Mend the file, and send it again."

Own = Annotated[bool, Query(description="It is the owner's own memory: their words in it count as theirs.")]
_TEXT = {"type": "string", "format": "binary"}
_BODY: dict[str, Any] = {  # Any: a part of the API's document
    "requestBody": {
        "required": True,
        "description": "The file itself.",
        "content": {"application/octet-stream": {"schema": _TEXT}},
    }
}


def _files(*media: str) -> Responses:
    told = {one: {"schema": {"type": "object"} if one == JSON else _TEXT} for one in media}
    return {200: {"description": "The file.", "content": told}}


@router.get("/export", response_class=Response, responses=_files(JSON))
@at_length
def export_memory(app: TheApp, caller: Admin) -> Response:
    """Write all of the memory as one JSON document, without secrets; `docs/formats.md` tells all of it."""
    settings, _ = portable(app.settings)
    notes = app.notebook.texts()

    def write(out: BinaryIO) -> None:
        finish(writing.export(app.store, out, notes, settings))

    return files.sent(app, write, "memory.json", JSON)


@router.get("/export/sessions", response_class=Response, responses=_files(*_MEDIA.values()))
@at_length
def export_sessions(
    app: TheApp,
    caller: Admin,
    form: Annotated[Form, Query(alias="format", description="`jsonl` can be imported.")] = "jsonl",
    session: Annotated[str | None, Query(min_length=1, max_length=300, description="Only this session.")] = None,
    source: Annotated[str | None, Query(max_length=200, description="Only from this source.")] = None,
    since: Since = None,
    until: Until = None,
) -> Response:
    """Write conversations, in the order they began."""
    if session is not None and (source or since or until):
        raise UsageError("`session` names one conversation; leave source, since and until out.")
    within = Listing(
        source=source,
        since=moment_of(since, app.zone, is_end=False),
        until=moment_of(until, app.zone, is_end=True),
    )

    def write(out: BinaryIO) -> None:
        finish(export_conversations(app.store, out, form, session=session, within=within, zone=app.zone))

    return files.sent(app, write, _NAMES[form], _MEDIA[form])


@router.post("/import", responses=gives(IMPORTED), openapi_extra=_BODY)
async def import_memory(app: TheApp, caller: Admin, request: Request, own: Own = False) -> Response:
    """Bring a memory in: an export of hermes, of ChatGPT, Claude, Mem0 or Letta.

    What is here stays, what is new comes beside it, and doing it twice is the same as once. A file that is
    damaged, cut off or of a newer hermes is refused whole, before anything is written.
    """
    async with files.received(app, request) as path:
        return answer(await in_thread(lambda: _named(path, lambda: _import(app, path, is_own=own))))


@router.post("/import/sessions", responses=gives(IMPORTED), openapi_extra=_BODY)
async def import_sessions(
    app: TheApp,
    caller: Admin,
    request: Request,
    own: Own = False,
    skip_broken: Annotated[bool, Query(description="Import the rest of a file with broken entries.")] = False,
) -> Response:
    """Bring conversations in: JSON lines, a JSON list, or one JSON object, of hermes or of the public Hermes."""
    async with files.received(app, request) as path:
        work = import_file(app.store, path, name=_NAME, skips_broken=skip_broken, is_own=own, hint=_MEND)
        return answer(await in_thread(lambda: _named(path, lambda: asdict(finish(work)))))


def _named(path: Path, work: Callable[[], Json]) -> Json:
    """Do the work; what it says of the file does not name the place where it lay for a moment."""
    try:
        return work()
    except HermesError as error:
        # The same error, not one made anew: not every kind is made from a message alone.
        error.message = error.message.replace(str(path), _UPLOAD)
        raise


def _import(app: App, path: Path, *, is_own: bool) -> dict[str, Json]:
    if reading.is_one(path):
        whole = finish(reading.check(path))
        return asdict(finish(joining.join(app.notebook, path, whole, is_own=is_own)))
    found = bringing.read(path)
    if found is not None:
        came = finish(bringing.bring(app.store, found, _NAME, is_own=is_own))
        return {"facts": came.facts, "known": came.known, "owned": came.owned, "sessions": asdict(came.report)}
    report = finish(import_file(app.store, path, name=_NAME, is_own=is_own, hint=_MEND))
    if not any(report.counts().values()):
        raise UsageError("The file holds no memory, and no conversation.")
    return {"sessions": asdict(report)}
