"""Sessions: begun, ended, named and listed; how one grew out of another.

A session may continue another whose window was full (compression), do a part of its work
(delegation), or leave it at some point (branch). People see one row a conversation: the tip of a
chain of compressions stands for it, delegated work is hidden.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from hermes_agent import clock
from hermes_agent.errors import NotFound, UsageError
from hermes_agent.ids import new_session_id, new_uid
from hermes_agent.records.archive import PROGRAM_SOURCES, NewSession, Session
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import messages, sessions, system_prompts
from hermes_agent.store.types import String
from hermes_agent.text.titles import base_title, clean_title

_DEPTH = 1_000
# Built once: an import asks for every session.
_BY_ID = select(sessions.c.id).where(sessions.c.id == bindparam("wanted"))
_BY_UID = select(sessions.c.id).where(sessions.c.uid == bindparam("wanted"))
_BY_TITLE = select(sessions.c.id).where(sessions.c.title == bindparam("wanted"))
_PREVIEW_CHARACTERS = 500
_MOST_TITLES = 1_000
_MOST_MEANT = 5
LONGEST_ID = 200


@dataclass(frozen=True, slots=True)
class Listed:
    """A session as a list shows it, with the start of its first question."""

    session: Session
    preview: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Which sessions a list shows."""

    source: str | None = None
    hidden_sources: Sequence[str] = ()
    """With any, what programs told and waits for review is left out, too."""
    since: int | None = None
    until: int | None = None
    without_ids: Sequence[str] = ()
    with_archived: bool = False
    with_delegated: bool = False


def create(connection: Connection, new: NewSession) -> str:
    """Begin a session and return its id; a session with that id already there is left as it is."""
    started_at = clock.now() if new.started_at is None else new.started_at
    session_id = new.id or new_session_id(started_at)
    if exists_id(connection, session_id):
        return session_id
    if len(session_id) > LONGEST_ID:
        raise UsageError(f"A session id has at most {LONGEST_ID} characters; this one has {len(session_id)}.")
    title = None if new.title is None else clean_title(new.title)
    if title is not None:
        _refuse_taken_title(connection, title, session_id)
    put(connection, replace(new, id=session_id, started_at=started_at, title=title))
    return session_id


def put(connection: Connection, new: NewSession, also: Mapping[str, object] | None = None) -> None:
    """Keep a session whose id and title are known to be free; `also` holds what new ones begin without."""
    started_at = new.started_at or 0
    values = {
        "id": new.id,
        "uid": new.uid or new_uid(started_at),
        "source": new.source,
        "user_id": new.user_id,
        "model": new.model,
        "model_config": new.model_config,
        "system_prompt_hash": keep_prompt(connection, new.system_prompt),
        "parent_session_id": new.parent_session_id,
        "parent_kind": new.parent_kind,
        "started_at": started_at,
        "last_active_at": started_at,
        "title": new.title,
        "title_source": new.title_source or ("user" if new.title else None),
        "folder": new.folder,
        "metadata": dict(new.metadata) or None,
        **(also or {}),
    }
    with _titled(new.title):
        connection.execute(insert_fresh(connection, sessions, "id"), values)


def prompt_hash(prompt: str) -> str:
    """Return what a system prompt is kept under."""
    return hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()


def keep_prompt(connection: Connection, prompt: str | None) -> str | None:
    """Keep a system prompt once, whoever uses it; return its hash."""
    if prompt is None:
        return None
    digest = prompt_hash(prompt)
    connection.execute(insert_fresh(connection, system_prompts, "hash"), {"hash": digest, "prompt": prompt})
    return digest


def set_prompt(connection: Connection, session_id: str, prompt: str) -> None:
    """Give a session the prompt it goes on with."""
    digest = keep_prompt(connection, prompt)
    connection.execute(update(sessions).where(sessions.c.id == session_id).values(system_prompt_hash=digest))


def prompt_of(connection: Connection, session: Session) -> str | None:
    """Return the system prompt as it was sent."""
    query = select(system_prompts.c.prompt).where(system_prompts.c.hash == session.system_prompt_hash)
    return connection.execute(query).scalar()


def exists_id(connection: Connection, session_id: str) -> bool:
    """Tell whether a session with exactly this id is there."""
    return connection.execute(_BY_ID, {"wanted": session_id}).first() is not None


def exists_uid(connection: Connection, uid: str) -> bool:
    """Tell whether a session has this uid."""
    return connection.execute(_BY_UID, {"wanted": uid}).first() is not None


def exists_title(connection: Connection, title: str) -> bool:
    """Tell whether a session has exactly this title."""
    return connection.execute(_BY_TITLE, {"wanted": title}).first() is not None


def get(connection: Connection, session_id: str) -> Session | None:
    """Return one session."""
    row = connection.execute(select(sessions).where(sessions.c.id == session_id)).mappings().one_or_none()
    return None if row is None else to_record(Session, row)


def get_many(connection: Connection, ids: Sequence[str]) -> dict[str, Session]:
    """Return the sessions with these ids."""
    query = select(sessions).where(is_in(sessions.c.id))
    return {row["id"]: to_record(Session, row) for row in connection.execute(query, {"ids": ids}).mappings()}


