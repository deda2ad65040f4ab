"""`/api/review`: what is in quarantine, for its owner to accept or to reject."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from hermes_agent.app import App
from hermes_agent.memory import quarantine, reviewing
from hermes_agent.memory.shown.quarantine import quarantined_json
from hermes_agent.records.archive import Json
from hermes_agent.records.quarantine import Quarantined, QuarantineKind, QuarantineState
from hermes_agent.web import etags
from hermes_agent.web.answers import answer, decides, lists, page, shows, tagged
from hermes_agent.web.asked import Name
from hermes_agent.web.callers import Reader, TheApp, Writer, require_owner
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Moment, having

router = APIRouter(prefix="/review", tags=["review"])

QUARANTINED = having(
    "Quarantined",
    "Something that waits for its owner, or was decided.",
    id=str,
    uid=str,
    kind=QuarantineKind,
    state=QuarantineState,
    source=str,
    reasons=list[str],
    target=str | None,
    text=str,
    session=str,
    message=str | None,
    at=Moment,
    decided_at=Moment | None,
)


@router.get("", responses=lists(QUARANTINED))
def list_quarantined(
    app: TheApp,
    caller: Reader,
    limit: Limit = 50,
    offset: Offset = 0,
    state: Annotated[
        Literal["waiting", "accepted", "rejected", "all"], Query(description="What waits, or what was decided.")
    ] = "waiting",
) -> Response:
    """List what waits for its owner's word, the latest first."""
    found = quarantine.waiting(app.store, limit + 1, None if state == "all" else state, offset)
    return page([_json(app, one) for one in found], limit, offset)


@router.get("/{name}", responses=shows(QUARANTINED))
def show_quarantined(app: TheApp, caller: Reader, request: Request, name: Name) -> Response:
    """Show the words in question, where they came from, and what is suspicious about them."""
    return tagged(request, _json(app, quarantine.require(app.store, name)))


@router.post("/{name}/accept", responses=decides(QUARANTINED))
def accept(app: TheApp, caller: Writer, name: Name, match: etags.IfMatch = None) -> Response:
    """Let it be used: what a person said is learned from, what a program told is a fact, a note is written.

    With If-Match only if it is still what was looked at.
    """
    require_owner(caller, "accepts what waits for their word")
    seen = _seen(app, name, match)
    with etags.seen_before():
        made = reviewing.accept(app.store, app.notebook, name, zone=app.zone, cause=caller.cause, seen=seen)
    return answer(_json(app, made))


@router.post("/{name}/reject", responses=decides(QUARANTINED))
def reject(app: TheApp, caller: Writer, name: Name, match: etags.IfMatch = None) -> Response:
    """Never use it: it is neither recalled nor learned from.

    With If-Match only if it is still what was looked at.
    """
    require_owner(caller, "rejects what waits for their word")
    seen = _seen(app, name, match)
    with etags.seen_before():
        made = reviewing.reject(app.store, name, cause=caller.cause, seen=seen)
    return answer(_json(app, made))


def _seen(app: App, name: str, match: str | None) -> Quarantined | None:
    """Return what a tag was given of; None of whoever sent none."""
    if match is None:
        return None
    one = quarantine.require(app.store, name)
    return etags.seen(match, _json(app, one), one)


def _json(app: App, one: Quarantined) -> dict[str, Json]:
    return quarantined_json(one, *quarantine.words_of(app.store, one))
