"""The tool `skill_manage`: the agent writes down procedures that worked, and improves them.

Every change is checked, scanned, journalled and can be undone. What somebody else wrote does not become a skill:
a text from the web, an MCP server, an import or another profile is no procedure of ours, and a conversation in
which something waits in quarantine writes none.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from hermes_agent.agent.arguments import read_arguments, spec_of
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.errors import ToolError
from hermes_agent.memory import skills
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.records.archive import Json, Message, SourceClass
from hermes_agent.records.skills import KeptSkill, SkillMaker
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.store import messages, quarantine
from hermes_agent.store import skills as kept_skills
from hermes_agent.text.overlap import is_taken_from

Action = Literal["create", "edit", "patch", "delete", "write_file", "remove_file"]
_ELSEWHERE: tuple[SourceClass, ...] = ("web", "import", "profile")
_OF_SERVERS = "mcp_"
"""How the names of the tools of MCP servers begin, and of no others: what those say are a stranger's words."""
_DESCRIPTION = """\
Keep a procedure that worked as a skill, so that the next task like it is done the same way. Create one after a \
task of several steps that will come again, or when the user asks for it; patch one that you followed and that \
turned out wrong or incomplete. Look at the list of skills first: improve the one that is there rather than make \
another. `content` is a whole SKILL.md: front matter with name and description (what it is for and when to use \
it), then the steps, with the exact commands and paths, and how to tell that it worked. No secrets, nothing \
that is only of this once."""


@dataclass(frozen=True, slots=True)
class SkillManageCall:
    """Arguments of `skill_manage`."""

    action: Annotated[Action, "patch is for small changes, edit writes SKILL.md anew."]
    name: Annotated[str, "The skill: small letters, digits, hyphens."]
    content: Annotated[str | None, "The whole SKILL.md; for create and edit."] = None
    category: Annotated[str | None, "A folder to put a new skill into."] = None
    file_path: Annotated[str | None, "A file under references, templates, scripts or assets."] = None
    file_content: Annotated[str | None, "Its text; for write_file."] = None
    old_string: Annotated[str | None, "The words to replace, once in the file; for patch."] = None
    new_string: Annotated[str | None, "What stands in their place."] = None
    replace_all: Annotated[bool, "Replace them wherever they are."] = False


class SkillManage:
    """Writes skills, for one conversation."""

    spec = spec_of("skill_manage", _DESCRIPTION, SkillManageCall)

    def __init__(
        self,
        memory: Memory,
        folder: Path,
        session_id: str | None,
        why: str | None = None,
        made_by: SkillMaker = "agent",
    ) -> None:
        """Without a session nothing was read here that a skill could have been taken from."""
        self._memory = memory
        self._folder = folder
        self._session_id = session_id
        self._why = why
        self._made_by: SkillMaker = made_by

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Nothing needs asking: every change is journalled and can be undone."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Make the change; what is wrong with it is told by an error."""
        call = read_arguments(SkillManageCall, arguments)
        self._require_own(call)
        kept = self._change(call)
        place = self._folder.joinpath(*([kept.category] if kept.category else []), kept.skill)
        message, hint = _told(call, kept.skill)
        answer: dict[str, Json] = {"success": True, "message": message, "hint": hint}
        if call.action != "delete":
            answer |= {"path": str(place), "skill_md": str(place / DOCUMENT)}
        if kept.category:
            answer["category"] = kept.category
        return ToolResult(json.dumps(answer, ensure_ascii=False), source_class="system")

    def _change(self, call: SkillManageCall) -> KeptSkill:
        store, folder, name = self._memory.store, self._folder, call.name.strip()
        cause = Cause(self._made_by, self._why, self._session_id)
        match call.action:
            case "create":
                return skills.create(store, folder, name, _given(call.content, "content"), call.category, cause)
            case "edit":
                return skills.edit(store, folder, name, _given(call.content, "content"), cause)
            case "patch":
                old, new = _given(call.old_string, "old_string"), call.new_string or ""
                file, is_everywhere = call.file_path or DOCUMENT, call.replace_all
                return skills.patch(
                    store, folder, name, old, new, file=file, is_everywhere=is_everywhere, cause=cause
                )
            case "write_file":
                file, text = _given(call.file_path, "file_path"), _given(call.file_content, "file_content")
                return skills.write_file(store, folder, name, file, text, cause)
            case "remove_file":
                return skills.remove_file(store, folder, name, _given(call.file_path, "file_path"), cause)
            case "delete":
                return skills.set_state(store, folder, name, "deleted", cause)

    def _require_own(self, call: SkillManageCall) -> None:
        if self._session_id is None:
            return
        with self._memory.store.read() as connection:
            said = list(messages.of_session(connection, self._session_id))
            states = quarantine.of_session(connection, self._session_id)
        if any(state != "accepted" for state in states.values()):
            raise ToolError(
                "This conversation holds a text in quarantine: no skill is written in it.",
                hint="The owner reviews it: hermes memory review",
            )
        foreign = [one.content or "" for one in said if _is_from_elsewhere(one)]
        # All that was sent: which of them is written is the action's affair.
        sent = [text for text in (call.content, call.file_content, call.new_string) if text]
        former, patched = self._patched(call)
        if any(is_taken_from(text, one) for text in sent for one in foreign) or any(
            is_taken_from(patched, one, former) for one in foreign
        ):
            raise ToolError(
                "These are words of a text from elsewhere: they become no skill by themselves.",
                hint="The owner may write it: hermes skills create",
            )

    def _patched(self, call: SkillManageCall) -> tuple[str, str]:
        """Return the file that a patch changes before and after; nothing for what is no patch."""
        if call.action != "patch" or not call.old_string:
            return "", ""
        with self._memory.store.read() as connection:
            kept = kept_skills.get(connection, call.name.strip())
        former = "" if kept is None else kept.files.get(call.file_path or DOCUMENT, "")
        return former, former.replace(call.old_string, call.new_string or "")


def _told(call: SkillManageCall, name: str) -> tuple[str, str]:
    """Say what was done to a skill, and what follows from it."""
    file = call.file_path or DOCUMENT
    match call.action:
        case "create":
            return f"The skill {name} is kept.", "It is in the list of skills from the next conversation on."
        case "delete":
            hint = f"It is gone from the list of skills. The owner brings it back: hermes skills restore {name}"
            return f"The skill {name} is deleted.", hint
        case "remove_file":
            return f"The file {file} of the skill {name} is removed.", "The rest of the skill is as it was."
        case "write_file":
            hint = f"Name the file in {DOCUMENT}, so that it is found: it is read by skill_view."
            return f"The file {file} of the skill {name} is written.", hint
        case "edit" | "patch":
            changed = DOCUMENT if call.action == "edit" else file
            return f"The file {changed} of the skill {name} is changed.", "It counts from the next reading on."


def _is_from_elsewhere(message: Message) -> bool:
    """Tell whether somebody else wrote a message; what our shell and file tools say is not meant."""
    is_servers = message.source_class == "tool" and (message.tool_name or "").startswith(_OF_SERVERS)
    return is_servers or message.source_class in _ELSEWHERE


def _given(value: str | None, name: str) -> str:
    if value is None or not value.strip():
        raise ToolError(f"{name} is missing.")
    return value
