"""`/api/facts`: what is held to be true: listed, added, corrected, deleted; each with where it came from."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from hermes_agent.app import App
from hermes_agent.errors import UsageError
from hermes_agent.memory import fact_changes, fact_history, fact_splitting, told_by_program
from hermes_agent.memory import facts as verbs
from hermes_agent.memory.shown.facts import conflict_json, fact_json, opened_fact_json
from hermes_agent.memory.shown.journal import entry_json
from hermes_agent.memory.told_by_program import Waiting
from hermes_agent.records.archive import Json
from hermes_agent.records.memory import Fact, Trust
from hermes_agent.text.dates import moment_of
from hermes_agent.web import dates, etags
from hermes_agent.web.answers import answer, changes, gives, lists, makes, page, shows, tagged
from hermes_agent.web.api.given import Given
from hermes_agent.web.api.journal import ENTRY
from hermes_agent.web.asked import Date, Name
from hermes_agent.web.callers import Reader, TheApp, Writer, require_owner
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Moment, Object, also, having, record
from hermes_agent.web.speaking import WAITS, program_of, waits

router = APIRouter(prefix="/facts", tags=["facts"])

FACT = record(
    "Fact",
    Fact,
    id=str,
    name=str,
    supersedes=list[str],
    superseded_by=str | None,
    trust=Trust,
    source=Object,
)
CHAPTER = also("FactChapter", FACT, changes=list[ENTRY])  # type: ignore[valid-type]  # made while the program runs
HISTORY = having("FactHistory", "A fact and those before and after it, the oldest first.", items=list[CHAPTER])  # type: ignore[valid-type]  # the same
CONFLICT = having(
    "Conflict",
    "Two facts that contradict each other, the one that was known before first.",
    at=Moment,
    reason=str,
    facts=list[FACT],  # type: ignore[valid-type]  # the same
    settle=list[str],
)

Sentence = Annotated[str, Field(min_length=1, max_length=verbs.LONGEST, description="One sentence.")]


class NewFact(Given):
    """A fact in its owner's words."""

    text: Sentence


class FactChange(Given):
    """What is to be different about a fact: one of these."""

    text: Sentence | None = None
    is_pinned: bool | None = None
    valid_to: (
        Annotated[
            str, Field(max_length=100, description="Until when it is true: a date; `never` takes an end away.")
        ]
        | None
    ) = None


@router.get("", responses=lists(FACT))
def list_facts(
    app: TheApp,
    caller: Reader,
    limit: Limit = 50,
    offset: Offset = 0,
    state: Annotated[
        Literal["current", "all"], Query(description="`all` lists those that ended, too.")
    ] = "current",
    about: Annotated[
        str | None, Query(max_length=300, description="Only about somebody or something: me, Ana, Atlas.")
    ] = None,
    as_of: Date = None,
    believed: Date = None,
) -> Response:
    """List facts, the newest first. `as_of`: true then, by what is known today. `believed`: held true then."""
    found = verbs.recent(
        app.store,
        limit + 1,
        with_ended=state == "all",
        about=about,
        as_of=dates.as_of(app, as_of),
        believed=dates.as_of(app, believed),
        offset=offset,
    )
    return page([fact_json(one) for one in verbs.sourced(app.store, found)], limit, offset)


@router.post("", status_code=201, responses={**makes(FACT), **WAITS})
def add_fact(app: TheApp, caller: Writer, request: Request, new: NewFact) -> Response:
    """Add a fact; the same sentence twice is one fact. A program's is kept as its word, or waits for review."""
    program = program_of(request, caller)
    if program is not None:
        told = told_by_program.remember(app.memory, new.text, program)
        return waits(told) if isinstance(told, Waiting) else tagged(request, _json(app, told.fact), 201)
    outcome = verbs.add(app.store, new.text, cause=caller.cause)
    return tagged(request, _json(app, outcome.fact), 201)


@router.get("/conflicts", responses=lists(CONFLICT))
def list_conflicts(app: TheApp, caller: Reader, limit: Limit = 50, offset: Offset = 0) -> Response:
    """List facts that contradict each other and are both kept until their owner decides, the latest first."""
    found = fact_history.conflicts(app.store, limit + 1, offset)
    told = verbs.sourced(app.store, [fact for one in found for fact in (one.rival, one.fact)])
    sides = [told[at : at + 2] for at in range(0, len(told), 2)]
    return page([conflict_json(one, pair) for one, pair in zip(found, sides, strict=True)], limit, offset)


