"""Search over everything that is remembered; each hit opens where it stands."""

from itertools import groupby
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.settings import MEMORY_RETRIEVAL_MIN_RELEVANCE_SCORE
from hermes_agent.memory import searching
from hermes_agent.memory.search_types import types_for
from hermes_agent.memory.searching import TYPES, Match, Places, Searched, Type, Wanted
from hermes_agent.recall.asking import ask
from hermes_agent.recall.looking import HIDDEN_SOURCES
from hermes_agent.recall.reasons import signals_of
from hermes_agent.web import dates
from hermes_agent.web.callers import Reader, TheApp
from hermes_agent.web.dates import Typed
from hermes_agent.web.places import message_path, path_of
from hermes_agent.web.rendering import render

router = APIRouter()

_LIMIT = 10
_LONGEST = 2_000


@router.get("/search")
def shown(
    request: Request,
    app: TheApp,
    caller: Reader,
    q: Annotated[str, Query(max_length=_LONGEST)] = "",
    type: Annotated[Type | Literal[""], Query()] = "",
    since: Typed = "",
    until: Typed = "",
    as_of: Typed = "",
    explain: Annotated[bool, Query()] = False,
    far: Annotated[bool, Query()] = False,
) -> Response:
    """Show what fits, type by type."""
    found = _search(app, q.strip(), type or None, since, until, as_of, far=far) if q.strip() else None
    problem = app.embedder_choice.problem if found else None
    troubles = [] if found is None else [*([problem.message] if problem else []), *found.troubles]
    return render(
        request,
        caller,
        "search.html",
        q=q,
        type=type,
        types=TYPES,
        since=since,
        until=until,
        as_of=as_of,
        explain=explain,
        far=far,
        found=found,
        groups=[] if found is None else _groups(found),
        troubles=troubles,
        too_far=searching.TOO_FAR,
        nothing_fits=searching.NOTHING_FITS,
        signals_of=signals_of,
        path_to=path_to,
    )


def path_to(match: Match) -> str:
    """Return where a match is shown: a conversation at its message, else its own page."""
    is_said = match.type in ("episodes", "sessions") and not match.name.startswith("summary:")
    if match.session_id is not None and is_said:
        return message_path(match.session_id, match.message_id)
    return path_of(match.name) or "/"


def _search(app: App, said: str, asked: Type | None, since: str, until: str, as_of: str, *, far: bool) -> Searched:
    moment = dates.as_of(app, as_of)
    is_dated = bool(since.strip() or until.strip())
    types = types_for(asked, is_dated=is_dated, is_past=moment is not None)
    asking = ask(
        said,
        clock.to_datetime(clock.now() if moment is None else moment, app.zone),
        hidden_sources=HIDDEN_SOURCES,
        as_of=moment,
        since=dates.since(app, since),
        until=dates.until(app, until),
    )
    wanted = Wanted(said, asking, types, _LIMIT, app.settings[MEMORY_RETRIEVAL_MIN_RELEVANCE_SCORE], with_weak=far)
    return searching.search(Places(app.store, app.embedder, app.notebook, app.library, app.reranking), wanted)


def _groups(found: Searched) -> list[tuple[str, list[Match]]]:
    return [(type_, list(matches)) for type_, matches in groupby(found.matches, lambda match: match.type)]
