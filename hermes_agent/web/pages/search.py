"""Search over everything that is remembered; each hit opens where it stands."""

from itertools import groupby
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from hermes_agent.errors import UsageError
from hermes_agent.memory import asked_search, searching
from hermes_agent.memory.asked_search import Wishes
from hermes_agent.memory.searching import TYPES, Match, Searched, Type
from hermes_agent.recall.looking import PAGE_SCAN_SECONDS
from hermes_agent.recall.reasons import signals_of
from hermes_agent.web.asked import Short
from hermes_agent.web.callers import Reader, TheApp
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
    since: Short = "",
    until: Short = "",
    as_of: Short = "",
    explain: Annotated[bool, Query()] = False,
    far: Annotated[bool, Query()] = False,
) -> Response:
    """Show what fits, type by type."""
    wishes = Wishes(
        q.strip(), (type,) if type else (), _LIMIT, since, until, as_of, far, scan_seconds=PAGE_SCAN_SECONDS
    )
    found, refused = None, None
    try:
        found = asked_search.search(app, wishes) if wishes.said else None
    except UsageError as error:
        refused = error
    return render(
        request,
        caller,
        "search.html",
        error=refused,
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
        troubles=[] if found is None else found.troubles,
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


def _groups(found: Searched) -> list[tuple[str, list[Match]]]:
    return [(type_, list(matches)) for type_, matches in groupby(found.matches, lambda match: match.type)]