@router.get("/{name}", responses=shows(FACT))
def show_fact(app: TheApp, caller: Reader, request: Request, name: Name) -> Response:
    """Show a fact with its source."""
    return tagged(request, _json(app, verbs.get(app.store, name)))


@router.get("/{name}/source", responses=gives(FACT))
def show_source(app: TheApp, caller: Reader, name: Name) -> Response:
    """Show a fact with the whole of what it came from: the message, or the change that brought it."""
    fact = verbs.get(app.store, name)
    (told,) = verbs.sourced(app.store, [fact])
    return answer(opened_fact_json(told, verbs.source(app.store, fact)))


@router.get("/{name}/history", responses=gives(HISTORY))
def show_history(app: TheApp, caller: Reader, name: Name) -> Response:
    """Tell what became of a fact: those before and after it, and the changes."""
    chapters = fact_history.history(app.store, name)
    told = verbs.sourced(app.store, [chapter.fact for chapter in chapters])
    items = [
        {**fact_json(one), "changes": [entry_json(entry) for entry in chapter.entries]}
        for chapter, one in zip(chapters, told, strict=True)
    ]
    return answer({"items": items})


@router.patch("/{name}", responses={**changes(FACT), **WAITS})
def change_fact(
    app: TheApp, caller: Writer, request: Request, name: Name, change: FactChange, match: etags.IfMatch = None
) -> Response:
    """Correct a fact, pin it, or say until when it is true. A corrected one has a new number.

    A program's correction of its owner's word stands beside it until the owner decides.
    """
    given = [one for one in (change.text, change.is_pinned, change.valid_to) if one is not None]
    if len(given) != 1:
        raise UsageError("Change one thing at a time: text, is_pinned or valid_to.")
    fact = verbs.get(app.store, name)
    seen = etags.seen(match, _json(app, fact), fact)
    program = program_of(request, caller)
    if program is not None and change.text is None:
        require_owner(caller, "pins a fact or says when it ends")
    with etags.seen_before():
        if program is not None and change.text is not None:
            told = told_by_program.correct(app.memory, fact.name, change.text, program, seen)
            if isinstance(told, Waiting):
                return waits(told)
            changed = told.fact
        elif change.text is not None:
            changed = fact_changes.edit(app.store, fact.name, change.text, cause=caller.cause, seen=seen).fact
        elif change.is_pinned is not None:
            changed = fact_changes.pin(
                app.store, fact.name, is_pinned=change.is_pinned, cause=caller.cause, seen=seen
            )
        else:
            end = None if change.valid_to == "never" else moment_of(change.valid_to, app.zone, is_end=True)
            changed = fact_changes.expire(app.store, fact.name, end, cause=caller.cause, seen=seen)
    return tagged(request, _json(app, changed))


@router.post("/{name}/split", responses=changes(FACT))
def split_fact(app: TheApp, caller: Writer, request: Request, name: Name, match: etags.IfMatch = None) -> Response:
    """Take a wrong merge apart: what was last taken for a repeat of this fact becomes a fact of its own."""
    fact = verbs.get(app.store, name)
    seen = etags.seen(match, _json(app, fact), fact)
    if verbs.is_owners(fact):
        require_owner(caller, "takes their own word apart")
    with etags.seen_before():
        made = fact_splitting.split(app.store, fact.name, cause=caller.cause, seen=seen)
    return tagged(request, _json(app, made))


@router.delete("/{name}", responses=changes(FACT))
def delete_fact(
    app: TheApp, caller: Writer, request: Request, name: Name, match: etags.IfMatch = None
) -> Response:
    """Delete a fact: it was wrong. It is still listed with `state=all`, and can be undone."""
    fact = verbs.get(app.store, name)
    seen = etags.seen(match, _json(app, fact), fact)
    with etags.seen_before():
        program = program_of(request, caller)
        if program is None:
            gone = verbs.delete(app.store, fact.name, cause=caller.cause, seen=seen)
        else:
            gone = told_by_program.delete(app.memory, fact.name, program, seen)
    return tagged(request, _json(app, gone))


def _json(app: App, fact: Fact) -> dict[str, Json]:
    (told,) = verbs.sourced(app.store, [fact])
    return fact_json(told)
