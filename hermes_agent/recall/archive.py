"""Search the archive: discover by words, scroll around a message, read a session, browse the latest.

Discovering goes from exact to loose and stops at the first that finds something: all words in one
message; any of the words, ranked; a part of an identifier; a literal scan that ends with its time.
An empty answer always says why, and what to try.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from hermes_agent import clock
from hermes_agent.errors import ToolError
from hermes_agent.recall.advice import explain
from hermes_agent.recall.surroundings import surroundings
from hermes_agent.records.archive import Message, Session
from hermes_agent.records.search import (
    Browsed,
    Detail,
    Discovered,
    Found,
    Read,
    Reason,
    Recent,
    Scrolled,
    Sort,
)
from hermes_agent.store import messages, search, sessions
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.search import Filters, Hit, Hits
from hermes_agent.store.store import Store
from hermes_agent.store.text_index import Order
from hermes_agent.text.query import Query, any_of, is_question, parse
from hermes_agent.text.snippet import excerpt, snippet
from hermes_agent.text.titles import TITLE_CAP

HIDDEN_SOURCES = ("kanban", "subagent", "tool")
"""Sessions that no person held; found only when their source is asked for."""
DEMOTED_SOURCE = "cron"
TALK = ("user", "assistant")

RESULTS, MOST_RESULTS = 3, 10
WINDOW, WIDEST_WINDOW = 5, 20
_SCANNED_HITS = (100, 1_000, 10_000)
_SCANNED_SESSIONS = 20
_READ_HEAD, _READ_TAIL = 20, 10
_SCAN_SECONDS = 1.0
_SCAN_BLOCK = 2_000
_FRAGMENT_CANDIDATES = 2_000
_SHORTEST_FRAGMENT = 3


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

    @property
    def filters(self) -> Filters:
        return Filters(self.roles, self.source, HIDDEN_SOURCES, self.since, self.until)

    @property
    def is_filtered(self) -> bool:
        """Whether the asker narrowed the search."""
        return bool(self.source or self.since or self.until) or tuple(self.roles) != TALK

    @property
    def order(self) -> Order:
        return self.sort or "best"


def discover(store: Store, request: Request) -> Discovered:
    """Find the sessions in which something was said, one result for each conversation, best first."""
    request = replace(request, limit=max(1, min(request.limit, MOST_RESULTS)))
    with store.read() as connection:
        answer = _find_conversations(connection, store.engine, request)
        found = _found(connection, answer.kept, answer.looked)
        found = _titles_first(connection, request, found)[: request.limit]
        results = found if request.detail == "index" else _with_surroundings(connection, found)
    reason = _reason(request, answer, is_empty=not results)
    searched = len({hit.session_id for hit in answer.looked.hits.best})
    message = explain(reason, answer.hidden, answer.in_current)
    return Discovered(request.query, results, searched, request.detail, reason, message)


def _reason(request: Request, answer: "_Conversations", *, is_empty: bool) -> Reason | None:
    """Tell why an answer is empty or not whole; an asker's own filters need no explaining."""
    was_left_out = answer.in_current or (answer.hidden and not request.is_filtered)
    if is_empty:
        if not parse(request.query).groups and answer.looked.reason != "unfinished":
            return "no_words"
        return "hidden" if answer.in_current or answer.hidden else answer.looked.reason or "no_match"
    if answer.looked.reason in ("no_match", "unfinished"):
        return None  # the title was found
    return answer.looked.reason or ("hidden" if was_left_out else None)


def scroll(
    store: Store, session_id: str, around: int, window: int = WINDOW, current_session: str | None = None
) -> Scrolled:
    """Read the messages around one; a message of another session of the same conversation is followed."""
    window = max(1, min(window, WIDEST_WINDOW))
    warning = None
    with store.read() as connection:
        session = _require(connection, session_id)
        anchor = messages.get(connection, around)
        if anchor is None or anchor.state == "rewound":
            raise ToolError(f"There is no message {around}.", hint="Take match_message_id from a search result.")
        if anchor.session_id != session.id:
            if _root(connection, anchor.session_id) != _root(connection, session.id):
                raise ToolError(
                    f"Message {around} is not in session {session.id}.",
                    hint=f"It is in session {anchor.session_id}.",
                )
            warning = f"Message {around} is in session {anchor.session_id}, which belongs to this conversation."
            session = _require(connection, anchor.session_id)
        if current_session is not None and anchor.state == "live":
            _refuse_current(connection, session, current_session)
        view = surroundings(messages.outline(connection, session.id), around, window, roles=None)
        texts = messages.get_many(connection, view.window)
    shown = [texts[i] for i in view.window]
    return Scrolled(session, around, window, shown, view.before, view.after, warning)


