"""`list_skills`, `view_skill` and `manage_skill`: procedures that worked, read and written.

A skill is followed like an instruction, so only the owner's word writes one: what another program says is none.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Annotated

from pydantic import TypeAdapter

from hermes_agent.agent.arguments import Between
from hermes_agent.agent.tools.skill_manage import SkillManage, SkillManageCall
from hermes_agent.agent.tools.skills import SkillsList, SkillsListCall, SkillView
from hermes_agent.mcp.tools.tool import Reply, Tool, plain, question
from hermes_agent.mcp.visit import Visit
from hermes_agent.records.archive import Json
from hermes_agent.text.clean import preview

_PAGE = 20_000
_FARTHEST = 100_000_000
_MOST_LISTED = 200
_LONGEST_LISTED = 200


@dataclass(frozen=True, slots=True)
class ViewSkillCall:
    """Arguments of `view_skill`."""

    name: Annotated[str, "The skill's name, as in the list."]
    file_path: Annotated[str | None, "One of its other files, such as references/api.md."] = None
    offset: Annotated[int, "Where to go on in a long text.", Between(0, _FARTHEST)] = 0


@dataclass(frozen=True, slots=True)
class ListedSkill:
    """A skill and what it is for."""

    name: str
    description: str
    category: str | None


@dataclass(frozen=True, slots=True)
class SkillList:
    """The skills that can be used; of very many the first."""

    skills: list[ListedSkill]
    categories: list[str]
    count: int


@dataclass(frozen=True, slots=True)
class SkillText:
    """A page of a skill's text; `problem` says why it must not be followed, `next_offset` where it goes on."""

    name: str
    content: str
    file_path: str | None
    linked_files: list[str]
    problem: str | None
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class SkillChanged:
    """What was done to a skill, and what follows from it."""

    message: str
    hint: str


_list = TypeAdapter(list[ListedSkill])
_changed = TypeAdapter(SkillChanged)


def list_skills(visit: Visit, call: SkillsListCall) -> Reply:
    """List the skills."""
    answer = _object(SkillsList(visit.library()).run(asdict(call)).text)
    listed = [
        replace(one, description=preview(one.description, _LONGEST_LISTED))
        for one in _list.validate_python(answer["skills"])
    ]
    categories = answer["categories"]
    assert isinstance(categories, list), "the tool lists them"
    shown = listed[:_MOST_LISTED]
    lines = [f"- {one.name}: {one.description}" for one in shown]
    lines += ["There are no skills."] if not shown else ["Read one with view_skill before you follow it."]
    return Reply(SkillList(shown, [str(one) for one in categories], len(listed)), "\n".join(lines))


def view(visit: Visit, call: ViewSkillCall) -> Reply:
    """Read a skill."""
    # Who may only read leaves no trace, not even in the count of how often a skill is read.
    store = visit.app.store if visit.access.allows("write") else None
    asked = {"name": question("name", call.name), "file_path": call.file_path}
    answer = _object(SkillView(visit.library(), store).run(asked).text)
    # Before it is cut: the end of one page and the beginning of the next make no fence together.
    content, offset = plain(str(answer["content"])), call.offset
    end = offset + _PAGE
    files = answer.get("linked_files")
    problem = answer.get("problem")
    value = SkillText(
        str(answer["name"]),
        content[offset:end],
        call.file_path,
        [str(one) for one in files] if isinstance(files, list) else [],
        str(problem) if problem else None,
        end if len(content) > end else None,
    )
    warning = [] if value.problem is None else [f"Do not follow it: {value.problem}"]
    onward = [] if value.next_offset is None else [f"It goes on: offset={value.next_offset}."]
    others = [f"Other files: {', '.join(value.linked_files)}"] if value.linked_files else []
    return Reply(value, "\n".join([*warning, value.content, *onward, *others]))


def manage(visit: Visit, call: SkillManageCall) -> Reply:
    """Write, change or delete a skill for the owner; it is checked and scanned as every skill is."""
    why = f"through {visit.access.actor}"
    tool = SkillManage(visit.memory, visit.app.library.folder, None, why, made_by="owner")
    value = _changed.validate_python(_object(tool.run(asdict(call)).text))
    return Reply(value, f"{value.message} {value.hint}")


def _object(text: str) -> Mapping[str, Json]:
    answer = json.loads(text)
    assert isinstance(answer, dict), "the tool answers with an object"
    return answer


TOOLS = (
    Tool(
        "list_skills",
        "List skills",
        "List the skills: procedures that worked before, with what each is for. Look here before a task of "
        "several steps; then read the one that fits with view_skill.",
        SkillsListCall,
        SkillList,
        list_skills,
    ),
    Tool(
        "view_skill",
        "Read a skill",
        "Read a skill, or one of its files, before you follow it. One with a problem must not be followed.",
        ViewSkillCall,
        SkillText,
        view,
    ),
    Tool(
        "manage_skill",
        "Write a skill",
        "Keep a procedure that worked as a skill, or change or delete one, when the user asks for it. "
        "`content` is a whole SKILL.md: front matter with name and description, then the steps with the exact "
        "commands, and how to tell that it worked. Look at the list first and improve the one that is there. "
        "Every change is checked, scanned, journalled and can be undone. Only for clients that speak for the "
        "owner.",
        SkillManageCall,
        SkillChanged,
        manage,
        needs="admin",
        is_destructive=True,
    ),
)
