"""Where a conversation is kept while it goes on: the memory, or nowhere at all.

`Unkept` holds an incognito conversation: it lives in this process and ends with it.
"""

from collections.abc import Generator
from dataclasses import replace
from typing import Protocol

from hermes_agent import clock
from hermes_agent.ids import new_session_id, new_uid
from hermes_agent.memory.meanwhile import without
from hermes_agent.records.archive import Message, NewMessage, NewSession, Step
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.turn import Begun, FinishedTurn
from hermes_agent.text import secrets
from hermes_agent.text.runs import Look


class Archive(Protocol):
    """What a conversation writes to; `Memory` is one."""

    def begin(self, session: NewSession, receipt: int | None = None) -> str: ...

    def append(
        self, session_id: str, *new: NewMessage, entry: NewEntry | None = None, begun: Begun | None = None
    ) -> list[int]: ...

    def keep_sent(self, message_id: int, sent: str, begun: Begun | None = None) -> None: ...

    def finish_turn(self, session_id: str, turn: FinishedTurn) -> int: ...

    def window(self, session_id: str) -> list[Message]: ...

    def steps_backwards(self, session_id: str) -> Generator[Step]: ...

    def compact(
        self,
        session_id: str,
        until: int,
        summary: NewMessage,
        *,
        request: int | None = None,
        begun: Begun | None = None,
    ) -> int: ...


class Unkept:
    """A conversation nobody keeps."""

    def __init__(self) -> None:
        self._window: list[Message] = []
        self._last_id = 0

    def begin(self, session: NewSession, receipt: int | None = None) -> str:
        """Begin the conversation; its id names nothing in the archive."""
        return new_session_id(clock.now())

    def append(
        self, session_id: str, *new: NewMessage, entry: NewEntry | None = None, begun: Begun | None = None
    ) -> list[int]:
        """Hold messages for as long as the conversation goes on; nothing is journalled."""
        made = [self._message(session_id, message) for message in new]
        self._window += made
        return [message.id for message in made]

    def keep_sent(self, message_id: int, sent: str, begun: Begun | None = None) -> None:
        """Hold what was sent beside the message."""
        self._window = [replace(m, sent=sent) if m.id == message_id else m for m in self._window]

    def finish_turn(self, session_id: str, turn: FinishedTurn) -> int:
        """Hold the answer; nothing is journalled and no work follows."""
        return self.append(session_id, turn.answer)[0]

    def window(self, session_id: str) -> list[Message]:
        """Return what was said."""
        return list(self._window)

    def steps_backwards(self, session_id: str) -> Generator[Step]:
        """Yield nothing: what nobody keeps, nobody looks back at."""
        yield from ()

    def compact(
        self,
        session_id: str,
        until: int,
        summary: NewMessage,
        *,
        request: int | None = None,
        begun: Begun | None = None,
    ) -> int:
        """Let a summary stand for the messages up to one, but for the request at work."""
        kept = [m for m in self._window if (m.id > until or m.id == request) and not m.is_summary]
        made = self._message(session_id, replace(summary, is_summary=True))
        self._window = [made, *kept]
        return made.id

    def forget(self, look: Look) -> None:
        """Let go of what was forgotten in memory: it is not said to the model here, either."""
        self._window = [without(message, look) for message in self._window]

    def _message(self, session_id: str, new: NewMessage) -> Message:
        self._last_id += 1
        now = clock.now()
        return Message(
            id=self._last_id,
            uid=new_uid(now),
            session_id=session_id,
            role=new.role,
            content=None if new.content is None else secrets.redact(new.content)[0],
            said_at=now,
            source_class=new.source_class or "system",
            tool_calls=new.tool_calls,
            tool_call_id=new.tool_call_id,
            tool_name=new.tool_name,
            token_count=new.token_count,
            finish_reason=new.finish_reason,
            reasoning=new.reasoning,
            model=new.model,
            sent=new.sent,
            is_summary=new.is_summary,
            state="live",
            is_cut=False,
            attachments=new.attachments,
            metadata=new.metadata,
            speaker=new.speaker,
        )
