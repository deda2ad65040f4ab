"""Tokens in the store: added, found by their hash, revoked."""

from sqlalchemy import Connection, delete, insert, select, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.tokens import NewToken, Token
from hermes_agent.store import meta
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import tokens

_LOCK = "tokens"


def add(connection: Connection, new: NewToken) -> Token:
    """Keep a token."""
    at = clock.now()
    values = {name: getattr(new, name) for name in ("name", "kind", "scope", "hash", "expires_at", "parent_id")}
    statement = insert(tokens).returning(tokens)
    row = connection.execute(statement, {**values, "uid": new_uid(at), "created_at": at}).mappings().one()
    return to_record(Token, row)


def every(connection: Connection) -> list[Token]:
    """Return all of them, the oldest first."""
    rows = connection.execute(select(tokens).order_by(tokens.c.id)).mappings()
    return [to_record(Token, row) for row in rows]


def with_hash(connection: Connection, hash: str) -> Token | None:
    """Return the one that somebody shows."""
    row = connection.execute(select(tokens).where(tokens.c.hash == hash)).mappings().one_or_none()
    return None if row is None else to_record(Token, row)


def named(connection: Connection, name: str) -> Token | None:
    """Return a program's token of that name that was not revoked."""
    is_it = (tokens.c.name == name) & (tokens.c.kind == "program") & tokens.c.revoked_at.is_(None)
    row = connection.execute(select(tokens).where(is_it).order_by(tokens.c.id.desc()).limit(1)).mappings().first()
    return None if row is None else to_record(Token, row)


def get(connection: Connection, number: int) -> Token | None:
    """Return the one with a number."""
    row = connection.execute(select(tokens).where(tokens.c.id == number)).mappings().one_or_none()
    return None if row is None else to_record(Token, row)


def hold(connection: Connection, number: int) -> Token | None:
    """Return the one with a number as it is when nobody changes it any more until the transaction ends."""
    held = select(tokens).where(tokens.c.id == number).with_for_update()
    row = connection.execute(held).mappings().one_or_none()
    return None if row is None else to_record(Token, row)


def lock(connection: Connection) -> None:
    """Keep others from making tokens until the transaction ends: a name is given once."""
    meta.lock(connection, _LOCK)


def revoke(connection: Connection, number: int) -> bool:
    """Let a token open nothing any more; False if it did so already."""
    is_open = (tokens.c.id == number) & tokens.c.revoked_at.is_(None)
    return connection.execute(update(tokens).where(is_open).values(revoked_at=clock.now())).rowcount == 1


def revoke_below(connection: Connection, number: int) -> int:
    """Let the browsers that a token logged in open nothing any more; return how many did until now."""
    is_open = (tokens.c.parent_id == number) & tokens.c.revoked_at.is_(None)
    return connection.execute(update(tokens).where(is_open).values(revoked_at=clock.now())).rowcount


def note_use(connection: Connection, number: int) -> None:
    """Keep when a token was last shown."""
    connection.execute(update(tokens).where(tokens.c.id == number).values(used_at=clock.now()))


def sweep(connection: Connection, before: int) -> None:
    """Drop the tokens of browsers and links that expired or were revoked before a moment."""
    is_over = (tokens.c.expires_at < before) | (tokens.c.revoked_at < before)
    connection.execute(delete(tokens).where((tokens.c.kind != "program") & is_over))
