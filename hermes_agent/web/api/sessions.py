"""`/api/sessions`: conversations listed, searched, read a page of messages at a time, named and deleted."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from hermes_agent.memory import message_reading
from hermes_agent.memory.listings import listing
from hermes_agent.memory.shown.archive import listed_session_json, message_json, session_json, statistics_json
from hermes_agent.recall import payload
from hermes_agent.recall.looking import MOST_RESULTS, PAGE_SCAN_SECONDS
from hermes_agent.recall.looking import Request as Wanted
from hermes_agent.records import archive
from hermes_agent.records.search import Detail, Sort
from hermes_agent.web import dates, etags
from hermes_agent.web.answers import answer, changes, ends, gives, lists, page, shows, tagged
from hermes_agent.web.api.given import Given
from hermes_agent.web.asked import Name, Question, Since, Until
from hermes_agent.web.callers import Reader, TheApp, Writer, require_owner
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Object, also, having, record

router = APIRouter(prefix="/sessions", tags=["sessions"])

SESSION = record("Session", archive.Session)
MESSAGE = record("Message", archive.Message)
LISTED = also("ListedSession", SESSION, preview=str)
PASSAGE = having(
    "Passage",
    "Messages that follow each other. `earlier` and `later` are what to ask with as `before` and `after`.",
    session=str,
    items=list[MESSAGE],  # type: ignore[valid-type]  # the type is made while the program runs
    earlier=int | None,
    later=int | None,
)
FOUND = having("FoundSessions", "The sessions a search found.", query=str, results=list[Object], count=int)
COUNTS = having("SessionCounts", "What the archive holds.", sessions=int, messages=int, by_source=dict[str, int])
DELETED = having("DeletedSessions", "How many sessions went.", deleted=int)

Source = Annotated[str | None, Query(max_length=200, description="Only from this source: cli, telegram, cron, …")]
Around = Annotated[str | None, Query(max_length=100, description="A message: its number or its uid.")]


class Renaming(Given):
    """A title for a session; null takes it away."""

    title: Annotated[str | None, Field(max_length=1_000)]


@router.get("", responses=lists(LISTED))
def list_sessions(
    app: TheApp,
    caller: Reader,
    limit: Limit = 50,
    offset: Offset = 0,
    source: Source = None,
    since: Since = None,
    until: Until = None,
    state: Annotated[
        Literal["open", "all"],
        Query(description="`all` lists archived, delegated and tool sessions, and what programs told, too."),
    ] = "open",
) -> Response:
    """List conversations, the last active first; pinned ones lead."""
    wanted = listing(source, dates.since(app, since), dates.until(app, until), is_all=state == "all")
    found = app.memory.sessions(wanted, limit + 1, offset)
    return page([listed_session_json(one) for one in found], limit, offset)


@router.get("/search", responses=gives(FOUND))
def search_sessions(
    app: TheApp,
    caller: Reader,
    q: Question,
    limit: Annotated[int, Query(ge=1, le=MOST_RESULTS)] = 5,
    sort: Annotated[Sort | None, Query(description="By time instead of by relevance.")] = None,
    role: Annotated[
        list[Annotated[str, Field(max_length=50)]] | None, Query(max_length=20, description="Only these roles.")
    ] = None,
    detail: Annotated[Detail, Query(description="`full` adds the messages around each hit.")] = "index",
    source: Source = None,
    since: Since = None,
    until: Until = None,
) -> Response:
    """Find conversations by words: all of them, "a phrase", this OR that, NOT this, prefix*."""
    wanted = Wanted(
        q,
        limit=limit,
        sort=sort,
        roles=tuple(role or ("user", "assistant")),
        source=source,
        since=dates.since(app, since),
        until=dates.until(app, until),
        detail=detail,
        scan_seconds=PAGE_SCAN_SECONDS,
    )
    found = app.memory.discover(wanted)
    return answer(payload.discovered(found, app.home.profile, app.zone, payload.NO_MARKS))


@router.get("/counts", responses=gives(COUNTS))
def count_sessions(app: TheApp, caller: Reader) -> Response:
    """Count what the archive holds and how much room it takes."""
    return answer(statistics_json(app.memory.statistics()))


@router.get("/{name}", responses=shows(SESSION))
def show_session(app: TheApp, caller: Reader, request: Request, name: Name) -> Response:
    """Show a conversation without its messages; named by its id, the start of it, or its title."""
    return tagged(request, session_json(app.memory.session(name)))


@router.get("/{name}/messages", responses=gives(PASSAGE))
def list_messages(
    app: TheApp,
    caller: Reader,
    name: Name,
    limit: Limit = 50,
    after: Around = None,
    before: Around = None,
    around: Around = None,
) -> Response:
    """Read a conversation in order: from its beginning, or after, before or around one of its messages."""
    found = message_reading.passage(app.store, name, limit, after=after, before=before, around=around)
    shown = found.messages
    return answer(
        {
            "session": found.session.id,
            "items": [message_json(one) for one in shown],
            "earlier": shown[0].id if found.has_earlier and shown else None,
            "later": shown[-1].id if found.has_later and shown else None,
        }
    )


@router.patch("/{name}", responses=changes(SESSION))
def rename_session(
    app: TheApp, caller: Writer, request: Request, name: Name, change: Renaming, match: etags.IfMatch = None
) -> Response:
    """Give a conversation a title, or take it away."""
    session = app.memory.session(name)
    seen = etags.seen(match, session_json(session), session)
    with etags.seen_before():
        renamed = app.memory.rename(session.id, change.title, cause=caller.cause, seen=seen)
    return tagged(request, session_json(renamed))


@router.delete("/{name}", responses=ends(DELETED))
def delete_session(app: TheApp, caller: Writer, name: Name, match: etags.IfMatch = None) -> Response:
    """Delete a conversation with its messages and what was made of it alone, for good: its owner does."""
    require_owner(caller, "deletes a conversation")
    session = app.memory.session(name)
    seen = etags.seen(match, session_json(session), session)
    with etags.seen_before():
        return answer({"deleted": app.memory.delete([session.id], cause=caller.cause, seen=seen)})
