"""`/api/reflections` and `/api/user`: what tasks taught, and what is known of the user."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from hermes_agent.memory import curation, user_model
from hermes_agent.memory import reflections as verbs
from hermes_agent.memory.facts import sourced
from hermes_agent.memory.shown.learned import reflection_json
from hermes_agent.memory.shown.user_model import trait_json
from hermes_agent.records.reflections import Reflection, TaskType
from hermes_agent.records.user_model import Facet
from hermes_agent.web import etags
from hermes_agent.web.answers import answer, ends, gives, lists, page, shows, tagged
from hermes_agent.web.asked import Name
from hermes_agent.web.callers import Reader, TheApp, Writer, require_owner
from hermes_agent.web.paging import MOST, Limit, Offset
from hermes_agent.web.shapes import Object, having, record

router = APIRouter()

REFLECTION = record("Reflection", Reflection, id=str, name=str, lesson=str)
TRAIT = having(
    "Trait",
    "Something that is known of the user, and the facts it stands on.",
    facet=Facet,
    text=str,
    basis=str,
    confidence=float,
    is_contradicted=bool,
    evidence=list[Object],
)
USER = having("UserModel", "What is known of the user.", items=list[TRAIT])  # type: ignore[valid-type]  # made while it runs


@router.get("/reflections", tags=["reflections"], responses=lists(REFLECTION))
def list_reflections(
    app: TheApp,
    caller: Reader,
    limit: Limit = 50,
    offset: Offset = 0,
    type: Annotated[TaskType | None, Query(description="Only of one type of task.")] = None,
) -> Response:
    """List what tasks taught, the newest first."""
    found = verbs.recent(app.store, limit + 1, type, offset)
    return page([reflection_json(one) for one in found], limit, offset)


@router.get("/reflections/{name}", tags=["reflections"], responses=shows(REFLECTION))
def show_reflection(app: TheApp, caller: Reader, request: Request, name: Name) -> Response:
    """Show a reflection."""
    return tagged(request, reflection_json(verbs.get(app.store, name)))


@router.delete("/reflections/{name}", tags=["reflections"], responses=ends(REFLECTION))
def delete_reflection(app: TheApp, caller: Writer, name: Name, match: etags.IfMatch = None) -> Response:
    """Delete a reflection: it is brought to no task any more, and can be undone. Its owner does."""
    require_owner(caller, "deletes what tasks taught")
    found = verbs.get(app.store, name)
    seen = etags.seen(match, reflection_json(found), found)
    with etags.seen_before():
        (gone,) = verbs.delete(app.store, found.name, cause=caller.cause, seen=seen)
    return answer(reflection_json(verbs.get(app.store, gone.name)))


@router.get("/user", tags=["user model"], responses=gives(USER))
def show_user(
    app: TheApp,
    caller: Reader,
    facet: Annotated[Facet | None, Query(description="Only this facet.")] = None,
    limit: Annotated[int, Query(ge=1, le=MOST, description="How many of each facet.")] = 20,
) -> Response:
    """Tell what is known of the user: first what was said, facet by facet, then what is concluded."""
    known = user_model.model(user_model.read(app.store), app.zone, curation.refused_lines(app.store))
    told = user_model.first_of_each([one for one in known if facet in (None, one.facet)], limit)
    by_id = {one.fact.id: one for one in sourced(app.store, [fact for one in told for fact in one.facts])}
    return answer({"items": [trait_json(one, by_id) for one in told]})
