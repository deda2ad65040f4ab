"""The conversations: a list with its filters, and the forms that name and delete one."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from hermes_agent.errors import UsageError
from hermes_agent.memory.listings import listing
from hermes_agent.memory.shown.archive import session_json
from hermes_agent.recall import looking
from hermes_agent.store import removing
from hermes_agent.web import changes, dates, etags
from hermes_agent.web.asked import Short
from hermes_agent.web.callers import Owner, Reader, TheApp, Writer
from hermes_agent.web.pages import reader
from hermes_agent.web.paging import Offset
from hermes_agent.web.places import session_path
from hermes_agent.web.problems import PreconditionFailed
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/sessions")

_LIMIT = 40


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    q: Annotated[str, Query(max_length=2_000)] = "",
    source: Short = "",
    since: Short = "",
    until: Short = "",
    every: Annotated[bool, Query()] = False,
    offset: Offset = 0,
    done: Short = "",
) -> Response:
    """Show the conversations, the last active first, or those in which something was said."""
    answer, found, refused = None, [], None
    try:
        begin, end = dates.since(app, since), dates.until(app, until)
        if q.strip():
            answer = app.memory.discover(_wanted(q, source, begin, end))
        else:
            wished = listing(source.strip() or None, begin, end, is_all=every)
            found = app.memory.sessions(wished, _LIMIT + 1, offset)
    except UsageError as error:
        refused = error
    return render(
        request,
        caller,
        "sessions.html",
        error=refused,
        q=q,
        source=source,
        since=since,
        until=until,
        every=every,
        answer=answer,
        sessions=found[:_LIMIT],
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        offset=offset,
        limit=_LIMIT,
        done=changes.made(app, done),
    )


@router.post("/{name:path}/rename")
def rename(
    request: Request,
    app: TheApp,
    caller: Writer,
    begun: changes.Begun,
    name: str,
    tag: Annotated[str, Form()],
    title: Annotated[str, Form()] = "",
) -> Response:
    """Give a conversation a title, or take it away; a title that is refused stays in the form."""
    session = app.memory.session(name)
    try:
        etags.require_same(tag, session_json(session))
        with etags.seen_before():
            app.memory.rename(session.id, title.strip() or None, cause=caller.cause, seen=session)
    except (PreconditionFailed, UsageError) as error:
        return reader.refused(request, app, caller, session.id, error, typed=title)
    return changes.shown(app, session_path(session.id), begun, session.id)


@router.get("/{name:path}/delete")
def ask_delete(request: Request, app: TheApp, caller: Owner, name: str) -> Response:
    """Show what goes with a conversation, and ask."""
    session = app.memory.session(name)
    with app.store.read() as connection:
        weight = removing.weigh(connection, session.id)
    return render(
        request,
        caller,
        "session_delete.html",
        session=session,
        weight=weight,
        tag=etags.tag_of(session_json(session)),
    )


@router.post("/{name:path}/delete")
def delete(app: TheApp, caller: Owner, begun: changes.Begun, name: str, tag: Annotated[str, Form()]) -> Response:
    """Delete a conversation for good."""
    session = app.memory.session(name)
    etags.require_same(tag, session_json(session))
    with etags.seen_before():
        app.memory.delete([session.id], cause=caller.cause, seen=session)
    return changes.shown(app, "/sessions", begun, session.id)


def _wanted(said: str, source: str, since: int | None, until: int | None) -> looking.Request:
    return looking.Request(
        said.strip(),
        limit=looking.MOST_RESULTS,
        source=source.strip() or None,
        since=since,
        until=until,
        detail="index",
        scan_seconds=looking.PAGE_SCAN_SECONDS,
    )
