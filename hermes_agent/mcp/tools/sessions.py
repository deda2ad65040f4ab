"""`search_sessions` and `read_session`: past conversations, found by their words and read page by page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import TypeAdapter

from hermes_agent import clock
from hermes_agent.agent.arguments import Between
from hermes_agent.agent.tools.session_search import SessionSearch
from hermes_agent.errors import ToolError
from hermes_agent.mcp.tools.tool import LONGEST_QUESTION, NOTE, Reply, Tool, lines, question, when
from hermes_agent.mcp.visit import Visit
from hermes_agent.recall.block import Item
from hermes_agent.records.archive import Json

_MOST_SESSIONS = 10
_WIDEST = 20


@dataclass(frozen=True, slots=True)
class SearchSessionsCall:
    """Arguments of `search_sessions`."""

    query: Annotated[
        str | None, 'Words that were said; "a phrase", OR, NOT and prefix* work. Without it the latest are listed.'
    ] = None
    limit: Annotated[int, f"Most conversations, up to {_MOST_SESSIONS}.", Between(1, _MOST_SESSIONS)] = 5
    sort: Annotated[Literal["newest", "oldest"] | None, "By time instead of by relevance."] = None


@dataclass(frozen=True, slots=True)
class ReadSessionCall:
    """Arguments of `read_session`."""

    session_id: Annotated[str, "The conversation, as a search names it."]
    around_message_id: Annotated[
        int | None, "Open it around this message; without it at its beginning and end."
    ] = None
    window: Annotated[
        int, f"How many messages on each side of that one, up to {_WIDEST}.", Between(1, _WIDEST)
    ] = 5


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A conversation in which something was said, and the message that says so."""

    session_id: str
    when: str
    title: str | None
    source: str
    text: str
    message_id: int | None
    who: str | None
    mark: str | None


@dataclass(frozen=True, slots=True)
class FoundSessions:
    """Conversations, the best or the latest first."""

    note: str
    sessions: list[FoundSession]
    advice: str | None


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """A message; `mark` says whose words it holds, if they are not the user's or the assistant's own."""

    id: int
    who: str
    when: str
    text: str
    is_cut: bool
    mark: str | None


@dataclass(frozen=True, slots=True)
class SessionPage:
    """A part of a conversation, and how much of it stands before, after and between."""

    note: str
    session_id: str
    when: str
    title: str | None
    messages: list[SessionMessage]
    before: int
    after: int
    left_out: int


@dataclass(frozen=True, slots=True)
class _Message:
    id: int
    role: str
    content: str
    timestamp: float
    tool_name: str | None = None
    content_truncated: bool = False
    mark: str | None = None


_messages = TypeAdapter(list[_Message])


def search_sessions(visit: Visit, call: SearchSessionsCall) -> Reply:
    """Find conversations; the messages themselves are read by `read_session`."""
    if call.query is not None and len(call.query) > LONGEST_QUESTION:
        question("query", call.query)
    asked = {
        "query": call.query,
        "limit": call.limit,
        "sort": call.sort,
        "detail": "index",
    }
    answer = _ask(visit, asked)
    results = answer.get("results")
    found = [_session(one) for one in results] if isinstance(results, list) else []
    message = answer.get("message")
    advice = str(message) if message else None
    items = [_session_item(one) for one in found]
    return Reply(FoundSessions(NOTE, found, advice), advice or "", items)


def read_session(visit: Visit, call: ReadSessionCall) -> Reply:
    """Read a conversation: around a message, or its beginning and its end."""
    asked: dict[str, Json] = {
        "session_id": question("session_id", call.session_id),
        "around_message_id": call.around_message_id,
        "window": call.window,
    }
    answer = _ask(visit, asked)
    meta = answer.get("session_meta")
    about = meta if isinstance(meta, dict) else {}
    shown = [_message(one, visit) for one in _messages.validate_python(answer["messages"])]
    left_out = _number(answer, "message_count") - len(shown) if answer.get("truncated") else 0
    page = SessionPage(
        NOTE,
        str(answer["session_id"]),
        str(about.get("when") or ""),
        _text(about, "title"),
        shown,
        _number(answer, "messages_before"),
        _number(answer, "messages_after"),
        left_out,
    )
    return Reply(page, lines(*_onward(page)), [_message_item(one, page) for one in shown])


def _ask(visit: Visit, asked: Mapping[str, Json]) -> Mapping[str, Json]:
    given = {name: value for name, value in asked.items() if value is not None}
    result = SessionSearch(visit.memory, None).run(given)
    answer = json.loads(result.text)
    assert isinstance(answer, dict), "the tool answers with an object"
    if result.is_error:
        raise ToolError(str(answer.get("error")))
    return answer


def _session(found: Mapping[str, Json]) -> FoundSession:
    return FoundSession(
        str(found["session_id"]),
        str(found.get("when") or found.get("started_at") or ""),
        _text(found, "title"),
        str(found.get("source") or ""),
        _text(found, "snippet") or _text(found, "preview") or "",
        _number(found, "match_message_id") or None,
        _text(found, "matched_role"),
        _text(found, "mark"),
    )


def _message(message: _Message, visit: Visit) -> SessionMessage:
    who = f"{message.role} {message.tool_name}" if message.tool_name else message.role
    said = when(clock.from_seconds(message.timestamp), visit)
    return SessionMessage(message.id, who, said, message.content, message.content_truncated, message.mark)


def _session_item(found: FoundSession) -> Item:
    places = [f"session {found.session_id}"]
    places += [] if found.message_id is None else [f"message {found.message_id}"]
    places += [] if found.title is None else [f"“{found.title}”"]
    places += [] if found.mark is None else [found.mark]
    return Item(found.when, found.who or found.source, ", ".join(places), found.text)


def _message_item(message: SessionMessage, page: SessionPage) -> Item:
    mark = "" if message.mark is None else f", {message.mark}"
    cut = " […]" if message.is_cut else ""
    return Item(message.when, message.who, f"message {message.id}{mark}", message.text + cut)


def _onward(page: SessionPage) -> list[str]:
    """Say how the rest is read."""
    if not page.messages:
        return ["This conversation holds no messages."]
    lines = []
    if page.left_out:
        lines.append(f"{page.left_out} messages in the middle are left out: read on with around_message_id.")
    if page.before:
        lines.append(f"{page.before} messages before: around_message_id={page.messages[0].id}.")
    if page.after:
        lines.append(f"{page.after} messages after: around_message_id={page.messages[-1].id}.")
    return lines


def _text(values: Mapping[str, Json], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) and value else None


def _number(values: Mapping[str, Json], name: str) -> int:
    value = values.get(name)
    return value if isinstance(value, int) else 0


TOOLS = (
    Tool(
        "search_sessions",
        "Search past conversations",
        "Find past conversations by the words that were said in them, or list the latest. Use it when the user "
        "refers to something from before and you know a word of it. Each result names a session and a message: "
        "open them with read_session. For the meaning rather than the words use recall or search.",
        SearchSessionsCall,
        FoundSessions,
        search_sessions,
    ),
    Tool(
        "read_session",
        "Read a past conversation",
        "Read a conversation around a message, or its beginning and its end; a page at a time. Use it after a "
        "search that named a session. Long messages are cut and say so.",
        ReadSessionCall,
        SessionPage,
        read_session,
    ),
)
