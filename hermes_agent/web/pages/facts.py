"""The facts: a list with its filters, one fact with its source and history, and the forms that change it."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from hermes_agent.app import App
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.memory import fact_changes, fact_history, growth
from hermes_agent.memory import facts as verbs
from hermes_agent.memory.shown.facts import fact_json
from hermes_agent.records.archive import Message
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import Fact
from hermes_agent.web import changes, dates, effects, etags
from hermes_agent.web.asked import Short
from hermes_agent.web.callers import Caller, Owner, Reader, TheApp
from hermes_agent.web.paging import Offset
from hermes_agent.web.problems import PreconditionFailed
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/facts")

_LIMIT = 50
_MOST_CONFLICTS = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which facts are asked for, as typed."""

    about: str = ""
    as_of: str = ""
    ended: bool = False
    offset: int = 0


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
    return _list(request, app, caller, Wanted(about, as_of, ended, offset), done=done)


@router.post("")
def add(
    request: Request, app: TheApp, caller: Owner, begun: changes.Begun, text: Annotated[str, Form()] = ""
) -> Response:
    """Add a fact; what is refused stays in the form, with the reason."""
    try:
        made = verbs.add(app.store, text, cause=caller.cause)
    except UsageError as error:
        return _list(request, app, caller, Wanted(), typed=text, error=error)
    return changes.shown(app, f"/facts/{made.fact.id}", begun, made.fact.name)


@router.get("/{number}")
def shown(
    request: Request, app: TheApp, caller: Reader, number: str, done: Annotated[str, Query()] = ""
) -> Response:
    """Show everything about a fact."""
    return _page(request, app, caller, verbs.get(app.store, number), done=done)


@router.post("/{number}/edit")
def edit(
    request: Request,
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    number: str,
    tag: Annotated[str, Form()],
    text: Annotated[str, Form()] = "",
) -> Response:
    """Correct a fact; what is refused stays in the form, beside the fact as it is now."""
    try:
        seen = _seen(app, number, tag)
        with etags.seen_before():
            made = fact_changes.edit(app.store, number, text, cause=caller.cause, seen=seen)
    except (PreconditionFailed, UsageError) as error:
        return refused(request, app, caller, number, error, typed=text)
    return changes.shown(app, f"/facts/{made.fact.id}", begun, *(one.name for one in _former(app, made.fact)))


@router.post("/{number}/pin")
def pin(
    request: Request,
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    number: str,
    is_pinned: Annotated[bool, Form()],
    tag: Annotated[str, Form()],
) -> Response:
    """Pin a fact, or let it go."""
    try:
        seen = _seen(app, number, tag)
        with etags.seen_before():
            fact = fact_changes.pin(app.store, number, is_pinned=is_pinned, cause=caller.cause, seen=seen)
    except PreconditionFailed as error:
        return refused(request, app, caller, number, error)
    return changes.shown(app, f"/facts/{fact.id}", begun, fact.name)


@router.post("/{number}/expire")
def expire(
    request: Request,
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    number: str,
    tag: Annotated[str, Form()],
    day: Annotated[str, Form()] = "",
) -> Response:
    """Say until when a fact is true."""
    try:
        seen = _seen(app, number, tag)
        end = dates.until(app, day)
        with etags.seen_before():
            fact = fact_changes.expire(app.store, number, end, cause=caller.cause, seen=seen)
    except (PreconditionFailed, UsageError) as error:
        return refused(request, app, caller, number, error, day=day)
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


def _list(
    request: Request,
    app: App,
    caller: Caller,
    wanted: Wanted,
    *,
    typed: str = "",
    error: HermesError | None = None,
    done: str = "",
) -> Response:
    """Show the facts; what somebody wanted to add and was refused stays in the form."""
    found: list[Fact] = []
    try:
        found = _found(app, wanted)
    except UsageError as refused:
        error = error or refused
    return render(
        request,
        caller,
        "facts.html",
        error=error,
        facts=found[:_LIMIT],
        next=wanted.offset + _LIMIT if len(found) > _LIMIT else None,
        conflicts=_conflicts(app, wanted),
        wanted=wanted,
        limit=_LIMIT,
        typed=typed,
        first_day=growth.first_day(app.store, app.zone),
        today=growth.today_in(app.zone),
        done=changes.made(app, done),
    )


def _found(app: App, wanted: Wanted) -> list[Fact]:
    moment = dates.as_of(app, wanted.as_of)
    return verbs.recent(
        app.store,
        _LIMIT + 1,
        with_ended=wanted.ended and moment is None,
        about=wanted.about.strip() or None,
        as_of=moment,
        offset=wanted.offset,
    )


def _conflicts(app: App, wanted: Wanted) -> list[fact_history.Conflict]:
    """Return the conflicts there are now among the facts shown; none for another moment, or a later part."""
    if wanted.as_of.strip() or wanted.offset:
        return []
    return fact_history.conflicts(app.store, _MOST_CONFLICTS, about=wanted.about.strip() or None)


def _page(
    request: Request,
    app: App,
    caller: Caller,
    fact: Fact,
    *,
    typed: str | None = None,
    day: str = "",
    error: HermesError | None = None,
    done: str = "",
) -> Response:
    (told,) = verbs.sourced(app.store, [fact])
    source = verbs.source(app.store, fact)
    chapters = fact_history.history(app.store, fact.name)
    sentences = [entry.text for chapter in chapters for entry in chapter.entries]
    sentences += [source.text] if isinstance(source, Entry) else []
    return render(
        request,
        caller,
        "fact.html",
        error=error,
        told=told,
        fact=fact,
        typed=typed,
        day=day,
        source=source,
        quote=_quote(fact, source) if isinstance(source, Message) else None,
        chapters=chapters,
        conflicts=fact_history.conflicts(app.store, _MOST_CONFLICTS, of=fact),
        known=effects.texts(app, sentences),
        tag=etags.tag_of(fact_json(told)),
        done=changes.made(app, done),
    )


def refused(
    request: Request,
    app: App,
    caller: Caller,
    number: str,
    error: HermesError,
    *,
    typed: str | None = None,
    day: str = "",
) -> Response:
    """Show the fact that holds now in the place of the one that was to be changed, with what was typed."""
    try:
        fact = verbs.get(app.store, number)
    except NotFound as gone:  # whoever undid it took the fact away
        return _list(request, app, caller, Wanted(), typed=typed or "", error=gone)
    while (later := verbs.sourced(app.store, [fact])[0].later) is not None:
        fact = later
    told = changes.too_late(error, is_typed=typed is not None)
    return _page(request, app, caller, fact, typed=typed, day=day, error=told)


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
