"""Change a skill: its texts, its files, and whether the agent has it."""

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import Response

from hermes_agent.app import App
from hermes_agent.errors import ChangedMeanwhile, NotFound, UsageError
from hermes_agent.memory import skills as verbs
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.records.skills import KeptSkill, SkillState
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.text.clean import unix
from hermes_agent.web import changes, collisions, etags
from hermes_agent.web.callers import Caller, Owner, TheApp
from hermes_agent.web.collisions import Collision
from hermes_agent.web.pages.skills import address, find, page, tagged
from hermes_agent.web.problems import PreconditionFailed
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/skills/{name}")


@router.post("/edit")
def edit(
    request: Request,
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    name: str,
    text: Annotated[str, Form()],
    tag: Annotated[str, Form()],
    file: Annotated[str, Form()] = DOCUMENT,
) -> Response:
    """Write a file of a skill; what was changed meanwhile is shown beside it, and nothing is lost."""
    app.sync_skills()
    kept, typed, file = find(app, name), unix(text), file.strip()
    try:
        etags.require_same(tag, tagged(kept))
        if typed == kept.files.get(file):
            return changes.shown(app, address(kept.skill, file), begun)
        verbs.write_file(app.store, app.home.skills, kept.skill, file, typed, Cause(why=caller.cause), kept)
    except (PreconditionFailed, ChangedMeanwhile):
        now = find(app, name)
        if now.state != "live":
            gone = PreconditionFailed(
                f"The skill was {now.state} meanwhile; nothing was saved.", hint=changes.TYPED_STAYS
            )
            return page(request, app, caller, now.skill, file, typed=typed, error=gone)
        back, action = address(now.skill, file if file in now.files else None), f"{address(now.skill)}/edit"
        found = Collision(
            f"{now.skill}: {file}", action, back, now.files.get(file, ""), typed, etags.tag_of(tagged(now))
        )
        return collisions.shown(request, caller, found, {"file": file})
    except UsageError as error:
        return page(request, app, caller, kept.skill, file, typed=typed, error=error)
    return changes.shown(app, address(kept.skill), begun, kept.skill)


@router.get("/remove")
def ask_remove(request: Request, app: TheApp, caller: Owner, name: str, file: Annotated[str, Query()]) -> Response:
    """Show a file of a skill that would go, and ask."""
    kept = find(app, name)
    if file not in kept.files or file == DOCUMENT:
        raise NotFound(f"The skill {kept.skill!r} has no such file to remove.")
    return _asking(request, caller, kept, file)


@router.post("/remove")
def remove(
    app: TheApp,
    caller: Owner,
    begun: changes.Begun,
    name: str,
    file: Annotated[str, Form()],
    tag: Annotated[str, Form()],
) -> Response:
    """Remove a file of a skill."""
    kept = _same(app, name, tag)
    with etags.seen_before():
        verbs.remove_file(app.store, app.home.skills, kept.skill, file, Cause(why=caller.cause), kept)
    return changes.shown(app, address(kept.skill), begun, kept.skill)


@router.post("/archive")
def archive(app: TheApp, caller: Owner, begun: changes.Begun, name: str, tag: Annotated[str, Form()]) -> Response:
    """Put a skill out of the agent's sight."""
    return _set_state(app, caller, begun, name, tag, "archived")


@router.post("/restore")
def restore(app: TheApp, caller: Owner, begun: changes.Begun, name: str, tag: Annotated[str, Form()]) -> Response:
    """Bring back a skill that was put away."""
    return _set_state(app, caller, begun, name, tag, "live")


@router.get("/delete")
def ask_delete(request: Request, app: TheApp, caller: Owner, name: str) -> Response:
    """Show what deleting a skill does, and ask."""
    return _asking(request, caller, find(app, name), None)


@router.post("/delete")
def delete(app: TheApp, caller: Owner, begun: changes.Begun, name: str, tag: Annotated[str, Form()]) -> Response:
    """Delete a skill; its versions stay."""
    return _set_state(app, caller, begun, name, tag, "deleted")


def _set_state(app: App, caller: Caller, begun: int, name: str, tag: str, state: SkillState) -> Response:
    kept = _same(app, name, tag)
    with etags.seen_before():
        verbs.set_state(app.store, app.home.skills, kept.skill, state, Cause(why=caller.cause), kept)
    return changes.shown(app, address(kept.skill), begun, kept.skill)


def _same(app: App, name: str, tag: str) -> KeptSkill:
    app.sync_skills()
    kept = find(app, name)
    etags.require_same(tag, tagged(kept))
    return kept


def _asking(request: Request, caller: Caller, kept: KeptSkill, file: str | None) -> Response:
    return render(request, caller, "skill_delete.html", kept=kept, file=file, tag=etags.tag_of(tagged(kept)))
