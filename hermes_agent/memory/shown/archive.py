"""Conversations, their messages and their number as JSON; `recall.payload` writes what a search of them finds."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.memory.shown.values import values_json
from hermes_agent.records.archive import Json, Message, Session
from hermes_agent.text.clean import preview

if TYPE_CHECKING:
    from hermes_agent.store.sessions import Listed
    from hermes_agent.store.statistics import Statistics


def session_json(session: Session) -> dict[str, Json]:
    """Write a session, its times in UTC."""
    return values_json(asdict(session))


def listed_session_json(listed: "Listed") -> dict[str, Json]:
    """Write a session of a list, with its first words."""
    return session_json(listed.session) | {"preview": preview(listed.preview)}


def conversation_json(session: Session, messages: Iterable[Message]) -> dict[str, Json]:
    """Write a session with its messages."""
    return session_json(session) | {"messages": [message_json(message) for message in messages]}


def message_json(message: Message) -> dict[str, Json]:
    """Write a message, its time in UTC."""
    return values_json(asdict(message))


def statistics_json(counted: "Statistics") -> dict[str, Json]:
    """Write how much the archive holds."""
    return {
        "sessions": counted.sessions,
        "messages": counted.messages,
        "by_source": counted.by_source,
        "by_role": counted.by_role,
        "input_tokens": counted.input_tokens,
        "output_tokens": counted.output_tokens,
        "first_at": None if counted.first_at is None else clock.iso(counted.first_at),
        "last_at": None if counted.last_at is None else clock.iso(counted.last_at),
        "size_bytes": counted.size_bytes,
    }
