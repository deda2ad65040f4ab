"""Search the archive: discover by words, scroll around a message, read a session, browse the latest.

How discovering looks is in `looking.py`; here its hits become answers. An empty answer always says
why, and what to try.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes_agent.errors import ToolError
from hermes_agent.recall.advice import explain
from hermes_agent.recall.looking import (
    HIDDEN_SOURCES,
    MOST_RESULTS,
    RESULTS,
    SHORTEST_FRAGMENT,
    TALK,
    Conversations,
    Looked,
    Request,
    find_conversations,
    root_of,
)
from hermes_agent.recall.surroundings import surroundings
from hermes_agent.records.archive import Message, Session
from hermes_agent.records.search import Browsed, Discovered, Found, Read, Reason, Recent, Scrolled
from hermes_agent.store import messages, sessions
from hermes_agent.store.engine import Connection
from hermes_agent.store.search import Hit
from hermes_agent.store.store import Store
from hermes_agent.text.query import is_question, parse
from hermes_agent.text.snippet import excerpt, snippet
from hermes_agent.text.titles import TITLE_CAP

WINDOW, WIDEST_WINDOW = 5, 20
_READ_HEAD, _READ_TAIL = 20, 10


def discover(store: Store, request: Request) -> Discovered:
    """Find the sessions in which something was said, one result for each conversation, best first."""
    request = replace(request, limit=max(1, min(request.limit, MOST_RESULTS)))
    with store.read() as connection:
        answer = find_conversations(connection, store.engine, request)
        found = _found(connection, answer.kept, answer.looked)
        found = _titles_first(connection, request, found)[: request.limit]
        results = found if request.detail == "index" else _with_surroundings(connection, found)
    reason = _reason(request, answer, is_empty=not results)
    searched = len({hit.session_id for hit in answer.looked.hits.best})
    message = explain(reason, answer.hidden, answer.in_current)
    return Discovered(request.query, results, searched, request.detail, reason, message)


def _reason(request: Request, answer: Conversations, *, is_empty: bool) -> Reason | None:
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
            if root_of(connection, anchor.session_id) != root_of(connection, session.id):
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
        first = messages.first_requests(connection, [row.session.id for row in rows])
    return Browsed([Recent(row.session, row.preview, first.get(row.session.id)) for row in rows])


def _titles_first(connection: Connection, request: Request, found: list[Found]) -> list[Found]:
    """Put the conversations whose title holds what was typed before the others."""
    wanted = request.query.strip().strip('"')
    is_title = SHORTEST_FRAGMENT <= len(wanted) <= TITLE_CAP and not is_question(parse(wanted))
    if not is_title or request.sort is not None or set(request.roles) != set(TALK):
        return found
    listing = sessions.Listing(
        source=request.source, hidden_sources=HIDDEN_SOURCES, since=request.since, until=request.until
    )
    current = None if request.current_session is None else root_of(connection, request.current_session)
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
    return Found(session, "session_title", anchor, session.title or "", root_of(connection, session.id))


def _found(connection: Connection, hits: Sequence[Hit], looked: Looked) -> list[Found]:
    owners = sessions.get_many(connection, [hit.session_id for hit in hits])
    texts = messages.get_many(connection, [hit.message_id for hit in hits])
    found = []
    for hit in hits:
        text = _text_of(texts[hit.message_id])
        shown = snippet(text, looked.query) if looked.fragment is None else excerpt(text, looked.fragment)
        root = hit.session_id if hit.parent_session_id is None else root_of(connection, hit.session_id)
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
    is_current = root_of(connection, session.id) == root_of(connection, current_session)
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


def _text_of(message: Message) -> str:
    return messages.searchable_text(message.content, message.tool_name, message.tool_calls)
