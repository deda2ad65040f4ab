"""Skills: a list with how they are used, one with its texts and versions, and the forms that change it."""

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from hermes_agent.app import App
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.memory import skill_history, skill_reading
from hermes_agent.memory import skills as verbs
from hermes_agent.memory.shown.skills import gone, live
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.memory.skill_upkeep import NEVER, uses
from hermes_agent.records.archive import Json
from hermes_agent.records.skills import KeptSkill
from hermes_agent.skills.validation import DOCUMENT, FOLDERS
from hermes_agent.text.clean import unix
from hermes_agent.web import changes, etags
from hermes_agent.web.callers import Caller, Owner, Reader, TheApp
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/skills")

_LIMIT = 100
_VERSIONS = 50


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    every: Annotated[bool, Query()] = False,
    offset: Annotated[int, Query(ge=0, le=2**53)] = 0,
    done: Annotated[str, Query()] = "",
) -> Response:
    """Show the skills, with those that were put away if wanted."""
    return _list(request, app, caller, is_every=every, offset=offset, done=done)


@router.post("")
def create(
    request: Request,
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    name: Annotated[str, Form()],
    text: Annotated[str, Form()],
    category: Annotated[str, Form()] = "",
) -> Response:
    """Make a skill of a SKILL.md; one that is refused stays in the form, with the reason."""
    document, wanted = unix(text), name.strip()
    try:
        made = verbs.create(
            app.store, app.home.skills, wanted, document, category.strip() or None, Cause(why=caller.cause)
        )
    except UsageError as error:
        typed = {"name": name, "category": category, "text": document}
        return _list(request, app, caller, typed=typed, error=error)
    return changes.shown(app, address(made.skill), begun, made.skill)


@router.get("/{name}")
def shown(
    request: Request,
    app: TheApp,
    caller: Reader,
    name: str,
    file: Annotated[str, Query()] = DOCUMENT,
    done: Annotated[str, Query()] = "",
) -> Response:
    """Show a skill, or one of its files, in its editor."""
    return page(request, app, caller, name, file, done=done)


@router.get("/{name}/versions")
def versions(
    request: Request,
    app: TheApp,
    caller: Reader,
    name: str,
    one: Annotated[int | None, Query(ge=1, le=2**53)] = None,
    other: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> Response:
    """Show the versions of a skill, and what differs between two of them."""
    app.sync_skills()
    found = skill_history.versions(app.store, skill_reading.kept_name(app.library, name))
    earlier, later = skill_reading.two_versions(app.store, app.library, name, one, other)
    return render(
        request,
        caller,
        "skill_versions.html",
        name=name,
        versions=found[:_VERSIONS],
        count=len(found),
        one=earlier.number,
        other=later.number,
        lines=skill_history.lines_between(earlier, later),
    )


def page(
    request: Request,
    app: App,
    caller: Caller,
    name: str,
    file: str,
    *,
    typed: str | None = None,
    error: HermesError | None = None,
    done: str = "",
) -> Response:
    """Show a skill; what was typed and refused stays in the form."""
    sentences = app.sync_skills()
    kept = find(app, name)
    if file not in kept.files and typed is None:
        raise NotFound(f"The skill {name!r} has no file {file[:200]!r}.")
    return render(
        request,
        caller,
        "skill.html",
        kept=kept,
        use=uses(app.store).get(kept.skill, NEVER),
        file=file,
        text=kept.files.get(file, "") if typed is None else typed,
        typed=typed,
        files=sorted(kept.files, key=lambda one: (one != DOCUMENT, one)),
        folders=FOLDERS,
        problems=list(verbs.wrong_with(kept.skill, kept.files)) if kept.state == "live" else [],
        tag=etags.tag_of(tagged(kept)),
        sentences=sentences,
        error=error,
        done=changes.made(app, done),
    )


def find(app: App, name: str) -> KeptSkill:
    """Return the skill that an address names, archived and deleted ones too."""
    kept = skill_reading.kept(app.store).get(skill_reading.kept_name(app.library, name))
    if kept is None or not kept.files:
        raise verbs.absent(kept, name[:80])
    return kept


def tagged(kept: KeptSkill) -> dict[str, Json]:
    """Return what of a skill must be as it was looked at."""
    return {"state": kept.state, "files": dict(kept.files)}


def address(name: str, file: str | None = None) -> str:
    """Return where a skill, or a file of it, is shown."""
    return f"/skills/{quote(name, safe='')}" + ("" if file in (None, DOCUMENT) else f"?file={quote(file or '')}")


def _list(
    request: Request,
    app: App,
    caller: Caller,
    *,
    is_every: bool = False,
    offset: int = 0,
    typed: Mapping[str, str] | None = None,
    error: HermesError | None = None,
    done: str = "",
) -> Response:
    sentences = app.sync_skills()
    used, known = uses(app.store), skill_reading.kept(app.store)
    away = [one for one in known.values() if one.state != "live"]
    found = [(one.path.parent.name, live(one, used)) for one in app.library.scanned()]
    found += [(one.skill, gone(one, used)) for one in away if is_every and one.files]
    return render(
        request,
        caller,
        "skills.html",
        skills=[(folder, folder in known, one) for folder, one in found[offset : offset + _LIMIT]],
        away=len(away),
        every=is_every,
        offset=offset,
        limit=_LIMIT,
        next=offset + _LIMIT if len(found) > offset + _LIMIT else None,
        sentences=sentences,
        typed=typed or {"name": "", "category": "", "text": ""},
        error=error,
        done=changes.made(app, done),
    )