def read(store: Store, session_id: str) -> Read:
    """Read a session; of a long one the beginning and the end."""
    with store.read() as connection:
        session = _require(connection, session_id)
        head, tail, count = messages.ends(connection, session.id, _READ_HEAD, _READ_TAIL)
    return Read(session, [*head, *tail], count, is_truncated=count > len(head) + len(tail))


def browse(store: Store, limit: int = RESULTS, current_session: str | None = None) -> Browsed:
    """List the latest conversations, without the current one."""
    with store.read() as connection:
        current = [] if current_session is None else sessions.lineage(connection, current_session)
        listing = sessions.Listing(hidden_sources=HIDDEN_SOURCES, without_ids=current)
        rows = sessions.recent(connection, listing, max(1, min(limit, MOST_RESULTS)))
    return Browsed([Recent(row.session, row.preview) for row in rows])


@dataclass(frozen=True, slots=True)
class _Looked:
    """What one way of looking found. `fragment` is set when words were not the way."""

    hits: Hits
    query: Query
    reason: Reason | None = None
    fragment: str | None = None


@dataclass(frozen=True, slots=True)
class _Conversations:
    """The best hit of each conversation, and how many hits were left out."""

    looked: _Looked
    kept: Sequence[Hit]
    in_current: int
    hidden: int


_NOTHING = Hits((), 0, is_whole=True, is_last=True)


def _find_conversations(connection: Connection, engine: Engine, request: Request) -> _Conversations:
    """Go from exact to loose until a way of looking brings a conversation."""
    in_current = hidden = 0
    looked = _Looked(_NOTHING, parse(request.query), "no_match")
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
        if kept:
            return _Conversations(looked, kept[: request.limit], in_current, hidden)
    return _Conversations(looked, (), in_current, hidden)


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
) -> tuple[_Looked, list[Hit], int]:
    """Look for enough hits to fill the answer with different conversations of people."""
    for scanned in _SCANNED_HITS:
        hits = search.find(connection, engine, way.query, request.filters, scanned, request.order)
        kept, in_current = _one_for_each_conversation(connection, hits.best, request)
        of_people = sum(1 for hit in kept if hit.source != DEMOTED_SOURCE)
        if of_people >= request.limit or hits.is_last:
            break
    reason = way.reason or (None if hits.is_whole else "narrowed")
    return _Looked(hits, way.query, reason), kept, in_current


def _by_fragments(connection: Connection, engine: Engine, request: Request, way: _Fragments) -> _Looked:
    """Look in identifiers, which have an index for it, then read the newest messages for it."""
    fragments = list(way.fragments)
    long = [part for part in fragments if len(part) >= _SHORTEST_FRAGMENT]
    if long:
        found = [{*engine.text.match_fragment(connection, part, _FRAGMENT_CANDIDATES)} for part in long]
        ids = _holding(connection, sorted(set.intersection(*found), reverse=True), fragments)
        hits = _as_hits(connection, ids, request, is_last=True)
        if hits.best or hits.hidden:
            return _Looked(hits, way.query, "fragment", fragments[0])
    return _scan(connection, request, way.query, fragments)


