"""`/api/export` and `/api/import`: all of a memory in one file, and conversations between stores."""

from dataclasses import asdict
from functools import partial
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Query, Request, Response

from hermes_agent.errors import UsageError
from hermes_agent.ops import importing
from hermes_agent.ops.steps import finish
from hermes_agent.ops.transfer import Form, import_file
from hermes_agent.ops.transfer import export as export_conversations
from hermes_agent.store.sessions import Listing
from hermes_agent.web import dates, files
from hermes_agent.web.answers import JSON, Responses, answer, gives
from hermes_agent.web.asked import Since, Until
from hermes_agent.web.at_length import at_length, in_thread
from hermes_agent.web.callers import Admin, TheApp
from hermes_agent.web.shapes import having

router = APIRouter(tags=["export and import"])

IMPORTED = having("Imported", "What came, by kind.")
_MEDIA = {"jsonl": "application/x-ndjson", "markdown": "text/markdown"}
_NAMES = {"jsonl": "sessions.jsonl", "markdown": "sessions.md"}
_UPLOAD, _MEND = "The upload", "Mend the file, and send it again."

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


@router.get("/export", response_class=Response, responses=_files(JSON, files.ZSTD))
@at_length
def export_memory(
    app: TheApp,
    caller: Admin,
    form: Annotated[files.Packing, Query(alias="format", description="`zst` is compressed.")] = "json",
) -> Response:
    """Write all of the memory as one JSON document, without secrets; `docs/formats.md` tells all of it."""
    return files.memory(app, form, "memory")


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
        since=dates.since(app, since),
        until=dates.until(app, until),
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
        work = importing.bring(app.notebook, path, _UPLOAD, is_own=own)
        with files.called(path, _UPLOAD):
            return answer(importing.outcome_json(await in_thread(partial(finish, work))))


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
        work = import_file(app.store, path, name=_UPLOAD, skips_broken=skip_broken, is_own=own, hint=_MEND)
        with files.called(path, _UPLOAD):
            return answer(asdict(await in_thread(partial(finish, work))))
