"""One request of a client: the home it reaches, what it may do, and where its words are kept if they must wait."""

import threading
from dataclasses import dataclass
from functools import partial

from hermes_agent.app import App
from hermes_agent.errors import NotFound
from hermes_agent.mcp.access import Access
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.told_by_program import Program
from hermes_agent.records.archive import NewSession

SOURCE = "mcp"


class Sessions:
    """The sessions that keep what clients said and what waits for review: one each, begun when it is needed."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._known: dict[str, str] = {}
        self._lock = threading.Lock()

    def of(self, actor: str) -> str:
        """Return the session of a client; one that the owner deleted meanwhile is begun anew."""
        with self._lock:
            known = self._known.get(actor)
            if known is None or not self._is_there(known):
                self._known[actor] = self._memory.begin(NewSession(source=SOURCE, metadata={"client": actor}))
            return self._known[actor]

    def _is_there(self, session_id: str) -> bool:
        try:
            self._memory.session(session_id)
        except NotFound:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Visit:
    """What a tool, a resource or a prompt works with."""

    app: App
    access: Access
    sessions: Sessions

    @property
    def memory(self) -> Memory:
        return self.app.memory

    @property
    def program(self) -> Program:
        """The client as memory knows it, where it does not speak for the owner."""
        return Program(self.access.actor, partial(self.sessions.of, self.access.actor))
