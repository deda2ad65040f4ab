"""The context inspector: what would be put in front of a task, exactly as a model gets it, and why."""

from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from hermes_agent.config.settings import MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS, MEMORY_RETRIEVAL_ENABLED
from hermes_agent.errors import UsageError
from hermes_agent.recall.context import OVER_BUDGET, Context, named, place
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.reasons import signals_of, two_digits
from hermes_agent.text.tokens import CHARACTERS_PER_TOKEN
from hermes_agent.web import dates
from hermes_agent.web.asked import Short
from hermes_agent.web.callers import Reader, TheApp
from hermes_agent.web.places import message_path, path_of
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/context")

_LONGEST_TASK = 4_000
_MOST_LEFT_OUT = 100


@dataclass(frozen=True, slots=True)
class Shown:
    """Something that was found: where it is, what it says, and the numbers that decided about it."""

    hit: Hit
    where: str
    link: str | None
    text: str
    reason: str
    rank: int
    relevance: str
    signals: str


@router.get("")
def shown(
    request: Request,
    app: TheApp,
    caller: Reader,
    task: Annotated[str, Query()] = "",
    as_of: Short = "",
    budget: Annotated[str, Query(pattern="^[0-9]{0,8}$")] = "",
) -> Response:
    """Ask for a task, and show what memory would put in front of it."""
    usual = app.settings[MEMORY_RETRIEVAL_CONTEXT_BUDGET_TOKENS]
    found, refused = None, None
    try:
        moment = dates.as_of(app, as_of)
        if task.strip():
            found = app.memory.recall(_asked(task), budget_tokens=int(budget) if budget else None, as_of=moment)
    except UsageError as error:
        refused = error
    return render(
        request,
        caller,
        "context.html",
        error=refused,
        task=task,
        as_of=as_of,
        budget=budget,
        usual=usual,
        is_sent=app.settings[MEMORY_RETRIEVAL_ENABLED],
        found=found,
        tokens=0 if found is None else len(found.text) // CHARACTERS_PER_TOKEN,
        taken=[] if found is None else _taken(found, app.zone),
        left_out=[] if found is None else _left_out(found),
        left_count=0 if found is None else len(found.left_out),
    )


def _asked(task: str) -> str:
    if len(task) > _LONGEST_TASK:
        raise UsageError(
            f"A task has at most {_LONGEST_TASK:,} characters here; this one has {len(task):,}.",
            hint="Say it shorter.",
        )
    return task


def _taken(found: Context, zone: tzinfo | None) -> list[Shown]:
    ranks = _ranks(found)
    return [
        # The mark stands beside the place, in a pill of its own.
        _shown(hit, place(replace(hit, mark=None), zone), item.text, reason, ranks[id(hit)])
        for item, hit, reason in zip(found.items, found.hits, found.reasons, strict=True)
    ]


def _left_out(found: Context) -> list[Shown]:
    ranks = _ranks(found)
    # What only the budget cut would have been next.
    ordered = sorted(found.left_out, key=lambda left: (left.reason != OVER_BUDGET, ranks[id(left.hit)]))
    return [
        _shown(
            left.hit,
            named(left.hit) or f"message {left.hit.message_id}",
            left.hit.text,
            left.reason,
            ranks[id(left.hit)],
        )
        for left in ordered[:_MOST_LEFT_OUT]
    ]


def _ranks(found: Context) -> dict[int, int]:
    """Return which place each hit has by its relevance, among all that was found."""
    every = [*found.hits, *(left.hit for left in found.left_out)]
    ordered = sorted(every, key=lambda hit: (-hit.relevance, -hit.score))
    return {id(hit): place for place, hit in enumerate(ordered, 1)}


def _shown(hit: Hit, where: str, text: str, reason: str, rank: int) -> Shown:
    said = None if hit.session_id is None else message_path(hit.session_id, hit.message_id)
    link = path_of(named(hit)) or said
    return Shown(hit, where, link, text, reason, rank, two_digits(hit.relevance), ", ".join(signals_of(hit)))
