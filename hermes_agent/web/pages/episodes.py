"""The episodes, exchange by exchange, and the summaries that stand for old ones; both open to their messages."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from hermes_agent.app import App
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.memory import compressing, facts, summary_changes
from hermes_agent.memory import episode_reading as reading
from hermes_agent.memory.shown.learned import summary_json
from hermes_agent.memory.undoable import find
from hermes_agent.recall.looking import HIDDEN_SOURCES
from hermes_agent.records.archive import Message
from hermes_agent.records.journal import Entry
from hermes_agent.records.summaries import Summary
from hermes_agent.web import changes, dates, etags
from hermes_agent.web.asked import Short
from hermes_agent.web.callers import Caller, Owner, Reader, TheApp
from hermes_agent.web.paging import Offset
from hermes_agent.web.problems import PreconditionFailed
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/episodes")

_LIMIT = 30
_MOST_BEHIND = 2_000


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    about: Short = "",
    since: Short = "",
    until: Short = "",
    as_of: Short = "",
    every: Annotated[bool, Query()] = False,
    offset: Offset = 0,
) -> Response:
    """Show the exchanges, the latest first; `as_of` leaves out what was said after that day."""
    found, refused = [], None
    try:
        ends = [moment for moment in (dates.until(app, until), dates.as_of(app, as_of)) if moment is not None]
        begin, end = dates.since(app, since), min(ends, default=None)
        hidden = () if every else HIDDEN_SOURCES
        read = (
            partial(reading.naming, app.store, about.strip())
            if about.strip()
            else partial(reading.recent, app.store)
        )
        found = read(_LIMIT + 1, offset, since=begin, until=end, hidden_sources=hidden)
    except UsageError as error:
        refused = error
    return render(
        request,
        caller,
        "episodes.html",
        error=refused,
        told=reading.told(app.store, found[:_LIMIT]),
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        offset=offset,
        limit=_LIMIT,
        about=about,
        since=since,
        until=until,
        as_of=as_of,
        every=every,
        summaries=compressing.count(app.store),
    )


@router.get("/summaries")
def summarized(
    request: Request, app: TheApp, caller: Reader, as_of: Short = "", offset: Offset = 0, done: Short = ""
) -> Response:
    """Show the summaries, those of the latest time first; `as_of` leaves out those made after that day."""
    found, refused = [], None
    try:
        found = compressing.recent(app.store, _LIMIT + 1, offset, made_before=dates.as_of(app, as_of))
    except UsageError as error:
        refused = error
    return render(
        request,
        caller,
        "summaries.html",
        error=refused,
        summaries=found[:_LIMIT],
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        offset=offset,
        limit=_LIMIT,
        as_of=as_of,
        done=changes.made(app, done),
    )


@router.get("/summaries/{number}")
def summary(request: Request, app: TheApp, caller: Reader, number: str, done: Short = "") -> Response:
    """Show a summary and the messages behind it."""
    return _page(request, app, caller, compressing.opened(app.store, number), done=done)


@router.post("/summaries/{number}/edit")
def edit(
    request: Request,
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    number: str,
    topic: Annotated[str, Form()],
    tag: Annotated[str, Form()],
    line: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Say in the owner's words what a summary tells; a line that is left empty goes."""
    found, behind = compressing.opened(app.store, number)
    lines = line or []
    try:
        etags.require_same(tag, summary_json(found))
        with etags.seen_before():
            summary_changes.edit(app.store, found.name, topic=topic, lines=lines, cause=caller.cause, seen=found)
    except (PreconditionFailed, UsageError) as error:
        now = compressing.opened(app.store, number)
        told = changes.too_late(error, is_typed=len(lines) == len(now[0].lines))
        return _page(request, app, caller, now, error=told, typed=(topic, lines))
    return changes.shown(app, f"/episodes/summaries/{found.id}", begun, found.name)


@router.get("/{number}")
def shown(request: Request, app: TheApp, caller: Reader, number: str) -> Response:
    """Show an episode: its messages, the summary that stands for it, and what was learned from it."""
    episode, held = reading.opened(app.store, number)
    (told,) = reading.told(app.store, [episode])
    return render(request, caller, "episode.html", told=told, learned=facts.learned_from(app.store, held))


def _page(
    request: Request,
    app: App,
    caller: Caller,
    opened: tuple[Summary, list[Message]],
    *,
    done: str = "",
    error: HermesError | None = None,
    typed: tuple[str, list[str]] | None = None,
) -> Response:
    """Show a summary; `typed` is the topic, and the lines, that were refused."""
    found, behind = opened
    topic, lines = typed or (found.topic, [])
    return render(
        request,
        caller,
        "summary.html",
        summary=found,
        messages=behind[:_MOST_BEHIND],
        count=len(behind),
        entry=_entry(app, found.name),
        tag=etags.tag_of(summary_json(found)),
        topic=topic,
        lines=lines if len(lines) == len(found.lines) else [one["text"] for one in found.lines],
        error=error,
        done=changes.made(app, done),
    )


def _entry(app: App, name: str) -> Entry | None:
    with app.store.read() as connection:
        found = find(connection, name)
    return found if isinstance(found, Entry) else None
