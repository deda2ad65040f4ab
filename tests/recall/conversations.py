"""Conversations for the tests of search: kept through `Memory`, at moments that are always the same."""

from collections.abc import Sequence
from typing import Any

from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession, ParentKind, State
from hermes_agent.store import messages

SECOND = 1_000_000
DAY = 86_400 * SECOND
FIRST_DAY = 1_767_225_600 * SECOND
"""2026-01-01 00:00 UTC."""

# Any: the JSON a model gets; each test knows what it asked for.
Answer = dict[str, Any]


def talk(
    memory: Memory,
    session_id: str,
    *said: str | NewMessage,
    day: int = 0,
    source: str = "cli",
    title: str | None = None,
    model: str | None = None,
    parent: str | None = None,
    kind: ParentKind | None = None,
    ended: str | None = None,
) -> list[int]:
    """Keep a session of the given day; plain strings alternate between user and assistant."""
    at = FIRST_DAY + day * DAY
    memory.begin(
        NewSession(
            source,
            session_id,
            started_at=at,
            title=title,
            model=model,
            parent_session_id=parent,
            parent_kind=kind,
        )
    )
    new = [_message(one, place, at + (place + 1) * SECOND) for place, one in enumerate(said)]
    ids = memory.append(session_id, *new)
    if ended is not None:
        memory.end(session_id, ended)
    return ids


def _message(said: str | NewMessage, place: int, at: int) -> NewMessage:
    if isinstance(said, NewMessage):
        return said
    return NewMessage("assistant" if place % 2 else "user", said, said_at=at)


def put(memory: Memory, ids: Sequence[int], state: State) -> None:
    """Move messages to another state, as compaction and rewinding do."""
    with memory.store.write() as connection:
        messages.set_state(connection, memory.store.engine, ids, state)


def search(memory: Memory, current: str | None = None, /, **arguments: object) -> Answer:
    """Call the tool as a model does."""
    return memory.session_search(arguments, current_session=current)


def found(memory: Memory, query: str, current: str | None = None, /, **arguments: object) -> list[str]:
    """Return the ids of the sessions a query finds, best first."""
    answer = search(memory, current, query=query, **{"limit": 10, **arguments})
    assert answer["success"], answer
    assert answer["count"] == len(answer["results"])
    if not answer["results"]:
        assert answer["reason"] and answer["message"], "an empty answer says why"
    return [result["session_id"] for result in answer["results"]]


def contents(shown: Sequence[Answer]) -> list[str]:
    return [message["content"] for message in shown]
