"""The tools `skills_list` and `skill_view`: procedures that worked before, read when one fits."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from hermes_agent.agent.arguments import read_arguments, spec_of
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.memory import skill_upkeep
from hermes_agent.records.archive import Json
from hermes_agent.skills.library import Library
from hermes_agent.store.store import Store


@dataclass(frozen=True, slots=True)
class SkillsListCall:
    """Arguments of `skills_list`."""

    category: Annotated[str | None, "Only the skills of this category."] = None


@dataclass(frozen=True, slots=True)
class SkillViewCall:
    """Arguments of `skill_view`."""

    name: Annotated[str, "The skill's name, as in the list."]
    file_path: Annotated[str | None, "One of its other files, such as references/api.md."] = None


class SkillsList:
    """Lists the skills."""

    spec = spec_of("skills_list", "List the skills: procedures that worked before.", SkillsListCall)

    def __init__(self, library: Library) -> None:
        self._library = library

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Nothing changes, so nobody is asked."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """List those that can be used."""
        wanted = read_arguments(SkillsListCall, arguments).category
        usable = [skill for skill in self._library.list() if skill.problem is None]
        listed = [skill for skill in usable if wanted in (None, skill.category)]
        return _json(
            {
                "success": True,
                "skills": [
                    {"name": skill.name, "description": skill.description, "category": skill.category}
                    for skill in listed
                ],
                "categories": sorted({skill.category for skill in usable if skill.category}),
                "count": len(listed),
                "hint": "Read one with skill_view before you follow it." if listed else "There are none yet.",
            }
        )


class SkillView:
    """Reads a skill."""

    spec = spec_of("skill_view", "Read a skill, or one of its files.", SkillViewCall)

    def __init__(self, library: Library, store: Store | None) -> None:
        """`store` counts how often a skill is read; without one nobody does."""
        self._library = library
        self._store = store

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Nothing changes, so nobody is asked."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Return the text with the names of the files that belong to it."""
        call = read_arguments(SkillViewCall, arguments)
        skill = self._library.find(call.name)
        text = self._library.view(call.name, call.file_path)
        if self._store is not None and call.file_path is None:
            skill_upkeep.count_use(self._store, skill.path.parent.name)
        answer: dict[str, Json] = {"success": True, "name": skill.name, "content": text}
        if call.file_path is None:
            answer["linked_files"] = list(self._library.files(call.name))
        else:
            answer["file_path"] = call.file_path
        problem = self._library.problem(call.name, call.file_path)
        if problem is not None:
            answer["problem"] = problem
        return _json(answer)


def _json(value: Mapping[str, Json]) -> ToolResult:
    return ToolResult(json.dumps(value, ensure_ascii=False))
