"""`/api/skills`: procedures: listed, read, made, changed, put away and brought back, with their versions."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from hermes_agent.app import App
from hermes_agent.memory import skill_history, skill_reading
from hermes_agent.memory import skills as verbs
from hermes_agent.memory.shown.skills import (
    gone,
    kept_skill_json,
    listed_skill_json,
    live,
    skill_difference_json,
    skill_text_json,
    skill_version_json,
)
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.memory.skill_upkeep import uses
from hermes_agent.records.archive import Json
from hermes_agent.records.skills import KeptSkill, SkillState
from hermes_agent.skills.validation import DOCUMENT, LARGEST_FILE
from hermes_agent.web import etags
from hermes_agent.web.answers import answer, changes, ends, gives, lists, makes, page, shows, tagged
from hermes_agent.web.api.given import Given
from hermes_agent.web.api.journal import ENTRY
from hermes_agent.web.asked import Name
from hermes_agent.web.callers import Caller, Reader, TheApp, Writer, require_owner
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Moment, having

router = APIRouter(prefix="/skills", tags=["skills"])

LISTED = having(
    "ListedSkill",
    "A skill as the list shows it; `problem` is why it cannot be used.",
    name=str,
    description=str,
    category=str | None,
    problem=str | None,
    state=SkillState,
    used_count=int,
    last_used_at=Moment | None,
)
TEXT = having("SkillText", "A text of a skill.", name=str, file=str | None, content=str, files=list[str])
KEPT = having("Skill", "A skill after a change.", name=str, category=str | None, state=SkillState, files=list[str])
VERSION = having("SkillVersion", "A version, and the change that made it.", version=int, state=str, entry=ENTRY)
DIFFERENCE = having("SkillDifference", "What differs, as `diff -u` tells it.", to=int, lines=list[str])

File = Annotated[str | None, Query(max_length=300, description="One of its files instead of SKILL.md.")]
Content = Annotated[str, Field(max_length=LARGEST_FILE)]
Version = Annotated[int | None, Query(ge=1, le=2**53)]


class NewSkill(Given):
    """A skill: its SKILL.md, front matter included."""

    name: Annotated[str, Field(min_length=1, max_length=100)]
    content: Content
    category: Annotated[str | None, Field(max_length=100)] = None


class SkillText(Given):
    """A text of a skill, written anew; `file` is one beside SKILL.md."""

    content: Content
    file: Annotated[str | None, Field(min_length=1, max_length=300)] = None


@router.get("", responses=lists(LISTED))
def list_skills(
    app: TheApp,
    caller: Reader,
    limit: Limit = 100,
    offset: Offset = 0,
    gone_too: Annotated[bool, Query(alias="all", description="Also those that are archived or deleted.")] = False,
) -> Response:
    """List the skills; one that cannot be used says why."""
    app.sync_skills()
    used = uses(app.store)
    listed = [live(one, used) for one in app.library.scanned()]
    if gone_too:
        listed += [gone(one, used) for one in skill_reading.kept(app.store).values() if one.state != "live"]
    shown = listed[offset : offset + limit + 1]
    return page([_without_path(listed_skill_json(one)) for one in shown], limit, offset)


@router.post("", status_code=201, responses=makes(KEPT))
def create_skill(app: TheApp, caller: Writer, request: Request, new: NewSkill) -> Response:
    """Make a skill from a SKILL.md; one that breaks the rules of agentskills.io is refused."""
    _require_owner(caller)
    made = verbs.create(app.store, app.home.skills, new.name, new.content, new.category, _cause(caller))
    return tagged(request, kept_skill_json(made), 201)


@router.get("/{name}", responses=shows(TEXT))
def show_skill(app: TheApp, caller: Reader, request: Request, name: Name, file: File = None) -> Response:
    """Read a skill, or one of its files."""
    return tagged(request, _text(app, name, file))


@router.put("/{name}", responses=changes(TEXT))
def write_skill(
    app: TheApp, caller: Writer, request: Request, name: Name, text: SkillText, match: etags.IfMatch = None
) -> Response:
    """Write a skill's SKILL.md or one of its files anew; a file that is not there yet needs no If-Match."""
    _require_owner(caller)
    kept, seen = _kept(app, name)
    if text.file is None or (seen is not None and text.file in seen.files):
        seen = etags.seen(match, _text(app, name, text.file), seen)
    with etags.seen_before():
        if text.file is None:
            verbs.edit(app.store, app.home.skills, kept, text.content, _cause(caller), seen)
        else:
            verbs.write_file(app.store, app.home.skills, kept, text.file, text.content, _cause(caller), seen)
    return tagged(request, _text(app, kept, text.file))


