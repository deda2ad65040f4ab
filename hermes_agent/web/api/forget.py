"""`/api/forget` and `/api/receipts`: forgetting for good, shown before it is done, and proved after it."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from hermes_agent.app import App
from hermes_agent.config import profiles
from hermes_agent.errors import UsageError
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops.forgetting import carrying_out, receipt_file
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import Json
from hermes_agent.store import receipts
from hermes_agent.text.dates import moment_of
from hermes_agent.web import etags
from hermes_agent.web.answers import answer, changes, gives, lists, page, shows, tagged
from hermes_agent.web.api.given import Given
from hermes_agent.web.asked import DateText, Name
from hermes_agent.web.at_length import at_length
from hermes_agent.web.callers import Admin, TheApp
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Moment, having

router = APIRouter(tags=["forgetting"])

PREVIEW = having("Forgetting", "What would go.", counts=dict[str, int], samples=list[str], notices=list[str])
RECEIPT = having(
    "Receipt",
    "What was forgotten, without its words; `found` is where something is left.",
    receipt=str,
    uid=str,
    at=Moment,
    state=str,
    asked=str,
    counts=dict[str, int],
    found=list[str],
    backups=list[str],
    lifted_at=Moment | None,
)
FINISHED = having("Finished", "Receipts that were cut short and are finished now.", items=list[RECEIPT])  # type: ignore[valid-type]  # made while it runs
VERIFIED = having(
    "Verified",
    "Where something of it was found; the other profiles were not looked into.",
    receipt=str,
    found=list[str],
    not_looked_into=list[str],
)

Named = Annotated[str, Field(min_length=1, max_length=300)]


class ToForget(Given):
    """What to forget: one of these."""

    id: Annotated[Named | None, Field(description="fact:042, message:123, entry:12, a session, …")] = None
    about: Annotated[Named | None, Field(description="Everything that names this person or thing.")] = None
    session: Annotated[Named | None, Field(description="A conversation, with what was learned of it.")] = None
    before: Annotated[DateText | None, Field(description="Everything that was said before this day.")] = None


@router.post("/forget/preview", responses=gives(PREVIEW))
@at_length
def preview(app: TheApp, caller: Admin, wanted: ToForget) -> Response:
    """Tell what would be forgotten; nothing is changed. Its ETag is what forgetting asks for as If-Match."""
    found = carrying_out.preview(app.forgetting, _seek(app, wanted))
    shown: dict[str, Json] = {"counts": dict(found.counts), "samples": list(found.samples)}
    shown["notices"] = list(found.notices)
    return answer(shown, headers={"ETag": etags.tag_of(found.digest)})


@router.post("/forget", responses=changes(RECEIPT))
@at_length
def forget(app: TheApp, caller: Admin, wanted: ToForget, match: etags.IfMatch = None) -> Response:
    """Forget for good what a preview showed, if it would still show the same; it cannot be undone.

    It goes with what was made of it and what quotes it, and is not learned again. Backups that may still hold it
    are named in the receipt.
    """
    finish(carrying_out.finish(app.forgetting))
    seek = _seek(app, wanted)
    found = carrying_out.preview(app.forgetting, seek)
    etags.require(match, found.digest)
    if not any(found.counts.values()):
        raise UsageError("There is nothing to forget.")
    with etags.seen_before():
        receipt = finish(carrying_out.carry_out(app.forgetting, seek, found))
    return answer(receipt_file.shown(receipt))


@router.post("/forget/finish", responses=gives(FINISHED))
@at_length
def finish_forgetting(app: TheApp, caller: Admin) -> Response:
    """Finish what was cut short: by a kill, or because another process read the store."""
    return answer({"items": [receipt_file.shown(one) for one in finish(carrying_out.finish(app.forgetting))]})


@router.get("/receipts", responses=lists(RECEIPT))
def list_receipts(app: TheApp, caller: Admin, limit: Limit = 50, offset: Offset = 0) -> Response:
    """List what was forgotten, without its words."""
    with app.store.read() as connection:
        every = receipts.every(connection)
    return page([receipt_file.shown(one) for one in every[offset : offset + limit + 1]], limit, offset)


@router.get("/receipts/{name}", responses=shows(RECEIPT))
def show_receipt(app: TheApp, caller: Admin, request: Request, name: Name) -> Response:
    """Show a receipt."""
    return tagged(request, receipt_file.shown(carrying_out.require(app.store, name)))


@router.post("/receipts/{name}/verify", responses=gives(VERIFIED))
@at_length
def verify(app: TheApp, caller: Admin, name: Name) -> Response:
    """Look through the store and every file of the home for anything that was forgotten."""
    receipt = carrying_out.require(app.store, name)
    left = finish(carrying_out.verify(app.forgetting, receipt))
    others = [one for one in profiles.names() if one != app.home.profile]
    return answer({"receipt": receipt.name, "found": left, "not_looked_into": others})


@router.post("/receipts/{name}/unblock", responses=gives(RECEIPT))
def unblock(app: TheApp, caller: Admin, name: Name) -> Response:
    """Let what was forgotten be learned again when it is said again; it does not come back by this."""
    return answer(receipt_file.shown(carrying_out.unblock(app.forgetting, name, cause=caller.cause)))


def _seek(app: App, wanted: ToForget) -> carrying_out.Seek:
    before = moment_of(wanted.before, app.zone, is_end=False)
    return carrying_out.seek(Asked(wanted.id, wanted.about, wanted.session, before))
