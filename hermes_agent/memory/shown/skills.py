"""Skills as a list shows them and as JSON: live ones and those that were put away, their texts and versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.memory.shown.journal import entry_json
from hermes_agent.memory.skill_upkeep import NEVER
from hermes_agent.records.archive import Json
from hermes_agent.records.skills import KeptSkill, SkillState, SkillUse
from hermes_agent.skills.document import Broken, parse
from hermes_agent.skills.library import Skill
from hermes_agent.skills.validation import DOCUMENT, name_problem

if TYPE_CHECKING:
    from hermes_agent.memory.skill_history import Version


@dataclass(frozen=True, slots=True)
class ListedSkill:
    """A skill as the list shows it."""

    name: str
    description: str
    category: str | None
    path: str | None
    problem: str | None
    told: str
    """What the table says it is for, or why it cannot be used."""
    state: SkillState
    use: SkillUse


def live(skill: Skill, used: Mapping[str, SkillUse]) -> ListedSkill:
    """List a skill that the agent has."""
    folder = skill.path.parent.name
    unkept = name_problem(folder)
    problem = skill.problem or (f"Its changes are not kept: {unkept}" if unkept else None)
    told = f"Cannot be used: {skill.problem}" if skill.problem else problem or skill.description
    use = used.get(folder, NEVER)
    return ListedSkill(skill.name, skill.description, skill.category, str(skill.path), problem, told, "live", use)


def gone(one: KeptSkill, used: Mapping[str, SkillUse]) -> ListedSkill:
    """List a skill that was archived or deleted."""
    read = parse(one.files.get(DOCUMENT, ""))
    description = "" if isinstance(read, Broken) else read.description
    use = used.get(one.skill, NEVER)
    return ListedSkill(one.skill, description, one.category, None, None, description, one.state, use)


def listed_skill_json(one: ListedSkill) -> dict[str, Json]:
    """Write a skill of the list, the time of its last use in UTC."""
    return {
        "name": one.name,
        "description": one.description,
        "category": one.category,
        "path": one.path,
        "problem": one.problem,
        "state": one.state,
        "used_count": one.use.count,
        "last_used_at": None if one.use.last_at is None else clock.iso(one.use.last_at),
    }


def kept_skill_json(made: KeptSkill) -> dict[str, Json]:
    """Write a skill after a change of it."""
    return {"name": made.skill, "category": made.category, "state": made.state, "files": sorted(made.files)}


def skill_text_json(name: str, file: str | None, text: str, files: Sequence[str]) -> dict[str, Json]:
    """Write a text of a skill, SKILL.md if `file` is None, and which other files it has."""
    return {"name": name, "file": file, "content": text, "files": list(files)}


def skill_version_json(version: "Version") -> dict[str, Json]:
    """Write a version of a skill with the change that made it."""
    return {"version": version.number, "state": version.state, "entry": entry_json(version.entry)}


def skill_difference_json(one: int, other: int, lines: Sequence[str]) -> dict[str, Json]:
    """Write what differs between two versions."""
    return {"from": one, "to": other, "lines": list(lines)}