def _scan(connection: Connection, request: Request, typed: Query, fragments: list[str]) -> _Looked:
    """Read the messages, newest first, for the fragments as typed, until enough is found or the time is over."""
    ids: list[int] = []
    in_sessions: set[str] = set()
    before: int | None = 2**62
    deadline = clock.monotonic() + _SCAN_SECONDS
    while before is not None and clock.monotonic() < deadline and len(in_sessions) < _SCANNED_SESSIONS:
        some, before = messages.containing(connection, fragments, request.roles, before, _SCAN_BLOCK)
        ids += [message_id for message_id, _ in some]
        in_sessions |= {session_id for _, session_id in some}
    hits = _as_hits(connection, ids, request, is_last=before is None)
    if hits.best:
        return _Looked(hits, typed, "fragment", fragments[0])
    return _Looked(hits, typed, "no_match" if before is None else "unfinished")


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
    current = None if request.current_session is None else _root(connection, request.current_session)
    roots: dict[str, str] = {}
    kept: dict[str, Hit] = {}
    in_current = 0
    for hit in sorted(hits, key=lambda hit: hit.source == DEMOTED_SOURCE):
        if hit.session_id not in roots:
            is_root = hit.parent_session_id is None
            roots[hit.session_id] = hit.session_id if is_root else _root(connection, hit.session_id)
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


def _titles_first(connection: Connection, request: Request, found: list[Found]) -> list[Found]:
    """Put the conversations whose title holds what was typed before the others."""
    wanted = request.query.strip().strip('"')
    is_title = _SHORTEST_FRAGMENT <= len(wanted) <= TITLE_CAP and not is_question(parse(wanted))
    if not is_title or request.sort is not None or set(request.roles) != set(TALK):
        return found
    listing = sessions.Listing(
        source=request.source, hidden_sources=HIDDEN_SOURCES, since=request.since, until=request.until
    )
    current = None if request.current_session is None else _root(connection, request.current_session)
    by_session = {result.session.id: result for result in found}
    titled = []
    for session in sessions.with_title_like(connection, wanted, listing, request.limit):
        result = by_session.get(session.id) or _from_start(connection, session)
        if result.root_id != current:
            titled.append(replace(result, matched_role="session_title"))
    roots = {result.root_id for result in titled}
    return titled + [result for result in found if result.root_id not in roots]


def _from_start(connection: Connection, session: Session) -> Found:
    head, _, _ = messages.ends(connection, session.id, 1, 0)
    anchor = head[0].id if head else None
    return Found(session, "session_title", anchor, session.title or "", _root(connection, session.id))


def _found(connection: Connection, hits: Sequence[Hit], looked: _Looked) -> list[Found]:
    owners = sessions.get_many(connection, [hit.session_id for hit in hits])
    texts = messages.get_many(connection, [hit.message_id for hit in hits])
    found = []
    for hit in hits:
        text = _text_of(texts[hit.message_id])
        shown = snippet(text, looked.query) if looked.fragment is None else excerpt(text, looked.fragment)
        root = hit.session_id if hit.parent_session_id is None else _root(connection, hit.session_id)
        found.append(Found(owners[hit.session_id], hit.role, hit.message_id, shown, root))
    return found


def _with_surroundings(connection: Connection, found: Sequence[Found]) -> list[Found]:
    """Add to each result the messages around its hit, and how its session began and ended."""
    chosen = [
        surroundings(messages.outline(connection, result.session.id), result.match_message_id, WINDOW, TALK)
        for result in found
    ]
    wanted = [i for around in chosen for i in (*around.start, *around.window, *around.end)]
    texts = messages.get_many(connection, wanted)
    return [
        replace(
            result,
            messages=[texts[i] for i in around.window],
            bookend_start=[texts[i] for i in around.start],
            bookend_end=[texts[i] for i in around.end],
            messages_before=around.before,
            messages_after=around.after,
        )
        for result, around in zip(found, chosen, strict=True)
    ]


def _refuse_current(connection: Connection, session: Session, current_session: str) -> None:
    is_current = _root(connection, session.id) == _root(connection, current_session)
    if is_current and session.end_reason != "compression":
        raise ToolError(
            "That message is in the current conversation.",
            hint="It is in your context already; read it there.",
        )


def _require(connection: Connection, session_id: str) -> Session:
    session = sessions.get(connection, session_id)
    if session is None:
        raise ToolError(f"There is no session {session_id}.", hint="Search or browse to find its id.")
    return session


def _root(connection: Connection, session_id: str) -> str:
    return sessions.lineage(connection, session_id)[-1]


def _text_of(message: Message) -> str:
    return messages.searchable_text(message.content, message.tool_name, message.tool_calls)
