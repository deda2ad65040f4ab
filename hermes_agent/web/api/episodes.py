"""`/api/episodes` and `/api/summaries`: exchanges, and what stands for old ones; both open to their messages."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from hermes_agent.memory import compressing, episode_reading
from hermes_agent.memory.shown.archive import message_json
from hermes_agent.memory.shown.episodes import episode_json, opened_episode_json
from hermes_agent.memory.shown.learned import summary_json
from hermes_agent.records.memory import Episode
from hermes_agent.records.summaries import Summary
from hermes_agent.web import dates
from hermes_agent.web.answers import lists, page, shows, tagged
from hermes_agent.web.api.sessions import MESSAGE
from hermes_agent.web.asked import Name, Since, Until
from hermes_agent.web.callers import Reader, TheApp
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Object, also, record

router = APIRouter(tags=["episodes"])

EPISODE = record("Episode", Episode, id=str, name=str)
OPENED = also("OpenedEpisode", EPISODE, messages=list[MESSAGE])  # type: ignore[valid-type]  # made while it runs
SUMMARY = record("Summary", Summary, id=str, name=str, lines=list[Object])


@router.get("/episodes", responses=lists(EPISODE))
def list_episodes(
    app: TheApp,
    caller: Reader,
    limit: Limit = 50,
    offset: Offset = 0,
    session: Annotated[str | None, Query(max_length=300, description="Only of this session.")] = None,
    since: Since = None,
    until: Until = None,
) -> Response:
    """List episodes, the latest first."""
    found = episode_reading.recent(
        app.store,
        limit + 1,
        offset,
        since=dates.since(app, since),
        until=dates.until(app, until),
        session=session,
    )
    return page([episode_json(one) for one in found], limit, offset)


@router.get("/episodes/{name}", responses=shows(OPENED))
def show_episode(app: TheApp, caller: Reader, request: Request, name: Name) -> Response:
    """Show an episode with its messages."""
    return tagged(request, opened_episode_json(*episode_reading.opened(app.store, name)))


@router.get("/summaries", responses=lists(SUMMARY))
def list_summaries(app: TheApp, caller: Reader, limit: Limit = 50, offset: Offset = 0) -> Response:
    """List the summaries that stand for old episodes, those of the latest time first."""
    found = compressing.recent(app.store, limit + 1, offset)
    return page([summary_json(one) for one in found], limit, offset)


@router.get("/summaries/{name}", responses=shows(SUMMARY))
def show_summary(app: TheApp, caller: Reader, request: Request, name: Name) -> Response:
    """Show a summary. `POST /api/journal/{name}/undo` takes it back."""
    return tagged(request, summary_json(compressing.opened(app.store, name)[0]))


@router.get("/summaries/{name}/messages", responses=lists(MESSAGE))
def list_messages(app: TheApp, caller: Reader, name: Name, limit: Limit = 50, offset: Offset = 0) -> Response:
    """List the messages that a summary stands for, in order; none if they were discarded."""
    _, found = compressing.opened(app.store, name)
    return page([message_json(one) for one in found[offset : offset + limit + 1]], limit, offset)
