"""The map of people, projects and things, and a page for each of them: its facts, its sessions, its neighbours."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.errors import NotFound
from hermes_agent.memory import map_names, meanwhile
from hermes_agent.memory.forget_asked import is_distinct
from hermes_agent.store import entities, entity_joins, entity_map, episodes, facts, sessions
from hermes_agent.text.entity_keys import entity_key
from hermes_agent.web import maps
from hermes_agent.web.asked import Short
from hermes_agent.web.callers import Reader, TheApp
from hermes_agent.web.maps import Map
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/map")

KINDS = {
    "name": "people and places",
    "project": "projects",
    "quoted": "titles",
    "handle": "handles",
    "domain": "domains",
    "email": "e-mail addresses",
    "ticket": "tickets",
    "path": "files",
    "version": "versions",
}
_DEFAULT = ("name", "project", "quoted", "handle")
_FACTS = 100
_EPISODES = 200
_NEAR = 30
_FRESH_SECONDS = 20


@router.get("")
def shown(
    request: Request,
    app: TheApp,
    caller: Reader,
    kind: Annotated[list[str], Query(max_length=20)] = [],  # noqa: B006 - FastAPI copies it
    count: Annotated[int, Query(ge=5, le=150)] = 40,
) -> Response:
    """Show the things that are named most, those that are named together near each other."""
    kinds = [one for one in kind if one in KINDS] or list(_DEFAULT)
    drawn = _drawn(request, app, tuple(sorted(set(kinds))), count)
    with app.store.read() as connection:
        total = entities.count(connection)
    return render(request, caller, "map.html", drawn=drawn, kinds=KINDS, chosen=kinds, count=count, total=total)


def _drawn(request: Request, app: App, kinds: tuple[str, ...], count: int) -> Map:
    """Draw a map, the last one again for some seconds: finding the places takes a while.

    Not after something was forgotten, by whatever process: the last one may name it.
    """
    wanted = (kinds, count, meanwhile.standing(app.store).receipt)
    kept = getattr(request.app.state, "map", None)
    if kept is None or kept[0] != wanted or clock.monotonic() - kept[1] > _FRESH_SECONDS:
        with app.store.read() as connection:
            together = map_names.without_openers(connection, entity_map.latest(connection, kinds), count)
        kept = (wanted, clock.monotonic(), maps.draw(together, count))
        request.app.state.map = kept
    drawn: Map = kept[2]
    return drawn


@router.get("/thing")
def thing(
    request: Request,
    app: TheApp,
    caller: Reader,
    key: Annotated[str, Query(max_length=500)] = "",
    name: Short = "",
) -> Response:
    """Show what is known of a person, a project or a thing."""
    wanted = key or entity_key(name)
    with app.store.read() as connection:
        found = entity_map.by_key(connection, wanted)
        if found is None:
            raise NotFound("Nothing names that any more.", hint="The map shows what is named.")
        ids = list(dict.fromkeys([found.id, *entities.resolve(connection, [found.key]).get(found.key, ())]))
        spellings = entity_map.spellings(connection, found)
        joined = {one.alias for one in entity_joins.every(connection)}
        known = facts.get_many(connection, facts.naming(connection, ids, with_ended=True)[:_FACTS])
        told = entities.items_of(connection, ids, "episode", _EPISODES)
        latest = sorted(episodes.get_many(connection, told).values(), key=lambda one: (-one.said_at, -one.id))
        held = sessions.get_many(connection, list(dict.fromkeys(one.session_id for one in latest)))
        around = entity_map.around(connection, ids)
    firsts = {one.session_id: one for one in reversed(latest)}
    return render(
        request,
        caller,
        "thing.html",
        thing=found,
        can_be_sought=is_distinct(found.name),
        kind=KINDS.get(found.kind, found.kind),
        spellings=spellings,
        joined=joined,
        facts=sorted(known.values(), key=lambda fact: (fact.state != "current", -fact.id)),
        sessions=[(session, firsts[session.id]) for session in held.values()],
        near=maps.near(around, ids)[:_NEAR],
        is_more=len(told) == _EPISODES,
    )
