"""The sessions that keep what programs said and what waits for review: one each, begun when it is needed."""

import threading

from hermes_agent.errors import NotFound
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewSession


class ProgramSessions:
    """The sessions of the programs that come by one door, which is their source."""

    def __init__(self, memory: Memory, source: str) -> None:
        self._memory = memory
        self._source = source
        self._known: dict[str, str] = {}
        self._lock = threading.Lock()

    def of(self, actor: str) -> str:
        """Return the session of a program; one that the owner deleted meanwhile is begun anew."""
        with self._lock:
            known = self._known.get(actor)
            if known is None or not self._is_there(known):
                new = NewSession(source=self._source, metadata={"client": actor})
                self._known[actor] = self._memory.begin(new)
            return self._known[actor]

    def _is_there(self, session_id: str) -> bool:
        try:
            self._memory.session(session_id)
        except NotFound:
            return False
        return True
