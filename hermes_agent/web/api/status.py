"""`/api/status`, `/api/cost` and `/api/selftests`: how all is, what it costs, how well memory finds."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from hermes_agent import status as sections
from hermes_agent.memory import reembedding, spending
from hermes_agent.memory.full_notes import full_notes
from hermes_agent.memory.selftest import history
from hermes_agent.memory.shown.cost import cost_json
from hermes_agent.memory.shown.selftest import run_json
from hermes_agent.memory.shown.status import counts_json, troubles_json
from hermes_agent.memory.spending import KEPT_DAYS
from hermes_agent.memory.status import count, details, reranker_trouble
from hermes_agent.web.answers import answer, gives, lists, page
from hermes_agent.web.callers import Reader, TheApp
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Moment, Object, having

router = APIRouter(tags=["status"])

STATUS = having(
    "Status", "How everything is, and what to do about what is not well.", is_well=bool, advice=list[Object]
)
COUNTS = having("Counts", "What memory holds.", episodes=Object, facts=int, reflections=int, size_bytes=int)
COST = having("Cost", "What memory costs.", days=list[Object], items=list[Object], total=Object, cap=Object)
RUN = having("SelfTest", "How well memory found what it was told.", uid=str, at=Moment, cause=str, recall_10=float)


@router.get("/status", responses=gives(STATUS))
def show_status(app: TheApp, caller: Reader) -> Response:
    """Tell how everything is: daemon, jobs, store, profile, model, embedder, index, learning, backups, …"""
    return answer(sections.as_json(sections.lines(app)))


@router.get("/status/counts", responses=gives(COUNTS))
def show_counts(app: TheApp, caller: Reader) -> Response:
    """Count what memory holds, and tell what stands behind it."""
    counts, more = count(app.store, app.embedder), details(app.store, app.embedder)
    troubles = troubles_json(
        reranker_trouble(app.store, app.reranking), reembedding.trouble(app.store), full_notes(app.notebook)
    )
    today, problem = app.cap.today(app.store), app.embedder_choice.problem
    return answer(counts_json(counts, more, app.home, today, problem) | troubles)


@router.get("/cost", responses=gives(COST))
def show_cost(
    app: TheApp,
    caller: Reader,
    days: Annotated[int, Query(ge=1, le=KEPT_DAYS, description="So many days, with today.")] = 7,
    by: Annotated[Literal["day", "item"], Query(description="`item` adds the dearest items.")] = "day",
    limit: Limit = 20,
) -> Response:
    """Tell what memory costs: calls, tokens and time, and the tokens that recall saved."""
    found = spending.days(app.store, days, app.zone)
    items = spending.items(app.store, days, app.zone, limit) if by == "item" else []
    return answer(cost_json(found, items, app.cap.today(app.store), spending.waiting(app.store)))


@router.get("/selftests", responses=lists(RUN))
def list_selftests(app: TheApp, caller: Reader, limit: Limit = 50, offset: Offset = 0) -> Response:
    """List the self-tests that were made, the newest first."""
    found = history(app.store, limit + 1, offset)
    return page([run_json(one) for one in found], limit, offset)
