"""One request of a client: the home it reaches, what it may do, and where its words are kept if they must wait."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from hermes_agent.app import App
from hermes_agent.errors import HermesError
from hermes_agent.jobs.worker import LOG
from hermes_agent.mcp.access import Access
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.program_sessions import ProgramSessions
from hermes_agent.memory.told_by_program import Program
from hermes_agent.skills.library import Library

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

    def notebook(self) -> Notebook:
        """Return the notes, brought in step first: they may have been changed on another machine, or by hand.

        What is in doubt between two machines is in the journal. Where nothing can be written the files are read.
        """
        try:
            _tell(self.app.notebook.reconcile())
        except HermesError as error:
            _tell([f"The notes were not brought in step: {error.message}"])
        return self.app.notebook

    def library(self) -> Library:
        """Return the skills, brought in step as the notes are."""
        _tell(self.app.sync_skills())
        return self.app.library

    @property
    def program(self) -> Program:
        """The client as memory knows it, where it does not speak for the owner."""
        return Program(self.access.actor, partial(self.sessions.of, self.access.actor))


def _tell(sentences: Iterable[str]) -> None:
    """Say in the log what was found when notes and skills were brought in step."""
    for sentence in sentences:
        LOG.warning("%s", sentence)