@router.delete("/{name}", responses=ends(KEPT))
def delete_skill(
    app: TheApp, caller: Writer, name: Name, file: File = None, match: etags.IfMatch = None
) -> Response:
    """Delete a skill, or one of its files; its versions stay, and `restore` brings it back."""
    _require_owner(caller)
    kept, seen = _kept(app, name)
    seen = etags.seen(match, _text(app, name, file), seen)
    with etags.seen_before():
        if file is None:
            made = verbs.set_state(app.store, app.home.skills, kept, "deleted", _cause(caller), seen)
        else:
            made = verbs.remove_file(app.store, app.home.skills, kept, file, _cause(caller), seen)
    return answer(kept_skill_json(made))


@router.post("/{name}/archive", responses=gives(KEPT))
def archive_skill(app: TheApp, caller: Writer, name: Name) -> Response:
    """Put a skill out of the agent's sight."""
    return _state(app, caller, name, "archived")


@router.post("/{name}/restore", responses=gives(KEPT))
def restore_skill(app: TheApp, caller: Writer, name: Name) -> Response:
    """Bring back a skill that was archived or deleted."""
    return _state(app, caller, name, "live")


@router.get("/{name}/history", responses=lists(VERSION))
def list_versions(app: TheApp, caller: Reader, name: Name, limit: Limit = 50, offset: Offset = 0) -> Response:
    """List the versions of a skill, the newest first."""
    app.sync_skills()
    found = skill_history.versions(app.store, skill_reading.kept_name(app.library, name))
    return page([skill_version_json(one) for one in found[offset : offset + limit + 1]], limit, offset)


@router.get("/{name}/diff", responses=gives(DIFFERENCE))
def compare_versions(
    app: TheApp,
    caller: Reader,
    name: Name,
    begin: Annotated[int | None, Query(alias="from", ge=1, le=2**53)] = None,
    to: Version = None,
) -> Response:
    """Tell what differs between two versions of a skill; without them, what the last change did."""
    app.sync_skills()
    one, other = skill_reading.two_versions(app.store, app.library, name, begin, to)
    return answer(skill_difference_json(one.number, other.number, skill_history.lines_between(one, other)))


def _kept(app: App, name: str) -> tuple[str, KeptSkill | None]:
    """Return the name of a skill in the store, and the skill as it is looked at now."""
    app.sync_skills()
    kept = skill_reading.kept_name(app.library, name)
    return kept, skill_reading.kept(app.store).get(kept)


def _text(app: App, name: str, file: str | None) -> dict[str, Json]:
    # One text has one tag, by whichever of its names it is asked for.
    file = None if file == DOCUMENT else file
    text = skill_reading.view(app.store, app.library, name, file)
    return skill_text_json(name, file, text, app.library.files(name))


def _state(app: App, caller: Caller, name: str, state: SkillState) -> Response:
    _require_owner(caller)
    kept = skill_reading.kept_name(app.library, name)
    return answer(kept_skill_json(verbs.set_state(app.store, app.home.skills, kept, state, _cause(caller))))


def _require_owner(caller: Caller) -> None:
    """Refuse a program: a skill is an instruction to the agent, and no program gives those."""
    require_owner(caller, "changes skills")


def _cause(caller: Caller) -> Cause:
    return Cause(why=caller.cause)


def _without_path(shown: dict[str, Json]) -> dict[str, Json]:
    """Leave out where it lies on the server's disk."""
    return {name: value for name, value in shown.items() if name != "path"}
