"""How a search looks: from exact to loose, stopping at the first way that brings a conversation.

All words in one message; any of the words, ranked; a part of an identifier; a literal scan that ends
with its time. Several hits of one conversation count as one, and those of the asker's own
conversation are left out: they are before its eyes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes_agent import clock
from hermes_agent.records.search import Detail, Reason, Sort
from hermes_agent.store import messages, search, sessions
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.search import Filters, Hit, Hits
from hermes_agent.store.text_index import Order
from hermes_agent.text.query import Query, any_of, is_question, parse

HIDDEN_SOURCES = ("kanban", "subagent", "tool")
"""Sessions that no person held; found only when their source is asked for."""
DEMOTED_SOURCE = "cron"
TALK = ("user", "assistant")

RESULTS, MOST_RESULTS = 3, 10
_SCANNED_HITS = (100, 1_000, 10_000)
_SCANNED_SESSIONS = 20
SCAN_SECONDS = 1.0
PAGE_SCAN_SECONDS = 0.05
"""How long a page or an answer of the API reads literally: it must be there in 150 ms, and says what it left."""
_SCAN_BLOCK = 500
_FRAGMENT_CANDIDATES = 2_000
SHORTEST_FRAGMENT = 3


@dataclass(frozen=True, slots=True)
class Request:
    """What is looked for, and from where: hits of the `current_session` are known to the asker already."""

    query: str
    limit: int = RESULTS
    sort: Sort | None = None
    roles: Sequence[str] = TALK
    source: str | None = None
    since: int | None = None
    until: int | None = None
    current_session: str | None = None
    detail: Detail = "full"
    scan_seconds: float = SCAN_SECONDS
    """How long messages are read for what no index has."""

    @property
    def filters(self) -> Filters:
        return Filters(self.roles, self.source, HIDDEN_SOURCES, self.since, self.until)

    @property
    def is_filtered(self) -> bool:
        """Whether the asker narrowed the search."""
        given = (self.source, self.since, self.until)
        return any(value is not None for value in given) or tuple(self.roles) != TALK

    @property
    def order(self) -> Order:
        return self.sort or "best"


@dataclass(frozen=True, slots=True)
class Looked:
    """What one way of looking found. `fragment` is set when words were not the way."""

    hits: Hits
    query: Query
    reason: Reason | None = None
    fragment: str | None = None


@dataclass(frozen=True, slots=True)
class Conversations:
    """The best hit of each conversation, and how many hits were left out."""

    looked: Looked
    kept: Sequence[Hit]
    in_current: int
    hidden: int


_NOTHING = Hits((), 0, is_whole=True, is_last=True)


def find_conversations(connection: Connection, engine: Engine, request: Request) -> Conversations:
    """Go from exact to loose until a way of looking brings a conversation."""
    in_current = hidden = 0
    was_whole = True
    looked = Looked(_NOTHING, parse(request.query), "no_match")
    for way in _ways(request):
        if isinstance(way, _Words):
            looked, kept, current = _by_words(connection, engine, request, way)
        elif in_current or hidden:
            break  # it was found as words, only not for showing
        else:
            looked = _by_fragments(connection, engine, request, way)
            kept, current = _one_for_each_conversation(connection, looked.hits.best, request)
        in_current += current
        hidden += looked.hits.hidden
        was_whole &= looked.hits.is_whole
        if not was_whole and looked.reason in ("widened", "no_match"):
            # A stricter way saw only a part of the archive: that it found nothing says little.
            looked = replace(looked, reason="narrowed")
        if kept:
            return Conversations(looked, kept[: request.limit], in_current, hidden)
    return Conversations(looked, (), in_current, hidden)


@dataclass(frozen=True, slots=True)
class _Words:
    """Look for words; `reason` says what was loosened."""

    query: Query
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class _Fragments:
    """Look for the text as typed, anywhere in a message."""

    query: Query
    fragments: Sequence[str]


def _ways(request: Request) -> Iterator[_Words | _Fragments]:
    """Yield the ways of looking for what was typed, from exact to loose."""
    typed = parse(request.query)
    loose = any_of(typed)
    if typed.groups:
        yield _Words(loose if is_question(typed) else typed)
        if typed.is_plain and not is_question(typed) and loose.groups != typed.groups:
            yield _Words(loose, "widened")
    if typed.is_plain or not typed.groups:
        parts = request.query.replace('"', " ").replace("*", " ").split()
        fragments = [part for part in parts if len(part) > 1 or not typed.groups]
        if fragments:
            yield _Fragments(typed, fragments)


def _by_words(
    connection: Connection, engine: Engine, request: Request, way: _Words
) -> tuple[Looked, list[Hit], int]:
    """Look for enough hits to fill the answer with different conversations of people."""
    for scanned in _SCANNED_HITS:
        hits = search.find(connection, engine, way.query, request.filters, scanned, request.order)
        kept, in_current = _one_for_each_conversation(connection, hits.best, request)
        of_people = sum(1 for hit in kept if hit.source != DEMOTED_SOURCE)
        if of_people >= request.limit or hits.is_last:
            break
    reason = way.reason or (None if hits.is_whole else "narrowed")
    return Looked(hits, way.query, reason), kept, in_current


def _by_fragments(connection: Connection, engine: Engine, request: Request, way: _Fragments) -> Looked:
    """Look in identifiers, which have an index for it, then read the newest messages for it."""
    fragments = list(way.fragments)
    long = [part for part in fragments if len(part) >= SHORTEST_FRAGMENT]
    if long:
        found = [{*engine.text.match_fragment(connection, part, _FRAGMENT_CANDIDATES)} for part in long]
        ids = _holding(connection, sorted(set.intersection(*found), reverse=True), fragments)
        hits = _as_hits(connection, ids, request, is_last=True)
        if hits.best or hits.hidden:
            return Looked(hits, way.query, "fragment", fragments[0])
    return _scan(connection, request, way.query, fragments)


def _scan(connection: Connection, request: Request, typed: Query, fragments: list[str]) -> Looked:
    """Read the messages, newest first, for the fragments as typed, until enough is found or the time is over."""
    ids: list[int] = []
    in_sessions: set[str] = set()
    before: int | None = 2**62
    deadline = clock.monotonic() + request.scan_seconds
    while before is not None and clock.monotonic() < deadline and len(in_sessions) < _SCANNED_SESSIONS:
        some, before = messages.containing(connection, fragments, request.roles, before, _SCAN_BLOCK)
        ids += [message_id for message_id, _ in some]
        in_sessions |= {session_id for _, session_id in some}
    hits = _as_hits(connection, ids, request, is_last=before is None)
    if hits.best:
        return Looked(hits, typed, "fragment", fragments[0])
    return Looked(hits, typed, "no_match" if before is None else "unfinished")


def _holding(connection: Connection, ids: list[int], fragments: list[str]) -> list[int]:
    """Keep the messages that hold every fragment as typed, whatever its case."""
    if not fragments or not ids:
        return ids
    kept = messages.get_many(connection, ids)
    texts = {i: messages.searchable_text(m.content, m.tool_name, m.tool_calls).casefold() for i, m in kept.items()}
    return [i for i in ids if i in texts and all(part.casefold() in texts[i] for part in fragments)]


def _as_hits(connection: Connection, ids: list[int], request: Request, *, is_last: bool) -> Hits:
    scores = {message_id: float(-place) for place, message_id in enumerate(ids)}
    best = search.among(connection, scores, request.filters, request.order)
    return Hits(best, len(ids) - len(best), is_whole=is_last, is_last=is_last)


def _one_for_each_conversation(
    connection: Connection, hits: Sequence[Hit], request: Request
) -> tuple[list[Hit], int]:
    """Keep the best hit of each conversation, people's before scheduled ones; count those of the current one."""
    current = None if request.current_session is None else root_of(connection, request.current_session)
    roots: dict[str, str] = {}
    kept: dict[str, Hit] = {}
    in_current = 0
    for hit in sorted(hits, key=lambda hit: hit.source == DEMOTED_SOURCE):
        if hit.session_id not in roots:
            is_root = hit.parent_session_id is None
            roots[hit.session_id] = hit.session_id if is_root else root_of(connection, hit.session_id)
        root = roots[hit.session_id]
        if root == current and not _left_window(connection, hit):
            in_current += 1
        else:
            kept.setdefault(root, hit)
    return list(kept.values()), in_current


def _left_window(connection: Connection, hit: Hit) -> bool:
    """Tell whether a message of the current conversation is no longer before the asker's eyes."""
    if hit.state == "compacted":
        return True
    session = sessions.get(connection, hit.session_id)
    return session is not None and session.end_reason == "compression"


def root_of(connection: Connection, session_id: str) -> str:
    """Return the session a conversation began with."""
    return sessions.lineage(connection, session_id)[-1]
