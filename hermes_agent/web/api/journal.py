"""`/api/journal` and `/api/events`: how memory changed and what happened; a change is taken back by its name."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from hermes_agent.errors import HermesError, NotFound
from hermes_agent.memory import undoing
from hermes_agent.memory.difference import differences, point
from hermes_agent.memory.events import Wanted
from hermes_agent.memory.events import find as find_events
from hermes_agent.memory.shown.journal import differences_json, entry_json, undone_json
from hermes_agent.memory.undo_choice import Named
from hermes_agent.memory.undoable import can_be_undone, find
from hermes_agent.records.journal import Entry
from hermes_agent.records.notes import Refused
from hermes_agent.web import dates
from hermes_agent.web.answers import answer, gives, lists, page, shows, tagged
from hermes_agent.web.asked import Name, Since, Until
from hermes_agent.web.callers import Reader, TheApp, Writer, require_owner
from hermes_agent.web.paging import MOST, Limit, Offset
from hermes_agent.web.shapes import Moment, Object, also, having, record

router = APIRouter(tags=["journal"])

ENTRY = record("Entry", Entry)
OPENED = also("OpenedEntry", ENTRY, can_be_undone=bool)
UNDONE = having(
    "Undone",
    "What was taken back; `uid` is the undo itself, which can be undone.",
    uid=str | None,
    undone=list[ENTRY],  # type: ignore[valid-type]  # the type is made while the program runs
    also_of_the_turn=list[ENTRY],  # type: ignore[valid-type]  # the same
    skipped=list[ENTRY],  # type: ignore[valid-type]  # the same
)
DIFFERENCE = having(
    "Difference",
    "What differs between two moments.",
    facts=Object,
    counts=dict[str, int],
    notes=list[Object],
    to=Moment,
)

Kind = Annotated[
    str | None,
    Query(max_length=100, description="Only of this kind, or whose kind begins so: fact, note.changed."),
]
Point = Annotated[str, Query(min_length=1, max_length=100, description="A date, entry:12, or a uid.")]


@router.get("/journal", responses=lists(ENTRY))
def list_changes(
    app: TheApp,
    caller: Reader,
    limit: Limit = 50,
    offset: Offset = 0,
    kind: Kind = None,
    subject: Annotated[str | None, Query(max_length=300, description="Only of this thing: fact:042.")] = None,
    since: Since = None,
    until: Until = None,
) -> Response:
    """List the changes of memory, the newest first."""
    found = app.memory.log(
        limit + 1,
        kind=kind,
        subject=subject,
        since=dates.since(app, since),
        until=dates.until(app, until),
        offset=offset,
    )
    return page([entry_json(one) for one in found], limit, offset)


@router.get("/events", responses=lists(ENTRY))
def list_events(
    app: TheApp,
    caller: Reader,
    limit: Limit = 50,
    offset: Offset = 0,
    kind: Kind = None,
    about: Annotated[str, Query(max_length=300, description="Only what these words are in.")] = "",
    session: Annotated[str | None, Query(max_length=300, description="Only of this session.")] = None,
    changes: Annotated[bool, Query(description="Also every change of memory.")] = False,
    since: Since = None,
    until: Until = None,
) -> Response:
    """List what happened, the newest first: requests, deeds of tools, decisions, results and failures."""
    wanted = Wanted(
        kind=kind,
        about=about,
        since=dates.since(app, since),
        until=dates.until(app, until),
        session_id=None if session is None else app.memory.session(session).id,
        with_changes=changes,
    )
    return page([entry_json(one) for one in find_events(app.store, wanted, limit + 1, offset)], limit, offset)


@router.get("/journal/diff", responses=gives(DIFFERENCE))
def compare(
    app: TheApp,
    caller: Reader,
    begin: Annotated[str, Query(alias="from", min_length=1, max_length=100, description="A date, or entry:12.")],
    to: Annotated[str | None, Query(max_length=100, description="The same; now, if it is left out.")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST, description="Most facts of each kind; `counts` has all.")] = MOST,
) -> Response:
    """Tell what differs in memory between two moments: facts that came, ended or changed, and the notes."""
    one, other = (
        point(app.store, typed, app.zone, is_end=is_end) for typed, is_end in ((begin, False), (to, True))
    )
    return answer(differences_json(one, other, differences(app.store, one, other, limit)))


@router.get("/journal/{name}", responses=shows(OPENED))
def show_entry(app: TheApp, caller: Reader, request: Request, name: Name) -> Response:
    """Show an entry, named by its number, `entry:12`, its uid or the beginning of that."""
    with app.store.read() as connection:
        found = find(connection, name)
    if isinstance(found, Refused):
        raise NotFound(found.error)
    return tagged(request, {**entry_json(found), "can_be_undone": can_be_undone(found)})


@router.post("/journal/{name}/undo", responses=gives(UNDONE))
def undo(app: TheApp, caller: Writer, name: Name) -> Response:
    """Take a change back; undoing the undo makes it again. What a later change builds on is refused."""
    # Taking back what the owner said would be a program's way to delete it.
    require_owner(caller, "takes changes back")
    app.notebook.reconcile()
    app.sync_skills()
    outcome = undoing.undo(app.notebook, Named(name))
    if isinstance(outcome, Refused):
        raise NotFound(outcome.error) if outcome.reason == "no_match" else HermesError(outcome.error)
    app.sync_skills()
    return answer(undone_json(outcome))
