"""Forgetting for good: what would go is shown, asked for, taken out of every place; a receipt proves it."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent.app import App
from hermes_agent.config import profiles
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.memory import meanwhile
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.memory.forget_shown import Forgotten
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.forgetting.carrying_out import Seek
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import Json
from hermes_agent.records.receipts import Receipt
from hermes_agent.store import receipts
from hermes_agent.text.clean import preview
from hermes_agent.text.dates import moment_of
from hermes_agent.web import etags
from hermes_agent.web.at_length import at_length
from hermes_agent.web.callers import Admin, Caller, TheApp
from hermes_agent.web.followed import Followed, coming_again
from hermes_agent.web.problems import status_of
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/data")

What = Literal["id", "about", "session", "before"]
_SAMPLE = 200
_SHOWN = 200
_CONFIRMED = "forget"


@router.get("/forget")
def ask_forget(
    request: Request,
    app: TheApp,
    caller: Admin,
    what: Annotated[What, Query()],
    value: Annotated[str, Query(max_length=500)],
) -> Response:
    """Show what would be forgotten for good, and ask; in a large memory the browser comes again for it."""
    looking: Followed[Forgotten] = request.app.state.forgetting
    place, wanted = app.forgetting, _wanted(app, what, value)
    # What was looked for before something was forgotten may quote it: it is not shown after.
    name = (caller.token.id, what, value, meanwhile.standing(app.store).receipt)
    found = looking.done(name, lambda: carrying_out.preview(place, wanted))
    if found is None:
        return coming_again(render(request, caller, "forget_looking.html"))
    return _asked(request, caller, what, value, found)


@router.post("/forget")
@at_length
def forget(
    request: Request,
    app: TheApp,
    caller: Admin,
    what: Annotated[What, Form()],
    value: Annotated[str, Form(max_length=500)],
    tag: Annotated[str, Form()],
    word: Annotated[str, Form()] = "",
) -> Response:
    """Forget what was shown, if it is still that; it cannot be undone."""
    place, wanted = app.forgetting, _wanted(app, what, value)
    if word.strip().lower() != _CONFIRMED:
        error = UsageError(f"Nothing was forgotten: type {_CONFIRMED!r} to confirm.")
        return _asked(request, caller, what, value, carrying_out.preview(place, wanted), error)
    finish(carrying_out.finish(place))
    found = carrying_out.preview(place, wanted)
    etags.require_same(tag, _tagged(what, value, found))
    if not any(found.counts.values()):
        raise UsageError("There is nothing to forget.")
    receipt = finish(carrying_out.carry_out(place, wanted, found))
    return RedirectResponse(f"/data/receipts/{receipt.id}", status_code=303)


@router.get("/receipts")
def listed(request: Request, app: TheApp, caller: Admin) -> Response:
    """List what was forgotten, without its words."""
    with app.store.read() as connection:
        every = receipts.every(connection)
    return render(request, caller, "receipts.html", receipts=every[::-1][:_SHOWN], count=len(every), anew=None)


@router.post("/receipts/backups")
@at_length
def make_anew(request: Request, app: TheApp, caller: Admin) -> Response:
    """Make the backups anew that may still hold something forgotten."""
    from hermes_agent.ops.forgetting import in_backups  # here: age is loaded for it

    anew = finish(in_backups.make_anew(app.forgetting))
    with app.store.read() as connection:
        every = receipts.every(connection)
    return render(request, caller, "receipts.html", receipts=every[::-1][:_SHOWN], count=len(every), anew=anew)


@router.get("/receipts/{name}")
def shown(request: Request, app: TheApp, caller: Admin, name: str) -> Response:
    """Show a receipt: how much of what went, and whether anything is left."""
    return _page(request, app, caller, carrying_out.require(app.store, name))


@router.post("/receipts/{name}/verify")
@at_length
def verify(request: Request, app: TheApp, caller: Admin, name: str) -> Response:
    """Look through the store and every file of the home once more."""
    receipt = carrying_out.require(app.store, name)
    try:
        left = finish(carrying_out.verify(app.forgetting, receipt))
    except UsageError as error:
        return _page(request, app, caller, receipt, error=error)
    return _page(request, app, caller, carrying_out.require(app.store, name), left=left)


@router.post("/receipts/{name}/unblock")
def unblock(app: TheApp, caller: Admin, name: str, tag: Annotated[str, Form()]) -> Response:
    """Let what was forgotten be learned again when it is said again."""
    receipt = carrying_out.require(app.store, name)
    etags.require_same(tag, [receipt.uid, receipt.lifted_at])
    carrying_out.unblock(app.forgetting, receipt.name, cause=caller.cause)
    return RedirectResponse(f"/data/receipts/{receipt.id}", status_code=303)


def _asked(
    request: Request,
    caller: Caller,
    what: What,
    value: str,
    found: Forgotten,
    error: HermesError | None = None,
) -> Response:
    """Show what would be forgotten, and the form that confirms it."""
    return render(
        request,
        caller,
        "forget.html",
        what=what,
        value=value,
        counts={name: count for name, count in found.counts.items() if count},
        samples=[preview(one, _SAMPLE) for one in found.samples],
        notices=found.notices,
        word=_CONFIRMED,
        tag=etags.tag_of(_tagged(what, value, found)),
        error=error,
    )


def _page(
    request: Request,
    app: App,
    caller: Caller,
    receipt: Receipt,
    *,
    left: Sequence[str] | None = None,
    error: HermesError | None = None,
) -> Response:
    return render(
        request,
        caller,
        "receipt.html",
        **({} if error is None else {"status": status_of(error)}),
        receipt=receipt,
        file=app.home.receipt(receipt.uid),
        left=left,
        others=[name for name in profiles.names() if name != app.home.profile],
        tag=etags.tag_of([receipt.uid, receipt.lifted_at]),
        error=error,
    )


def _wanted(app: App, what: What, value: str) -> Seek:
    typed = value.strip()
    if not typed:
        raise UsageError("Say what is to be forgotten.")
    before = moment_of(typed, app.zone, is_end=False) if what == "before" else None
    named, about, session = (typed if what == kind else None for kind in ("id", "about", "session"))
    return carrying_out.seek(Asked(named, about, session, before))


def _tagged(what: str, value: str, found: Forgotten) -> list[Json]:
    return [what, value, found.digest]
