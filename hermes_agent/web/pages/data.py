"""Export, import and reset: all of a memory out in one file, a file in, and a new beginning."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from fastapi.responses import RedirectResponse, Response

from hermes_agent import clock
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.jobs import backing_up
from hermes_agent.memory.resetting import TARGETS, Seen, Target, also_lost
from hermes_agent.ops import importing
from hermes_agent.ops.forgetting import carrying_out, resetting
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import Json
from hermes_agent.text.clean import preview
from hermes_agent.web import etags, files
from hermes_agent.web.at_length import at_length
from hermes_agent.web.callers import Admin, TheApp
from hermes_agent.web.problems import status_of
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/data")

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
def export(app: TheApp, caller: Admin, form: Annotated[files.Packing, Query()] = "json") -> Response:
    """Send all of the memory as one file."""
    day = clock.iso(clock.now())[:10]
    return files.memory(app, form, f"hermes-{app.home.profile}-{day}")


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
    with files.uploaded(app, file.file) as path:
        try:
            with files.called(path, name):
                outcome = finish(importing.bring(app.notebook, path, name, is_own=own))
            lines = list(importing.lines(outcome, name, is_own=own, mine=_MINE))
        except UsageError as refused:
            error = refused
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
@at_length
def ask_reset(request: Request, app: TheApp, caller: Admin, target: Targets = []) -> Response:  # noqa: B006
    """Show what a reset would take, and ask."""
    if not target:
        raise UsageError("Say what is to be reset.", hint="Choose at least one.")
    seen = resetting.preview(app.forgetting, target)
    return render(
        request,
        caller,
        "reset.html",
        wanted=target,
        counts=seen.counts,
        lost=also_lost(target),
        tag=etags.tag_of(_tagged(target, seen)),
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
    finish(carrying_out.finish(place))
    seen = resetting.preview(place, target)
    etags.require_same(tag, _tagged(target, seen))
    if backup:
        finish(backing_up.run(app.home, app.store, app.settings))
    with etags.seen_before():
        receipt = finish(resetting.carry_out(place, target, seen))
    return RedirectResponse(f"/data/receipts/{receipt.id}", status_code=303)


def _tagged(target: Sequence[Target], seen: Seen) -> list[Json]:
    return [*target, dict(seen.counts), dict(seen.last)]
