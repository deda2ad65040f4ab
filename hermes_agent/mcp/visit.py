"""One request of a client: the home it reaches, what it may do, and where its words are kept if they must wait."""

from dataclasses import dataclass
from functools import partial

from hermes_agent.app import App
from hermes_agent.mcp.access import Access
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.program_sessions import ProgramSessions
from hermes_agent.memory.told_by_program import Program

SOURCE = "mcp"


@dataclass(frozen=True, slots=True)
class Visit:
    """What a tool, a resource or a prompt works with."""

    app: App
    access: Access
    sessions: ProgramSessions

    @property
    def memory(self) -> Memory:
        return self.app.memory

    @property
    def program(self) -> Program:
        """The client as memory knows it, where it does not speak for the owner."""
        return Program(self.access.actor, partial(self.sessions.of, self.access.actor))
