"""Find messages by their words and tell in which session each is, within the limits asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from hermes_agent.records.archive import State
from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import messages, sessions
from hermes_agent.store.text_index import Order, Scope
from hermes_agent.text.query import Query

_FURTHER = 20
_LONGEST_REACH = 100_000
_BLOCK = 10_000
_STANDING = (
    select(
        messages.c.id,
        messages.c.session_id,
        messages.c.role,
        messages.c.state,
        messages.c.said_at,
        sessions.c.source,
        sessions.c.parent_session_id,
    )
    .join(sessions, sessions.c.id == messages.c.session_id)
    .where(is_in(messages.c.id), messages.c.role.in_(bindparam("roles", expanding=True)))
    .where(messages.c.state != "rewound")
)


@dataclass(frozen=True, slots=True)
class Filters:
    """What a hit must be besides matching."""

    roles: Sequence[str] = ("user", "assistant")
    source: str | None = None
    hidden_sources: Sequence[str] = ()
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that matched."""

    message_id: int
    session_id: str
    role: str
    source: str
    parent_session_id: str | None
    state: State
    said_at: int
    score: float


@dataclass(frozen=True, slots=True)
class Hits:
    """The hits in order; `hidden` counts those looked at that the filters left out."""

    best: Sequence[Hit]
    hidden: int
    is_whole: bool
    is_last: bool


def find(connection: Connection, engine: Engine, query: Query, filters: Filters, limit: int, order: Order) -> Hits:
    """Return the hits that pass the filters, looking further down the ranking where the filters hid some."""
    reach = limit
    while True:
        matches = [engine.text.match(connection, scope, query, reach, order) for scope in _scopes(filters.roles)]
        scores = {match.id: match.score for found in matches for match in found.best}
        hits = among(connection, scores, filters, order)
        hidden = len(scores) - len(hits)
        is_last = all(found.is_last for found in matches)
        if len(hits) >= limit or is_last or not hidden or reach >= _LONGEST_REACH:
            is_whole = all(found.is_whole for found in matches)
            return Hits(hits[:limit], hidden, is_whole, is_last and len(hits) <= limit)
        reach = min(reach * _FURTHER, _LONGEST_REACH)


def among(connection: Connection, scores: dict[int, float], filters: Filters, order: Order) -> list[Hit]:
    """Return those of the scored messages that pass the filters, in order."""
    ids = list(scores)
    found: list[Hit] = []
    for start in range(0, len(ids), _BLOCK):
        found += _passing(connection, ids[start : start + _BLOCK], scores, filters)
    if order == "best":
        return sorted(found, key=lambda hit: (-hit.score, -hit.message_id))
    return sorted(found, key=lambda hit: (hit.said_at, hit.message_id), reverse=order == "newest")


def _passing(connection: Connection, ids: list[int], scores: dict[int, float], filters: Filters) -> list[Hit]:
    query = _STANDING
    if filters.source is not None:
        query = query.where(sessions.c.source == filters.source)
    elif filters.hidden_sources:
        query = query.where(sessions.c.source.not_in(filters.hidden_sources))
    if filters.since is not None:
        query = query.where(messages.c.said_at >= filters.since)
    if filters.until is not None:
        query = query.where(messages.c.said_at < filters.until)
    values = {"ids": ids, "roles": list(filters.roles)}
    return [
        Hit(i, session_id, role, source, parent, state, said_at, scores[i])
        for i, session_id, role, state, said_at, source, parent in connection.execute(query, values).all()
    ]


def _scopes(roles: Sequence[str]) -> list[Scope]:
    scopes: list[Scope] = []
    if any(role != "tool" for role in roles):
        scopes.append("talk")
    if "tool" in roles:
        scopes.append("tools")
    return scopes
