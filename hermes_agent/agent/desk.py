"""What every conversation of a home works with: memory, notes, skills, models, and the tools made of them.

A toolbox is made anew for each turn: what a tool counts, or has kept already, is then the turn's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_agent.agent.checkpoints import Checkpoints
from hermes_agent.agent.nudge import Intervals
from hermes_agent.agent.toolbox import Tool, Toolbox
from hermes_agent.agent.tools.files import EditFile, ReadFile, WriteFile
from hermes_agent.agent.tools.handover import Handover, Receivers
from hermes_agent.agent.tools.journal import Journal
from hermes_agent.agent.tools.memory import MemoryTool
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.agent.tools.recall import Recall
from hermes_agent.agent.tools.search import SearchFiles
from hermes_agent.agent.tools.session_search import SessionSearch
from hermes_agent.agent.tools.shell import Shell
from hermes_agent.agent.tools.skill_manage import SkillManage
from hermes_agent.agent.tools.skills import SkillsList, SkillView
from hermes_agent.agent.tools.todo import Todo, TodoList
from hermes_agent.agent.tools.web_fetch import WebFetch
from hermes_agent.agent.tools.workspace import Keeper, Workspace
from hermes_agent.config import paths, variables
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import Approval
from hermes_agent.errors import HermesError
from hermes_agent.memory.external import External
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.metered_model import MeteredModel
from hermes_agent.memory.notebook import Notebook
from hermes_agent.models.model import Model
from hermes_agent.records.spending import Work
from hermes_agent.skills.library import Library

if TYPE_CHECKING:
    from hermes_agent.models.mcp import McpTools


_MEMORY_TOOLS = (MemoryTool, Journal, Recall, SessionSearch, SkillsList, SkillView, SkillManage, Handover)
_WORLD_TOOLS = (ReadFile, SearchFiles, WriteFile, EditFile, Shell, WebFetch, Todo)
_OURS = frozenset(kind.spec.name for kind in (*_MEMORY_TOOLS, *_WORLD_TOOLS))
"""The names of all our tools, also of those that are off: nobody else may take them."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a turn may go."""

    max_rounds: int
    recall_tokens: int
    nudges: Intervals


@dataclass(frozen=True, slots=True)
class Permissions:
    """What the tools may do beside reading and writing in the working folder."""

    shell: Approval
    shell_allowed: Sequence[str]
    folders: Sequence[Path]
    web: bool
    files: bool = True
    """Whether there are tools that touch files and run commands at all."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The things a conversation works with."""

    home: Home
    memory: Memory
    notebook: Notebook
    library: Library
    checkpoints: Checkpoints
    model: Model
    light_model: Model
    limits: Limits
    permissions: Permissions
    store_file: Path | None = None
    """Where the store is, when it is a file: no tool may touch it, wherever it lies."""
    servers: "McpTools | None" = None
    receivers: Receivers = field(default_factory=dict)
    """The profiles that the agent may hand something over to."""
    external: External | None = None
    external_problem: HermesError | None = None
    """Why there is no external memory although one is wanted."""

    def toolbox(self, session_id: str, folder: Path, todo: TodoList, *, is_incognito: bool = False) -> Toolbox:
        """Make the tools of one turn; what would keep something is left out of an incognito one."""
        # A long output is cut, not kept, where its file would be the only plain one.
        overflow = Overflow(None if is_incognito or self.home.encryption.exists() else self.home.outputs)
        tools: list[Tool] = [
            *self._memory_tools(session_id, is_incognito),
            *self._world_tools(folder, overflow, None if is_incognito else self.checkpoints.for_turn()),
            *self._foreign_tools(overflow),
            Todo(todo),
        ]
        if self.external is not None and not is_incognito:
            from hermes_agent.agent.tools import provider

            taken = {*_OURS, *(tool.spec.name for tool in tools)}
            tools += provider.tools_of(self.external, session_id, overflow, taken)
        return Toolbox({tool.spec.name: tool for tool in tools})

    def for_guest(self) -> "Desk":
        """Return a desk for somebody who is not the owner of this machine: nothing on it touches the world."""
        closed = Permissions(shell="deny", shell_allowed=(), folders=(), web=False, files=False)
        return replace(self, permissions=closed, servers=None, receivers={}, external=None, external_problem=None)

    def light_for(self, work: Work, session_id: str | None) -> Model:
        """Return the light model such that what it does for a conversation is metered and capped."""
        return MeteredModel(self.light_model, self.memory.store, self.memory.cap, work, session_id)

    def _memory_tools(self, session_id: str, is_incognito: bool) -> Iterator[Tool]:
        if not is_incognito:
            yield MemoryTool(self.notebook, session_id)
        yield Journal(self.memory, session_id, is_incognito=is_incognito)
        yield Recall(self.memory, session_id)
        yield SessionSearch(
            self.memory, session_id, self.light_for("search", None if is_incognito else session_id)
        )
        yield SkillsList(self.library)
        yield SkillView(self.library, None if is_incognito else self.memory.store)
        if not is_incognito:
            yield SkillManage(self.memory, self.library.folder, session_id)
            if self.receivers:
                yield Handover(self.memory, self.receivers, session_id)

    def _world_tools(self, folder: Path, overflow: Overflow, kept: Keeper | None) -> Iterator[Tool]:
        allowed = self.permissions
        if not allowed.files:
            return
        elsewhere = [self.home.notes_folder, self.home.skills_folder, self.store_file]
        closed = [place for place in elsewhere if place is not None]
        workspace = Workspace(folder, allowed.folders, paths.root_of(self.home), self.home.outputs, closed)
        yield ReadFile(workspace, overflow)
        yield SearchFiles(workspace)
        yield WriteFile(workspace, kept)
        yield EditFile(workspace, kept)
        yield Shell(folder, allowed.shell, allowed.shell_allowed, variables.for_commands(), overflow, kept)
        if allowed.web:
            yield WebFetch(overflow)

    def _foreign_tools(self, overflow: Overflow) -> Iterator[Tool]:
        if self.servers is not None:
            from hermes_agent.agent.tools.mcp import tools_of

            yield from tools_of(self.servers, overflow)