def resolve(connection: Connection, name: str) -> list[Session]:
    """Find the sessions a person may mean: that id, that title, or else the ids that begin so."""
    # Typed: half a character in the name is compared as it would be stored.
    is_start = func.substr(sessions.c.id, 1, len(name), type_=String) == name
    for condition in (sessions.c.id == name, sessions.c.title == name, is_start):
        query = select(sessions).where(condition).order_by(sessions.c.id).limit(_MOST_MEANT)
        found = [to_record(Session, row) for row in connection.execute(query).mappings()] if name else []
        if found:
            return found
    return []


def require(connection: Connection, name: str) -> Session:
    """Find the one session a person means, or say why not."""
    found = resolve(connection, name)
    if len(found) > 1:
        listed = ", ".join(session.id for session in found)
        raise NotFound(f"{name!r} may be any of several sessions: {listed}.", hint="Write more of the id.")
    if not found:
        raise NotFound(f"No session is called {name!r}.", hint="List them with: hermes sessions list")
    return found[0]


def hold(connection: Connection, session: Session) -> Session:
    """Keep others from changing a session until the transaction ends; return it as it is now."""
    connection.execute(select(sessions.c.id).where(sessions.c.id == session.id).with_for_update())
    return require(connection, session.id)


def latest_named(connection: Connection, name: str) -> Session:
    """Find the session to go on with: of a lineage named by its base title the latest, `plan #3` for `plan`."""
    numbered = (
        select(sessions)
        .where(sessions.c.title.startswith(name + " #", autoescape=True))
        .order_by(sessions.c.started_at.desc(), sessions.c.id.desc())
    )
    if base_title(name) == name:
        for row in connection.execute(numbered).mappings():
            if base_title(row["title"]) == name:
                return to_record(Session, row)
    return require(connection, name)


def end(connection: Connection, session_id: str, reason: str, at: int | None = None) -> bool:
    """End a session; the first reason wins. Tell whether it was still open."""
    result = connection.execute(
        update(sessions)
        .where(sessions.c.id == session_id, sessions.c.ended_at.is_(None))
        .values(ended_at=clock.now() if at is None else at, end_reason=reason)
    )
    return result.rowcount > 0


def reopen(connection: Connection, session_id: str) -> None:
    """Let an ended session go on."""
    connection.execute(update(sessions).where(sessions.c.id == session_id).values(ended_at=None, end_reason=None))


def rename(connection: Connection, session_id: str, title: str | None, *, source: str = "user") -> str | None:
    """Give a session a title, or none; an automatic title never replaces one a person chose."""
    clean = None if title is None else clean_title(title)
    if clean is not None:
        _refuse_taken_title(connection, clean, session_id)
    change = update(sessions).where(sessions.c.id == session_id)
    if source != "user":
        change = change.where(or_(sessions.c.title_source.is_(None), sessions.c.title_source != "user"))
    with _titled(clean):
        connection.execute(change.values(title=clean, title_source=source if clean else None))
    return connection.execute(select(sessions.c.title).where(sessions.c.id == session_id)).scalar()


def titles_like(connection: Connection, base: str) -> list[str]:
    """Return the titles of a lineage, `base` and `base #N`."""
    is_numbered = sessions.c.title.startswith(base + " #", autoescape=True)
    query = select(sessions.c.title).where(or_(sessions.c.title == base, is_numbered))
    return list(connection.execute(query).scalars())


def add_tokens(connection: Connection, session_id: str, **tokens: int) -> None:
    """Add to the session's token counts: `input`, `output`, `cache_read`, `cache_write`, `reasoning`."""
    columns = {f"{name}_tokens": sessions.c[f"{name}_tokens"] + amount for name, amount in tokens.items()}
    connection.execute(update(sessions).where(sessions.c.id == session_id).values(columns))


def recent(connection: Connection, listing: Listing, limit: int, offset: int = 0) -> list[Listed]:
    """Return conversations, the last active first; pinned ones lead."""
    first = (
        select(messages.c.content)
        .where(messages.c.session_id == sessions.c.id, messages.c.role == "user", messages.c.state != "rewound")
        .order_by(messages.c.id)
        .limit(1)
        .scalar_subquery()
    )
    query = (
        select(sessions, first.label("preview"))
        .where(_is_listed(listing))
        .order_by(sessions.c.is_pinned.desc(), sessions.c.last_active_at.desc(), sessions.c.id.desc())
        .limit(limit)
        .offset(offset)
    )
    rows = connection.execute(query).mappings()
    return [Listed(to_record(Session, row), (row["preview"] or "")[:_PREVIEW_CHARACTERS]) for row in rows]


def latest_ids(connection: Connection, limit: int, hidden_sources: Sequence[str]) -> list[str]:
    """Return the conversations that were last active, the latest first."""
    query = select(sessions.c.id).where(sessions.c.source.not_in(hidden_sources))
    return list(
        connection.execute(
            query.order_by(sessions.c.last_active_at.desc(), sessions.c.id.desc()).limit(limit)
        ).scalars()
    )


