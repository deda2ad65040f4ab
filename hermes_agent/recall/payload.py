"""Search results as the JSON that models and programs get: the public product's keys, and a reason.

Long messages are cut and say so; terminal colours are dropped.
"""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from types import MappingProxyType

from hermes_agent import clock
from hermes_agent.records.archive import Json, Message, Session
from hermes_agent.records.search import Browsed, Discovered, Found, Read, Scrolled
from hermes_agent.text.clean import preview, strip_ansi
from hermes_agent.text.flat import flat_text

MESSAGE_CHARACTERS = 4_000
BOOKEND_CHARACTERS = 1_200

Payload = dict[str, Json]
Marks = Mapping[int, str]
"""Whose words a message holds, by its id, if they are not the user's or the assistant's own; see `sifting.py`."""
NO_MARKS: Marks = MappingProxyType({})
"""For people, who look at their own archive."""


def discovered(answer: Discovered, profile: str, zone: tzinfo | None, marks: Marks) -> Payload:
    """Write the answer to a query."""
    payload: Payload = {
        "success": True,
        "mode": "discover",
        "query": answer.query,
        "results": [_found(found, answer.detail == "index", profile, zone, marks) for found in answer.results],
        "count": len(answer.results),
        "sessions_searched": answer.sessions_searched,
    }
    if answer.reason is not None:
        payload |= {"reason": answer.reason, "message": answer.message}
    return payload


def scrolled(answer: Scrolled, profile: str, zone: tzinfo | None, marks: Marks) -> Payload:
    """Write the messages around one."""
    payload: Payload = {
        "success": True,
        "mode": "scroll",
        "session_id": answer.session.id,
        "link": link(answer.session.id, profile),
        "around_message_id": answer.around_message_id,
        "session_meta": _meta(answer.session, zone),
        "window": answer.window,
        "messages": _messages(answer.messages, marks, MESSAGE_CHARACTERS, answer.around_message_id),
        "messages_before": answer.messages_before,
        "messages_after": answer.messages_after,
    }
    if answer.warning is not None:
        payload["warning"] = answer.warning
    return payload


def read(answer: Read, profile: str, zone: tzinfo | None, marks: Marks) -> Payload:
    """Write a session from its beginning."""
    payload: Payload = {
        "success": True,
        "mode": "read",
        "session_id": answer.session.id,
        "link": link(answer.session.id, profile),
        "session_meta": _meta(answer.session, zone),
        "message_count": answer.message_count,
        "truncated": answer.is_truncated,
        "messages": _messages(answer.messages, marks, MESSAGE_CHARACTERS),
    }
    if answer.is_truncated:
        left_out = answer.message_count - len(answer.messages)
        payload["message"] = f"{left_out} messages in the middle are left out; scroll to read them."
    return payload


def browsed(answer: Browsed, profile: str, zone: tzinfo | None, marks: Marks) -> Payload:
    """Write the latest conversations."""
    results = [
        {
            "session_id": recent.session.id,
            "link": link(recent.session.id, profile),
            "title": recent.session.title,
            "source": recent.session.source,
            "started_at": when(recent.session.started_at, zone),
            "last_active": when(recent.session.last_active_at, zone),
            "message_count": recent.session.message_count,
            "preview": preview(recent.preview),
            **_marked(recent.first_id, marks),
        }
        for recent in answer.results
    ]
    message = "The latest conversations. Search by words, or read one by its session_id."
    if not results:
        message = "There are no other conversations yet."
    return {"success": True, "mode": "browse", "results": results, "count": len(results), "message": message}


def link(session_id: str, profile: str) -> str:
    """Return the text that names a session everywhere."""
    return f"@session:{profile}/{session_id}"


def when(moment: int, zone: tzinfo | None) -> str:
    """Write a moment for readers, in their zone."""
    return clock.written(moment, zone)[:-3]


def _found(found: Found, is_index: bool, profile: str, zone: tzinfo | None, marks: Marks) -> Payload:
    payload: Payload = {
        "session_id": found.session.id,
        "when": when(found.session.started_at, zone),
        "source": found.session.source,
        "model": found.session.model,
        "title": found.session.title,
        "matched_role": found.matched_role,
        "match_message_id": found.match_message_id,
        "snippet": strip_ansi(found.snippet),
        **_marked(found.match_message_id, marks),
        "link": link(found.session.id, profile),
    }
    if found.root_id != found.session.id:
        payload["parent_session_id"] = found.root_id
    if is_index:
        return payload
    return payload | {
        "bookend_start": _messages(found.bookend_start, marks, BOOKEND_CHARACTERS),
        "messages": _messages(found.messages, marks, MESSAGE_CHARACTERS, found.match_message_id),
        "bookend_end": _messages(found.bookend_end, marks, BOOKEND_CHARACTERS),
        "messages_before": found.messages_before,
        "messages_after": found.messages_after,
    }


def _meta(session: Session, zone: tzinfo | None) -> Payload:
    return {
        "when": when(session.started_at, zone),
        "source": session.source,
        "model": session.model,
        "title": session.title,
    }


def _marked(message_id: int | None, marks: Marks) -> Payload:
    mark = None if message_id is None else marks.get(message_id)
    return {} if mark is None else {"mark": mark}


def _messages(
    messages: Sequence[Message], marks: Marks, characters: int, anchor: int | None = None
) -> list[Payload]:
    return [
        _message(message, characters, message.id == anchor) | _marked(message.id, marks) for message in messages
    ]


def _cut_calls(calls: Json, characters: int) -> Json:
    """Return the calls as they were, or the start of their text when they are long."""
    text = flat_text(calls)
    return calls if len(text) <= characters else text[:characters] + "..."


def _message(message: Message, characters: int, is_anchor: bool) -> Payload:
    content = strip_ansi(message.content or "")
    payload: Payload = {
        "id": message.id,
        "role": message.role,
        "content": content[:characters],
        "timestamp": clock.to_seconds(message.said_at),
    }
    for key, value in (
        ("tool_name", message.tool_name),
        ("tool_calls", _cut_calls(message.tool_calls, characters)),
        ("tool_call_id", message.tool_call_id),
    ):
        if value:
            payload[key] = value
    if is_anchor:
        payload["anchor"] = True
    if len(content) > characters:
        payload |= {"content_truncated": True, "original_content_chars": len(content)}
    return payload
