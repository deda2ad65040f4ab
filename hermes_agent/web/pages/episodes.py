"""The episodes, exchange by exchange, and the summaries that stand for old ones; both open to their messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from hermes_agent.app import App
from hermes_agent.errors import NotFound
from hermes_agent.memory import compressing, numbers
from hermes_agent.memory.undoable import find
from hermes_agent.recall.looking import HIDDEN_SOURCES
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import Episode, Said
from hermes_agent.store import entities, episodes, facts, messages, summaries
from hermes_agent.text.entity_keys import entity_key
from hermes_agent.web import changes, dates
from hermes_agent.web.callers import Reader, TheApp
from hermes_agent.web.dates import Start, Typed
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/episodes")

_LIMIT = 30
_MOST_NAMING = 2_000
_FOREVER = 2**62


@dataclass(frozen=True, slots=True)
class Told:
    """An episode and what was said in it."""

    episode: Episode
    said: Sequence[Said]


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    about: Typed = "",
    since: Typed = "",
    until: Typed = "",
    as_of: Typed = "",
    every: Annotated[bool, Query()] = False,
    offset: Start = 0,
) -> Response:
    """Show the exchanges, the latest first; `as_of` leaves out what was said after that day."""
    ends = [moment for moment in (dates.until(app, until), dates.as_of(app, as_of)) if moment is not None]
    begin, end = dates.since(app, since) or 0, min(ends, default=_FOREVER)
    hidden = () if every else HIDDEN_SOURCES
    with app.store.read() as connection:
        if about.strip():
            things = entities.resolve(connection, [entity_key(about.strip())])
            ids = [one for group in things.values() for one in group]
            naming = episodes.get_many(connection, entities.items_of(connection, ids, "episode", _MOST_NAMING))
            inside = [one for one in naming.values() if begin <= one.said_at < end and one.source not in hidden]
            found = sorted(inside, key=lambda one: (-one.said_at, -one.id))[offset : offset + _LIMIT + 1]
        else:
            found = episodes.between(connection, begin, end, _LIMIT + 1, hidden, offset)
        said = episodes.texts(connection, [one.id for one in found[:_LIMIT]])
        count = summaries.count(connection)
    return render(
        request,
        caller,
        "episodes.html",
        told=[Told(one, said.get(one.id, ())) for one in found[:_LIMIT]],
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        offset=offset,
        limit=_LIMIT,
        about=about,
        since=since,
        until=until,
        as_of=as_of,
        every=every,
        summaries=count,
    )


@router.get("/summaries")
def summarized(
    request: Request, app: TheApp, caller: Reader, as_of: Typed = "", offset: Start = 0, done: Typed = ""
) -> Response:
    """Show the summaries, those of the latest time first; `as_of` leaves out those made after that day."""
    moment = dates.as_of(app, as_of)
    with app.store.read() as connection:
        found = summaries.recent(connection, _LIMIT + 1, made_before=moment, offset=offset)
    return render(
        request,
        caller,
        "summaries.html",
        summaries=found[:_LIMIT],
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        offset=offset,
        limit=_LIMIT,
        as_of=as_of,
        done=changes.made(app, done),
    )


@router.get("/summaries/{number}")
def summary(request: Request, app: TheApp, caller: Reader, number: str) -> Response:
    """Show a summary and the messages behind it."""
    found, behind = compressing.opened(app.store, number)
    return render(
        request,
        caller,
        "summary.html",
        summary=found,
        messages=behind[:_MOST_NAMING],
        count=len(behind),
        entry=_entry(app, found.name),
    )


@router.get("/{number}")
def shown(request: Request, app: TheApp, caller: Reader, number: str) -> Response:
    """Show an episode: its messages, the summary that stands for it, and what was learned from it."""
    wanted = numbers.read(number, "episode")
    with app.store.read() as connection:
        episode = episodes.get(connection, wanted)
        if episode is None:
            raise NotFound(f"There is no episode:{wanted}.", hint="It may have gone with its conversation.")
        said = episodes.texts(connection, [episode.id]).get(episode.id, [])
        uids = [one.uid for one in messages.get_many(connection, [each.message_id for each in said]).values()]
        learned = facts.said_in(connection, uids)
    return render(request, caller, "episode.html", told=Told(episode, said), learned=learned)


def _entry(app: App, name: str) -> Entry | None:
    with app.store.read() as connection:
        found = find(connection, name)
    return found if isinstance(found, Entry) else None