def with_title_like(connection: Connection, title: str, listing: Listing, limit: int) -> list[Session]:
    """Return conversations whose title holds the words as typed, the last active first."""
    # The titles alone are read first: their index holds all of it, and few match. SQLite knows the
    # case of ASCII letters only, so other titles are compared here.
    titles = select(sessions.c.title).where(sessions.c.title.is_not(None))
    if title.isascii():
        # SQLite's own LIKE takes no heed of case; lower() would cost twice as much.
        is_sqlite = connection.dialect.name == "sqlite"
        holds = sessions.c.title.contains if is_sqlite else sessions.c.title.icontains
        titles = titles.where(holds(title, autoescape=True))
    every = connection.execute(titles).scalars()
    matching = [kept for kept in every if kept and title.casefold() in kept.casefold()][:_MOST_TITLES]
    if not matching:
        return []
    query = select(sessions).where(sessions.c.title.in_(matching), _is_listed(listing))
    rows = connection.execute(query.order_by(sessions.c.last_active_at.desc()).limit(limit)).mappings()
    return [to_record(Session, row) for row in rows]


def lineage(connection: Connection, session_id: str) -> list[str]:
    """Return the session's ancestors from itself to the root."""
    path = [session_id]
    while len(path) <= _DEPTH:
        query = select(sessions.c.parent_session_id).where(sessions.c.id == path[-1])
        parent = connection.execute(query).scalar()
        if parent is None or parent in path:
            break
        path.append(parent)
    return path


def tip(connection: Connection, session_id: str) -> str:
    """Follow compressions forward to the session where the conversation goes on."""
    path = [session_id]
    while len(path) <= _DEPTH:
        query = (
            select(sessions.c.id)
            .where(sessions.c.parent_session_id == path[-1], sessions.c.parent_kind == "compression")
            .order_by(sessions.c.started_at.desc(), sessions.c.id.desc())
            .limit(1)
        )
        child = connection.execute(query).scalar()
        if child is None or child in path:
            break
        path.append(child)
    return path[-1]


def prunable(connection: Connection, before: int, source: str | None = None) -> list[str]:
    """Return sessions that ended, and fell silent, before a moment; pinned ones are never among them."""
    query = select(sessions.c.id).where(
        sessions.c.ended_at < before, sessions.c.last_active_at < before, sessions.c.is_pinned.is_(False)
    )
    if source is not None:
        query = query.where(sessions.c.source == source)
    return list(connection.execute(query.order_by(sessions.c.last_active_at)).scalars())


def every_id(connection: Connection, within: Listing | None = None) -> list[str]:
    """Return session ids in the order they began: all of them, or those of a source and a time."""
    query = select(sessions.c.id).order_by(sessions.c.started_at, sessions.c.id)
    if within is not None:
        for condition in _within(within):
            query = query.where(condition)
    return list(connection.execute(query).scalars())


def _within(listing: Listing) -> list[ColumnElement[bool]]:
    """Return the conditions of source and time."""
    conditions: list[ColumnElement[bool]] = []
    if listing.source is not None:
        conditions.append(sessions.c.source == listing.source)
    if listing.since is not None:
        conditions.append(sessions.c.last_active_at >= listing.since)
    if listing.until is not None:
        conditions.append(sessions.c.started_at < listing.until)
    return conditions


def _is_listed(listing: Listing) -> ColumnElement[bool]:
    child = sessions.alias("child")
    continues = exists().where(child.c.parent_session_id == sessions.c.id, child.c.parent_kind == "compression")
    conditions: list[ColumnElement[bool]] = [~continues]
    if not listing.with_delegated:
        conditions.append(func.coalesce(sessions.c.parent_kind, "") != "delegation")
    if not listing.with_archived:
        conditions.append(sessions.c.is_archived.is_(False))
    if listing.source is None and listing.hidden_sources:
        conditions.append(sessions.c.source.not_in(listing.hidden_sources))
        # A program's session holds what waits for review: it is no conversation unless somebody spoke in it.
        spoke = exists().where(messages.c.session_id == sessions.c.id, messages.c.role == "user")
        conditions.append(sessions.c.source.not_in(PROGRAM_SOURCES) | spoke)
    conditions += _within(listing)
    if listing.without_ids:
        conditions.append(sessions.c.id.not_in(listing.without_ids))
    joined = conditions[0]
    for condition in conditions[1:]:
        joined = joined & condition
    return joined


@contextmanager
def _titled(title: str | None) -> Iterator[None]:
    """Say in words that a title was taken by another process since we looked."""
    try:
        yield
    except IntegrityError as error:
        if title is None or "title" not in str(error.orig):
            raise
        raise UsageError(f"The title {title!r} was taken just now.", hint="Choose another title.") from error


def _refuse_taken_title(connection: Connection, title: str, session_id: str) -> None:
    query = select(sessions.c.id).where(sessions.c.title == title, sessions.c.id != session_id)
    holder = connection.execute(query).scalar()
    if holder is not None:
        raise UsageError(f"The title {title!r} belongs to session {holder}.", hint="Choose another title.")
