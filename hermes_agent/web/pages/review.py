"""The review queue: what is in quarantine, where it came from and why, for its owner to accept or to reject."""

from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent.app import App
from hermes_agent.memory import quarantine, reviewing
from hermes_agent.memory.shown.quarantine import REASONS, decided_json
from hermes_agent.records.archive import Message
from hermes_agent.records.notes import SUBJECTS
from hermes_agent.records.quarantine import Quarantined, QuarantineState
from hermes_agent.web import changes, etags
from hermes_agent.web.callers import Owner, Reader, TheApp
from hermes_agent.web.paging import Offset
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/review")

_LIMIT = 50
_ALL = 2**31 - 1
Wanted = Literal["waiting", "accepted", "rejected", "all"]


@dataclass(frozen=True, slots=True)
class Shown:
    """Something in quarantine with its words, where they are, and why it is there."""

    one: Quarantined
    words: str
    message: Message | None
    what: str
    why: str


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    state: Annotated[Wanted, Query()] = "waiting",
    offset: Offset = 0,
    done: Annotated[str, Query()] = "",
) -> Response:
    """Show what waits for the owner's word, or was decided."""
    wanted: QuarantineState | None = None if state == "all" else state
    found = quarantine.waiting(app.store, _LIMIT + 1, wanted, offset)
    return render(
        request,
        caller,
        "review.html",
        found=[_shown(app, one) for one in found[:_LIMIT]],
        state=state,
        offset=offset,
        limit=_LIMIT,
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        done=changes.made(app, done),
    )


@router.get("/reject-all")
def ask_reject_all(request: Request, app: TheApp, caller: Owner) -> Response:
    """Show what would be rejected, and ask."""
    found = quarantine.waiting(app.store, _ALL)
    return render(
        request,
        caller,
        "review_reject.html",
        found=[_shown(app, one) for one in found[:_LIMIT]],
        count=len(found),
        tag=etags.tag_of([one.name for one in found]),
    )


@router.post("/reject-all")
def reject_all(app: TheApp, caller: Owner, tag: Annotated[str, Form()]) -> Response:
    """Reject everything that waits, if it is still what was shown."""
    found = quarantine.waiting(app.store, _ALL)
    etags.require_same(tag, [one.name for one in found])
    with etags.seen_before():
        reviewing.reject_all(app.store, found, cause=caller.cause)
    return RedirectResponse("/review", status_code=303)


@router.get("/{number}")
def shown(request: Request, app: TheApp, caller: Reader, number: str) -> Response:
    """Show the words in question, and what accepting or rejecting them does."""
    one = quarantine.require(app.store, number)
    return render(request, caller, "review_one.html", shown=_shown(app, one), tag=etags.tag_of(decided_json(one)))


@router.post("/{number}/accept")
def accept(app: TheApp, caller: Owner, begun: changes.Begun, number: str, tag: Annotated[str, Form()]) -> Response:
    """Let it be used."""
    one = _same(app, number, tag)
    with etags.seen_before():
        reviewing.accept(app.store, app.notebook, one.name, zone=app.zone, cause=caller.cause, seen=one)
    return changes.shown(app, "/review", begun, one.name)


@router.post("/{number}/reject")
def reject(app: TheApp, caller: Owner, begun: changes.Begun, number: str, tag: Annotated[str, Form()]) -> Response:
    """Never use it."""
    one = _same(app, number, tag)
    with etags.seen_before():
        reviewing.reject(app.store, one.name, cause=caller.cause, seen=one)
    return changes.shown(app, "/review", begun, one.name)


def _same(app: App, number: str, tag: str) -> Quarantined:
    one = quarantine.require(app.store, number)
    etags.require_same(tag, decided_json(one))
    return one


def _shown(app: App, one: Quarantined) -> Shown:
    words, message = quarantine.words_of(app.store, one)
    if one.target is not None:
        what = f"a note for {SUBJECTS[one.target]}, from {one.source_class}"
    else:
        pasted = one.source_class == "user"
        what = "a message with pasted text" if pasted else f"a message from {one.source_class}"
    return Shown(one, words, message, what, "; ".join(REASONS.get(reason, reason) for reason in one.reasons))
