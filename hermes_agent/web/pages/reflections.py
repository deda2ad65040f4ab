"""Reflections: what tasks taught, by type of task; each with where it comes from, and the forms that change it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from hermes_agent.app import App
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.jobs.reflecting import count_waiting
from hermes_agent.memory import reflections as verbs
from hermes_agent.memory.shown.learned import reflection_json
from hermes_agent.records.reflections import Reflection, TaskOutcome, TaskType
from hermes_agent.store import messages
from hermes_agent.web import changes, etags
from hermes_agent.web.callers import Caller, Owner, Reader, TheApp
from hermes_agent.web.paging import Offset
from hermes_agent.web.problems import PreconditionFailed
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/reflections")

_LIMIT = 50
TYPES: tuple[TaskType, ...] = get_args(TaskType)
OUTCOMES: tuple[TaskOutcome, ...] = get_args(TaskOutcome)
Ending = Literal["done", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class Lessons:
    """What somebody typed about a task: how it went, and what it taught."""

    outcome: Ending
    worked: Sequence[str]
    differently: Sequence[str]


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    type: Annotated[str, Query()] = "",
    offset: Offset = 0,
    done: Annotated[str, Query()] = "",
) -> Response:
    """Show what tasks taught, the latest first."""
    if type and type not in TYPES:
        raise NotFound(f"There is no type of task {type[:60]!r}.", hint=f"There are: {', '.join(TYPES)}.")
    found = verbs.recent(app.store, _LIMIT + 1, type or None, offset)
    return render(
        request,
        caller,
        "reflections.html",
        reflections=found[:_LIMIT],
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        offset=offset,
        limit=_LIMIT,
        type=type,
        types=TYPES,
        waiting=0 if found else count_waiting(app.memory),
        done=changes.made(app, done),
    )


@router.get("/{number}")
def shown(
    request: Request, app: TheApp, caller: Reader, number: str, done: Annotated[str, Query()] = ""
) -> Response:
    """Show everything about a reflection."""
    return _page(request, app, caller, verbs.get(app.store, number), done=done)


@router.post("/{number}/edit")
def edit(
    request: Request,
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    number: str,
    outcome: Annotated[Ending, Form()],
    tag: Annotated[str, Form()],
    worked: Annotated[str, Form()] = "",
    differently: Annotated[str, Form()] = "",
) -> Response:
    """Say in the owner's words how a task went and what it taught."""
    lessons = Lessons(outcome, worked.splitlines(), differently.splitlines())
    try:
        found = _same(app, number, tag)
        with etags.seen_before():
            verbs.edit(
                app.store,
                found.name,
                outcome=outcome,
                worked=lessons.worked,
                differently=lessons.differently,
                cause=caller.cause,
                seen=found,
            )
    except (PreconditionFailed, UsageError) as error:
        now = verbs.get(app.store, number)
        return _page(request, app, caller, now, error=changes.too_late(error), typed=lessons)
    return changes.shown(app, f"/reflections/{found.id}", begun, found.name)


@router.get("/{number}/delete")
def ask_delete(request: Request, app: TheApp, caller: Owner, number: str) -> Response:
    """Show what deleting a reflection does, and ask."""
    found = verbs.get(app.store, number)
    return render(request, caller, "reflection_delete.html", one=found, tag=_tag(found))


@router.post("/{number}/delete")
def delete(app: TheApp, caller: Owner, begun: changes.Begun, number: str, tag: Annotated[str, Form()]) -> Response:
    """Delete a reflection."""
    found = _same(app, number, tag)
    with etags.seen_before():
        verbs.delete(app.store, found.name, cause=caller.cause, seen=found)
    return changes.shown(app, "/reflections", begun, found.name)


def _page(
    request: Request,
    app: App,
    caller: Caller,
    found: Reflection,
    *,
    error: HermesError | None = None,
    done: str = "",
    typed: Lessons | None = None,
) -> Response:
    """Show a reflection; `typed` is what was refused, which stays in the form."""
    with app.store.read() as connection:
        asked = messages.by_uid(connection, found.message_uid)
    return render(
        request,
        caller,
        "reflection.html",
        one=found,
        typed=typed or found,
        asked=asked,
        seconds=(found.ended_at - found.began_at) // 1_000_000,
        outcomes=OUTCOMES,
        tag=_tag(found),
        error=error,
        done=changes.made(app, done),
    )


def _same(app: App, number: str, tag: str) -> Reflection:
    found = verbs.get(app.store, number)
    etags.require_same(tag, reflection_json(found))
    return found


def _tag(found: Reflection) -> str:
    return etags.tag_of(reflection_json(found))
