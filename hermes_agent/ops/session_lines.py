"""A session as one JSON object: its row merged with the list of its messages.

Keys are the public product's where it has the thing (`cwd`, `archived`, `timestamp`,
`api_content`, …), so that its users and tools find their way. Integers that only mean something in
one store are left out; uids name things everywhere. Everything is ASCII: lone surrogates survive,
and no editor can spoil the encoding.

What is written here is read in `incoming.py`.
"""

import json
from collections.abc import Iterable, Iterator

from hermes_agent import clock
from hermes_agent.records.archive import Json, Message, Session, State

FLAGS_OF_STATE: dict[State, tuple[int, int]] = {"live": (1, 0), "compacted": (0, 1), "rewound": (0, 0)}
"""The public product's columns `active` and `compacted`."""


def write_line(session: Session, prompt: str | None, messages: Iterable[Message]) -> Iterator[str]:
    """Yield the line of one session piece by piece, without holding all its messages."""
    head = json.dumps(session_fields(session, prompt))
    yield head[:-1] + ', "messages": ['
    separator = ""
    for message in messages:
        yield separator + json.dumps(message_fields(message))
        separator = ", "
    yield "]}\n"


def session_fields(session: Session, prompt: str | None) -> dict[str, Json]:
    """Return what is exported of a session, in the order it is written."""
    return {
        "id": session.id,
        "uid": session.uid,
        "source": session.source,
        "user_id": session.user_id,
        "model": session.model,
        "model_config": session.model_config,
        "system_prompt": prompt,
        "parent_session_id": session.parent_session_id,
        "parent_kind": session.parent_kind,
        "started_at": clock.to_seconds(session.started_at),
        "ended_at": None if session.ended_at is None else clock.to_seconds(session.ended_at),
        "end_reason": session.end_reason,
        "last_active_at": clock.to_seconds(session.last_active_at),
        "message_count": session.message_count,
        "tool_call_count": session.tool_call_count,
        "input_tokens": session.input_tokens,
        "output_tokens": session.output_tokens,
        "cache_read_tokens": session.cache_read_tokens,
        "cache_write_tokens": session.cache_write_tokens,
        "reasoning_tokens": session.reasoning_tokens,
        "title": session.title,
        "title_source": session.title_source,
        "archived": int(session.is_archived),
        "pinned": int(session.is_pinned),
        "cwd": session.folder,
        "metadata": dict(session.metadata),
    }


def message_fields(message: Message) -> dict[str, Json]:
    """Return what is exported of a message, in the order it is written."""
    active, compacted = FLAGS_OF_STATE[message.state]
    return {
        "uid": message.uid,
        "role": message.role,
        "speaker": message.speaker,
        "content": message.content,
        "timestamp": clock.to_seconds(message.said_at),
        "tool_calls": message.tool_calls,
        "tool_call_id": message.tool_call_id,
        "tool_name": message.tool_name,
        "token_count": message.token_count,
        "finish_reason": message.finish_reason,
        "reasoning": message.reasoning,
        "active": active,
        "compacted": compacted,
        "source_class": message.source_class,
        "is_summary": message.is_summary,
        "model": message.model,
        "api_content": message.sent,
        "attachments": message.attachments,
        "metadata": dict(message.metadata),
    }
