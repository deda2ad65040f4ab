"""`/api/facts`: what is held to be true: listed, added, corrected, deleted; each with where it came from."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from hermes_agent.app import App
from hermes_agent.memory import fact_changes, fact_history
from hermes_agent.memory import facts as verbs
from hermes_agent.memory.shown.facts import fact_json
from hermes_agent.memory.shown.journal import entry_json
from hermes_agent.records.archive import Json
from hermes_agent.records.memory import Fact
from hermes_agent.text.dates import last_moment_of, moment_of
from hermes_agent.web import etags
from hermes_agent.web.callers import Reader, TheApp, Writer
from hermes_agent.web.paging import Limit, Offset, page

router = APIRouter(prefix="/facts", tags=["facts"])

Sentence = Annotated[str, Field(min_length=1, max_length=verbs.LONGEST, description="One sentence.")]


class NewFact(BaseModel):
    """A fact in its owner's words."""

    text: Sentence


class FactChange(BaseModel):
    """What is to be different about a fact; what is left out stays."""

    text: Sentence | None = None
    is_pinned: bool | None = None
    valid_to: (
        Annotated[str, Field(description="Until when it is true: a date; `never` takes an end away.")] | None
    ) = None


@router.get("")
def list_facts(
    app: TheApp,
    caller: Reader,
    limit: Limit = 50,
    offset: Offset = 0,
    state: Annotated[
        Literal["current", "all"], Query(description="`all` lists those that ended, too.")
    ] = "current",
    about: Annotated[str | None, Query(description="Only about somebody or something: me, Ana, Atlas.")] = None,
    as_of: Annotated[str | None, Query(description="What was true then, by what is known today.")] = None,
    believed: Annotated[str | None, Query(description="What memory held to be true then.")] = None,
) -> dict[str, Json]:
    """List facts, the newest first."""
    found = verbs.recent(
        app.store,
        offset + limit + 1,
        with_ended=state == "all",
        about=about,
        as_of=last_moment_of(as_of, app.zone),
        believed=last_moment_of(believed, app.zone),
    )[offset:]
    return page(verbs.sourced(app.store, found), limit, offset, fact_json)


@router.post("", status_code=201)
def add_fact(app: TheApp, caller: Writer, new: NewFact, response: Response) -> dict[str, Json]:
    """Add a fact; the same sentence twice is one fact."""
    outcome = verbs.add(app.store, new.text, cause=caller.cause)
    return _shown(app, outcome.fact, response)


@router.get("/{number}")
def show_fact(app: TheApp, caller: Reader, number: str, response: Response) -> dict[str, Json]:
    """Show a fact with its source."""
    return _shown(app, verbs.get(app.store, number), response)


@router.get("/{number}/history")
def show_history(app: TheApp, caller: Reader, number: str) -> dict[str, Json]:
    """Tell what became of a fact: those before and after it, and the changes."""
    chapters = fact_history.history(app.store, number)
    told = verbs.sourced(app.store, [chapter.fact for chapter in chapters])
    return {
        "items": [
            {**fact_json(one), "changes": [entry_json(entry) for entry in chapter.entries]}
            for chapter, one in zip(chapters, told, strict=True)
        ]
    }


@router.patch("/{number}")
def change_fact(
    app: TheApp, caller: Writer, request: Request, number: str, change: FactChange, response: Response
) -> dict[str, Json]:
    """Correct a fact, pin it, or say until when it is true. A corrected one has a new number."""
    fact = verbs.get(app.store, number)
    etags.require(request, _json(app, fact))
    if change.is_pinned is not None:
        fact = fact_changes.pin(app.store, fact.name, is_pinned=change.is_pinned, cause=caller.cause)
    if change.valid_to is not None:
        end = None if change.valid_to == "never" else moment_of(change.valid_to, app.zone, is_end=True)
        fact = fact_changes.expire(app.store, fact.name, end, cause=caller.cause)
    if change.text is not None:
        fact = fact_changes.edit(app.store, fact.name, change.text, cause=caller.cause).fact
    return _shown(app, fact, response)


@router.delete("/{number}")
def delete_fact(app: TheApp, caller: Writer, request: Request, number: str, response: Response) -> dict[str, Json]:
    """Delete a fact: it was wrong. It is still listed with `state=all`, and can be undone."""
    fact = verbs.get(app.store, number)
    etags.require(request, _json(app, fact))
    return _shown(app, verbs.delete(app.store, fact.name, cause=caller.cause), response)


def _json(app: App, fact: Fact) -> dict[str, Json]:
    (told,) = verbs.sourced(app.store, [fact])
    return fact_json(told)


def _shown(app: App, fact: Fact, response: Response) -> dict[str, Json]:
    shown = _json(app, fact)
    etags.mark(response, shown)
    return shown
