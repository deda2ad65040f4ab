"""Conversations as ChatGPT and Claude export them (`conversations.json`), told as sessions of ours.

A conversation of ChatGPT is a tree, because messages are edited and answers made anew: the branch that was last
open is the conversation. What is no text (pictures, files) is told by what it was.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from hermes_agent.ops.fields import Malformed
from hermes_agent.records.archive import Json

_LONGEST_BRANCH = 100_000
_ROLES = {"human": "user", "user": "user", "assistant": "assistant", "tool": "tool", "system": "system"}


def as_session(value: Json) -> Json:
    """Return a foreign conversation as a session; anything else as it is."""
    if isinstance(value, dict) and isinstance(value.get("mapping"), dict):
        return _chatgpt(value)
    if isinstance(value, dict) and isinstance(value.get("chat_messages"), list):
        return _claude(value)
    return value


def _chatgpt(value: Mapping[str, Json]) -> Json:
    name = value.get("conversation_id") or value.get("id")
    if not isinstance(name, str):
        raise Malformed("the conversation has no id")
    said = [one for node in _branch(value) if (one := _chatgpt_message(node)) is not None]
    return {
        "id": f"chatgpt-{name}",
        "source": "chatgpt",
        "title": value.get("title"),
        "started_at": value.get("create_time"),
        "last_active_at": value.get("update_time"),
        "ended_at": value.get("update_time"),
        "messages": said,
    }


def _branch(value: Mapping[str, Json]) -> list[Mapping[str, Json]]:
    """Return the nodes from the root to the one that was last open."""
    mapping = value["mapping"]
    assert isinstance(mapping, dict), "looked at before"
    place = value.get("current_node") or next(reversed(mapping), None)
    found: list[Mapping[str, Json]] = []
    while isinstance(place, str) and isinstance(node := mapping.get(place), dict):
        found.append(node)
        if len(found) > min(len(mapping), _LONGEST_BRANCH):
            raise Malformed("its messages go in a circle")
        place = node.get("parent")
    return found[::-1]


def _chatgpt_message(node: Mapping[str, Json]) -> Json:
    message = node.get("message")
    if not isinstance(message, dict):
        return None
    author, content = message.get("author"), message.get("content")
    role = author.get("role") if isinstance(author, dict) else None
    text = "\n".join(_parts(content)) if isinstance(content, dict) else ""
    if role not in _ROLES or role == "system" or not text.strip():
        return None
    return {"role": _ROLES[role], "content": text, "timestamp": message.get("create_time")}


def _parts(content: Mapping[str, Json]) -> Iterator[str]:
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else [content.get("text")]:
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            kind = part.get("content_type")
            yield str(part["text"]) if isinstance(part.get("text"), str) else f"[{kind or 'attachment'}]"


def _claude(value: Mapping[str, Json]) -> Json:
    name, said = value.get("uuid"), value["chat_messages"]
    if not isinstance(name, str) or not isinstance(said, list):
        raise Malformed("the conversation has no uuid")
    return {
        "id": f"claude-{name}",
        "source": "claude",
        "title": value.get("name") or None,
        "started_at": seconds(value.get("created_at")),
        "last_active_at": seconds(value.get("updated_at")),
        "ended_at": seconds(value.get("updated_at")),
        "messages": [one for message in said if (one := _claude_message(message)) is not None],
    }


def _claude_message(message: Json) -> Json:
    if not isinstance(message, dict) or message.get("sender") not in _ROLES:
        return None
    blocks = message.get("content")
    told = [one.get("text") for one in blocks if isinstance(one, dict)] if isinstance(blocks, list) else []
    text = "\n".join(one for one in told if isinstance(one, str)) or message.get("text")
    if not isinstance(text, str) or not text.strip():
        return None
    return {
        "role": _ROLES[str(message["sender"])],
        "content": text,
        "timestamp": seconds(message.get("created_at")),
    }


def seconds(value: Json) -> float | None:
    """Read a moment as these programs write it; one that cannot be read is none."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
