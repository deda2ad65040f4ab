"""You: what is known of the user, facet by facet, each line with the facts and the words it stands on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from hermes_agent.app import App
from hermes_agent.errors import NotFound, UsageError
from hermes_agent.memory import fact_changes, facts, trait_changes
from hermes_agent.memory.facts import Sourced
from hermes_agent.memory.shown.facts import fact_json
from hermes_agent.records.archive import Json
from hermes_agent.records.memory import Fact
from hermes_agent.records.user_model import FACETS, Facet, Trait, facet_title
from hermes_agent.web import changes, etags
from hermes_agent.web.callers import Owner, Reader, TheApp
from hermes_agent.web.pages.facts import refused
from hermes_agent.web.problems import PreconditionFailed
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/user")

_OF_A_FACET = 20
_MOST = 200
_HIGH, _MEDIUM = 0.8, 0.5
_PATH = "/user"


@dataclass(frozen=True, slots=True)
class Line:
    """One thing known of the user, as the page shows it."""

    key: str
    trait: Trait
    sure: str


@dataclass(frozen=True, slots=True)
class Group:
    """What is known of one facet; `more` is how many the page leaves out."""

    facet: Facet
    title: str
    lines: Sequence[Line]
    more: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact that a line stands on, the words it was taken from, and the tag a correction must carry."""

    told: Sourced
    quote: str | None
    tag: str


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    facet: Annotated[str, Query()] = "",
    done: Annotated[str, Query()] = "",
) -> Response:
    """Show what is known, first what was said, then what is concluded."""
    if facet and facet not in FACETS:
        raise NotFound(f"There is no facet {facet[:60]!r}.", hint=f"There are: {', '.join(FACETS)}.")
    known = trait_changes.every(app.store, app.zone)
    return render(
        request,
        caller,
        "user.html",
        facet=facet,
        facets=[(one, facet_title(one)) for one in FACETS],
        groups=_groups(known, facet),
        is_empty=not known,
        done=changes.made(app, done),
    )


@router.get("/{key}")
def shown(request: Request, app: TheApp, caller: Reader, key: str) -> Response:
    """Show one line with everything it stands on."""
    trait = trait_changes.find(app.store, app.zone, key)
    return render(
        request,
        caller,
        "user_line.html",
        line=_line(trait),
        title=facet_title(trait.facet),
        evidence=[_evidence(one) for one in facts.sourced(app.store, trait.facts)],
    )


@router.post("/{key}/correct")
def correct(
    request: Request,
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    key: str,
    fact: Annotated[str, Form()],
    tag: Annotated[str, Form()],
    text: Annotated[str, Form()] = "",
) -> Response:
    """Correct one of the facts a line stands on; what is refused stays in the form of that fact."""
    try:
        former = facts.get(app.store, fact)
        _require_same(app, former, tag)
        trait = trait_changes.find(app.store, app.zone, key)
        if former.id not in {one.id for one in trait.facts}:
            raise NotFound(f"{former.name} is not behind this line.", hint="Look at it again, then change it.")
        with etags.seen_before():
            fact_changes.edit(app.store, former.name, text, cause=caller.cause, seen=former)
    except (PreconditionFailed, UsageError) as error:
        return refused(request, app, caller, fact, error, typed=text)
    return changes.shown(app, _PATH, begun, former.name)


@router.get("/{key}/delete")
def ask_delete(request: Request, app: TheApp, caller: Owner, key: str) -> Response:
    """Show what deleting a line does, and ask."""
    trait = trait_changes.find(app.store, app.zone, key)
    return render(request, caller, "user_delete.html", line=_line(trait), tag=etags.tag_of(_tagged(app, trait)))


@router.post("/{key}/delete")
def delete(app: TheApp, caller: Owner, begun: changes.Begun, key: str, tag: Annotated[str, Form()]) -> Response:
    """Delete a line: with the facts behind it, or, if it is concluded, only the conclusion."""
    trait = trait_changes.find(app.store, app.zone, key)
    etags.require_same(tag, _tagged(app, trait))
    with etags.seen_before():
        subject = trait_changes.delete(app.notebook, trait, cause=caller.cause)
    return changes.shown(app, _PATH, begun, subject)


def _groups(known: Sequence[Trait], facet: str) -> list[Group]:
    most = _MOST if facet else _OF_A_FACET
    groups = []
    for one in FACETS:
        found = [trait for trait in known if trait.facet == one and facet in ("", one)]
        if found:
            lines = [_line(trait) for trait in found[:most]]
            groups.append(Group(one, facet_title(one), lines, max(0, len(found) - most)))
    return groups


def _line(trait: Trait) -> Line:
    sure = "high" if trait.confidence >= _HIGH else "medium" if trait.confidence >= _MEDIUM else "low"
    return Line(trait_changes.key_of(trait), trait, sure)


def _evidence(told: Sourced) -> Evidence:
    fact, message = told.fact, told.message
    words = None if message is None else message.content
    quote = None if words is None or fact.span_start is None else words[fact.span_start : fact.span_end]
    return Evidence(told, quote, etags.tag_of(fact_json(told)))


def _require_same(app: App, fact: Fact, tag: str) -> None:
    (told,) = facts.sourced(app.store, [fact])
    etags.require_same(tag, fact_json(told))


def _tagged(app: App, trait: Trait) -> list[Json]:
    return [trait.text, *(fact_json(told) for told in facts.sourced(app.store, trait.facts))]
