"""`/api/search` and `/api/context`: what is remembered, for a question or for a task."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from hermes_agent.config.settings import MEMORY_RETRIEVAL_ENABLED
from hermes_agent.errors import UsageError
from hermes_agent.memory import asked_search
from hermes_agent.memory.asked_search import Wishes
from hermes_agent.memory.searching import Type
from hermes_agent.memory.shown.context import context_json
from hermes_agent.memory.shown.matches import searched_json
from hermes_agent.recall.looking import PAGE_SCAN_SECONDS
from hermes_agent.web import dates
from hermes_agent.web.answers import answer, gives
from hermes_agent.web.api.given import Given
from hermes_agent.web.asked import AsOf, DateText, Question, Since, Until
from hermes_agent.web.callers import Reader, TheApp
from hermes_agent.web.shapes import Object, having

router = APIRouter(tags=["search"])

FOUND = having(
    "Found",
    "What a search found, the best of each type first.",
    query=str,
    types=list[Type],
    results=list[Object],
    count=int,
    troubles=list[str],
    advice=str | None,
)
CONTEXT = having(
    "Context",
    "What memory puts in front of a task, and what it left out.",
    text=str,
    items=list[Object],
    left_out=list[Object],
    troubles=list[str],
    is_sent=bool,
)


class Task(Given):
    """A task as it would be put to the agent."""

    task: Annotated[str, Field(min_length=1, max_length=100_000)]
    as_of: DateText | None = None
    budget_tokens: Annotated[
        int | None, Field(ge=0, le=10_000_000, description="Most tokens, instead of the setting's.")
    ] = None


@router.get("/search", responses=gives(FOUND))
def search(
    app: TheApp,
    caller: Reader,
    q: Question,
    type: Annotated[Type | None, Query(description="Only this type; `sessions` only if it is asked for.")] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="Most of each type.")] = 10,
    since: Since = None,
    until: Until = None,
    as_of: AsOf = None,
    weak: Annotated[bool, Query(description="Also what is far from the question.")] = False,
    explain: Annotated[bool, Query(description="Say why each was found.")] = False,
) -> Response:
    """Find what is remembered, by its words and by its meaning; notes and skills only where no dates are given."""
    said = q.strip()
    if not said:
        raise UsageError("There is nothing to look for.", hint="Say what: ?q=…")
    wishes = Wishes(
        said, () if type is None else (type,), limit, since, until, as_of, weak, scan_seconds=PAGE_SCAN_SECONDS
    )
    return answer(searched_json(said, asked_search.search(app, wishes), with_reasons=explain))


@router.post("/context", responses=gives(CONTEXT))
def preview_context(app: TheApp, caller: Reader, task: Task) -> Response:
    """Tell what memory would put in front of a task, and why each was taken or left out; nothing is kept."""
    moment = dates.as_of(app, task.as_of)
    found = app.memory.recall(task.task, budget_tokens=task.budget_tokens, as_of=moment)
    return answer(context_json(found, is_sent=app.settings[MEMORY_RETRIEVAL_ENABLED]))
