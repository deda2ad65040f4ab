"""Export, import and reset: all of a memory out in one file, a file in, and a new beginning.

An export is written whole before it is sent, as at the terminal: a download that is cut short is seen by its
length, and one that cannot be made is an error and no half file.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, cast

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import RedirectResponse, Response, StreamingResponse

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import private
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.jobs import backing_up
from hermes_agent.memory.resetting import TARGETS, Target
from hermes_agent.ops import exporting, importing
from hermes_agent.ops.forgetting import carrying_out, resetting
from hermes_agent.ops.steps import finish
from hermes_agent.text.clean import preview
from hermes_agent.web import etags
from hermes_agent.web.at_length import at_length
from hermes_agent.web.callers import Admin, TheApp
from hermes_agent.web.problems import status_of
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/data")

_PIECE = 1 << 16
_MINE = "send it again, and say that it is your own."
Targets = Annotated[list[Target], Query()]


@router.get("")
def shown(request: Request, app: TheApp, caller: Admin) -> Response:
    """Show what can be done with all of the memory."""
    return render(
        request, caller, "data.html", targets=TARGETS, is_encrypted=app.keys is not None, lines=[], error=None
    )


@router.get("/export")
@at_length
def export(app: TheApp, caller: Admin, form: Annotated[Literal["json", "zst"], Query()] = "json") -> Response:
    """Send all of the memory as one file."""
    with ExitStack() as unless_sent:
        spool = unless_sent.enter_context(_spool(app))
        finish(exporting.write(app.notebook, app.settings, spool, is_packed=form == "zst"))
        unless_sent.pop_all()
    size = spool.tell()
    spool.seek(0)
    day = clock.iso(clock.now())[:10]
    name = f"hermes-{app.home.profile}-{day}.json" + (".zst" if form == "zst" else "")
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(size)}
    kind = "application/zstd" if form == "zst" else "application/json"
    return StreamingResponse(_pieces(spool), media_type=kind, headers=headers)


@router.post("/import")
@at_length
def bring(
    request: Request,
    app: TheApp,
    caller: Admin,
    file: Annotated[UploadFile, File()],
    own: Annotated[bool, Form()] = False,
) -> Response:
    """Bring a file into memory, and tell what came of it."""
    name = preview(file.filename or "the file", 120) or "the file"
    lines: list[str] = []
    error: HermesError | None = None
    with tempfile.TemporaryDirectory(prefix="hermes-import-", dir=private.scratch(app.home)) as folder:
        # By its ending a packed one is told from a plain one.
        path = Path(folder) / f"import{''.join(Path(name).suffixes[-2:])[:20]}"
        with path.open("wb") as out:
            shutil.copyfileobj(file.file, out, _PIECE)
        try:
            outcome = finish(importing.bring(app.notebook, path, name, is_own=own))
            lines = list(importing.lines(outcome, name, is_own=own, mine=_MINE))
        except UsageError as refused:
            error = type(refused)(refused.message.replace(str(path), name), hint=refused.hint)
    return render(
        request,
        caller,
        "data.html",
        **({} if error is None else {"status": status_of(error)}),
        targets=TARGETS,
        is_encrypted=app.keys is not None,
        lines=lines,
        error=error,
    )


@router.get("/reset")
def ask_reset(request: Request, app: TheApp, caller: Admin, target: Targets = []) -> Response:  # noqa: B006
    """Show what a reset would take, and ask."""
    if not target:
        raise UsageError("Say what is to be reset.", hint="Choose at least one.")
    counts = resetting.preview(app.forgetting, target)
    return render(
        request, caller, "reset.html", wanted=target, counts=counts, tag=etags.tag_of([*target, dict(counts)])
    )


@router.post("/reset")
@at_length
def reset(
    app: TheApp,
    caller: Admin,
    target: Annotated[list[Target], Form()],
    tag: Annotated[str, Form()],
    word: Annotated[str, Form()] = "",
    backup: Annotated[bool, Form()] = False,
) -> Response:
    """Empty what was shown, once its owner typed the profile's name."""
    place = app.forgetting
    if word.strip() != app.home.profile:
        raise UsageError(f"Nothing was reset: type {app.home.profile!r} to confirm.", hint="Go back, and type it.")
    etags.require_same(tag, [*target, dict(resetting.preview(place, target))])
    finish(carrying_out.finish(place))
    if backup:
        finish(backing_up.run(app.home, app.store, app.settings))
    receipt = finish(resetting.carry_out(place, target))
    return RedirectResponse(f"/data/receipts/{receipt.id}", status_code=303)


def _spool(app: App) -> BinaryIO:
    """Return a file without a name, in memory for an encrypted home: what is written there is plain."""
    return cast(BinaryIO, tempfile.TemporaryFile(prefix="hermes-export-", dir=private.scratch(app.home)))


def _pieces(spool: BinaryIO) -> Iterator[bytes]:
    with spool:
        while piece := spool.read(_PIECE):
            yield piece
