"""The facts: a list with its filters, one fact with its source and history, and the forms that change it."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from hermes_agent.app import App
from hermes_agent.memory import fact_changes, fact_history, growth
from hermes_agent.memory import facts as verbs
from hermes_agent.memory.shown.facts import fact_json
from hermes_agent.records.archive import Message
from hermes_agent.records.memory import Fact
from hermes_agent.web import changes, dates, etags
from hermes_agent.web.asked import Short
from hermes_agent.web.callers import Owner, Reader, TheApp
from hermes_agent.web.paging import Offset
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/facts")

_LIMIT = 50
_MOST_CONFLICTS = 100


@dataclass(frozen=True, slots=True)
class Quote:
    """The words of a message that a fact was taken from, and those around them."""

    before: str
    words: str
    after: str


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    about: Short = "",
    as_of: Short = "",
    ended: Annotated[bool, Query()] = False,
    offset: Offset = 0,
    done: Annotated[str, Query()] = "",
) -> Response:
    """Show the facts, the newest first."""
    moment = dates.as_of(app, as_of)
    found = verbs.recent(
        app.store,
        _LIMIT + 1,
        with_ended=ended and moment is None,
        about=about.strip() or None,
        as_of=moment,
        offset=offset,
    )
    first = growth.first_day(app.store, app.zone)
    return render(
        request,
        caller,
        "facts.html",
        facts=found[:_LIMIT],
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        conflicts=fact_history.conflicts(app.store, _MOST_CONFLICTS),
        offset=offset,
        limit=_LIMIT,
        about=about,
        as_of=as_of,
        ended=ended,
        first_day=first,
        today=growth.today_in(app.zone),
        done=changes.made(app, done),
    )


@router.post("")
def add(app: TheApp, caller: Owner, begun: changes.Begun, text: Annotated[str, Form()]) -> Response:
    """Add a fact."""
    made = verbs.add(app.store, text, cause=caller.cause)
    return changes.shown(app, f"/facts/{made.fact.id}", begun, made.fact.name)


@router.get("/{number}")
def shown(
    request: Request, app: TheApp, caller: Reader, number: str, done: Annotated[str, Query()] = ""
) -> Response:
    """Show everything about a fact."""
    fact = verbs.get(app.store, number)
    (told,) = verbs.sourced(app.store, [fact])
    source = verbs.source(app.store, fact)
    return render(
        request,
        caller,
        "fact.html",
        told=told,
        fact=fact,
        source=source,
        quote=_quote(fact, source) if isinstance(source, Message) else None,
        chapters=fact_history.history(app.store, number),
        tag=etags.tag_of(fact_json(told)),
        done=changes.made(app, done),
    )


@router.post("/{number}/edit")
def edit(
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    number: str,
    text: Annotated[str, Form()],
    tag: Annotated[str, Form()],
) -> Response:
    """Correct a fact."""
    seen = _seen(app, number, tag)
    with etags.seen_before():
        made = fact_changes.edit(app.store, number, text, cause=caller.cause, seen=seen)
    return changes.shown(app, f"/facts/{made.fact.id}", begun, *(one.name for one in _former(app, made.fact)))


@router.post("/{number}/pin")
def pin(
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    number: str,
    is_pinned: Annotated[bool, Form()],
    tag: Annotated[str, Form()],
) -> Response:
    """Pin a fact, or let it go."""
    seen = _seen(app, number, tag)
    with etags.seen_before():
        fact = fact_changes.pin(app.store, number, is_pinned=is_pinned, cause=caller.cause, seen=seen)
    return changes.shown(app, f"/facts/{fact.id}", begun, fact.name)


@router.post("/{number}/expire")
def expire(
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    number: str,
    tag: Annotated[str, Form()],
    day: Annotated[str, Form()] = "",
) -> Response:
    """Say until when a fact is true."""
    seen = _seen(app, number, tag)
    end = dates.until(app, day)
    with etags.seen_before():
        fact = fact_changes.expire(app.store, number, end, cause=caller.cause, seen=seen)
    return changes.shown(app, f"/facts/{fact.id}", begun, fact.name)


@router.get("/{number}/delete")
def ask_delete(request: Request, app: TheApp, caller: Owner, number: str) -> Response:
    """Show what deleting a fact does, and ask."""
    fact = verbs.get(app.store, number)
    (told,) = verbs.sourced(app.store, [fact])
    return render(request, caller, "fact_delete.html", fact=fact, tag=etags.tag_of(fact_json(told)))


@router.post("/{number}/delete")
def delete(app: TheApp, caller: Owner, begun: changes.Begun, number: str, tag: Annotated[str, Form()]) -> Response:
    """Delete a fact."""
    seen = _seen(app, number, tag)
    with etags.seen_before():
        gone = verbs.delete(app.store, number, cause=caller.cause, seen=seen)
    return changes.shown(app, "/facts", begun, gone.name)


def _seen(app: App, number: str, tag: str) -> Fact:
    fact = verbs.get(app.store, number)
    (told,) = verbs.sourced(app.store, [fact])
    etags.require_same(tag, fact_json(told))
    return fact


def _former(app: App, fact: Fact) -> list[Fact]:
    (told,) = verbs.sourced(app.store, [fact])
    return list(told.former)


def _quote(fact: Fact, message: Message) -> Quote | None:
    text = message.content
    if text is None or fact.span_start is None or fact.span_end is None:
        return None
    return Quote(text[: fact.span_start], text[fact.span_start : fact.span_end], text[fact.span_end :])
