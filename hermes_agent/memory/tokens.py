"""Tokens: made, shown once, checked, revoked. What is kept of one is its hash.

A token is 32 random bytes, so its plain SHA-256 cannot be turned back, and a slow hash would only slow each
request down. Links and browsers have tokens too: they are listed and revoked like those of programs.
"""

import hashlib
import secrets
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass

from hermes_agent import clock
from hermes_agent.errors import NotFound, StoreError, Transient, UsageError
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.tokens import MAY, NewToken, Scope, Token, TokenKind
from hermes_agent.store import journal, tokens
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.clean import preview

PREFIX = "hermes_"
"""What every token begins with, so that people and scanners know one when they see it."""

_BYTES = 32
_MOST_NAME = 60
_LINK_SECONDS = 300
_BROWSER_DAYS = 30
_SWEPT_DAYS = 30
_NOTED_SECONDS = 60
_DAY = 86_400 * clock.MICROSECONDS


@dataclass(frozen=True, slots=True)
class Made:
    """A new token: `shown` is what its owner shows, and is nowhere else."""

    token: Token
    shown: str


def create(
    store: Store, name: str, scope: Scope, expires_at: int | None = None, *, cause: str | None = None
) -> Made:
    """Make a token for a program; its name tells the owner later which one to revoke."""
    clean = preview(name, _MOST_NAME + 1)
    if not clean or len(clean) > _MOST_NAME:
        raise UsageError(f"A token's name has 1 to {_MOST_NAME} characters.")
    if expires_at is not None and expires_at <= clock.now():
        raise UsageError("The token would have expired already.", hint="Name a later moment.")
    with store.write() as connection:
        tokens.lock(connection)
        if tokens.named(connection, clean) is not None:
            raise UsageError(
                f"There is a token {clean!r} already.",
                hint=f"Choose another name, or revoke it first: hermes token revoke {clean!r}",
            )
        made = _add(connection, clean, "program", scope, expires_at)
        text = f"The token {clean} was made; it may {MAY[scope]}."
        journal.write(connection, NewEntry("token.created", clean, text, cause=cause, after={"scope": scope}))
        return made


def create_link(store: Store, scope: Scope = "admin") -> Made:
    """Make what a link carries that logs one browser in, once, within five minutes."""
    now = clock.now()
    with store.write(is_aside=True) as connection:
        tokens.sweep(connection, now - _SWEPT_DAYS * _DAY)
        return _add(connection, "link", "link", scope, now + _LINK_SECONDS * clock.MICROSECONDS)


def may_log_in(store: Store, shown: str) -> bool:
    """Tell whether a link or a program's token lets a browser in; whoever has none waits for nobody who writes."""
    with store.read() as connection:
        return _opening(connection, shown, clock.now()) is not None


def log_in(store: Store, shown: str, browser: str) -> Made | None:
    """Make a browser's token for what a link carries, or for a program's token; None if it opens nothing."""
    now = clock.now()
    with store.write() as connection:
        opening = _opening(connection, shown, now)
        # Held: with one that is revoked meanwhile this browser would stay.
        token = None if opening is None else tokens.hold(connection, opening.id)
        if token is None or not token.is_valid(now):
            return None
        if token.kind == "link" and not tokens.revoke(connection, token.id):
            return None
        tokens.note_use(connection, token.id)
        until = now + _BROWSER_DAYS * _DAY
        expires_at = until if token.kind == "link" else min(until, token.expires_at or until)
        name = preview(browser, _MOST_NAME) or "browser"
        parent_id = token.id if token.kind == "program" else None
        made = _add(connection, name, "browser", token.scope, expires_at, parent_id)
        text = f"A browser was logged in; it may {MAY[token.scope]}."
        journal.write(connection, NewEntry("token.login", made.token.name, text, after={"scope": token.scope}))
        return made


def check(store: Store, shown: str) -> Token | None:
    """Return the token that somebody shows, None if it opens nothing; a link's opens only the door."""
    with store.read() as connection:
        token = tokens.with_hash(connection, hashed(shown))
    now = clock.now()
    if token is None or token.kind == "link" or not token.is_valid(now):
        return None
    if token.used_at is None or now - token.used_at > _NOTED_SECONDS * clock.MICROSECONDS:
        # While another writes it is left to the next request: whoever only looks waits for nobody.
        with suppress(Transient, StoreError), store.write(is_aside=True, waits=False) as connection:
            tokens.note_use(connection, token.id)
    return token


def is_valid(store: Store, number: int) -> bool:
    """Tell whether a token, by its number, opens anything now."""
    with store.read() as connection:
        token = tokens.get(connection, number)
    return token is not None and token.is_valid(clock.now())


def every(store: Store) -> list[Token]:
    """Return all tokens but those of links, the oldest first."""
    with store.read() as connection:
        return [token for token in tokens.every(connection) if token.kind != "link"]


def revoke(store: Store, name: str | int, *, cause: str | None = None) -> Token:
    """Let a token, by its name or number, and the browsers it logged in open nothing any more.

    An int is always a number.
    """
    with store.write() as connection:
        token = _find(connection, name)
        if token is None or token.kind == "link":
            raise NotFound(f"There is no token {name!r}.", hint="List them: hermes token list")
        if not _revoke(connection, token, cause):
            raise UsageError(f"The token {token.name!r} was revoked already.")
        return tokens.get(connection, token.id) or token


def revoke_all(store: Store, numbers: Collection[int], *, cause: str | None = None) -> list[Token]:
    """Let several tokens open nothing any more, all or none, and return those that did until now.

    A browser in the list may go with the program that logged it in, before its own turn comes.
    """
    with store.write() as connection:
        chosen = [token for token in tokens.every(connection) if token.id in numbers and token.revoked_at is None]
        for token in chosen:
            _revoke(connection, token, cause)
        gone = {token.id for token in chosen}
        return [token for token in tokens.every(connection) if token.id in gone]


def hashed(shown: str) -> str:
    """Return the hash a token is kept by."""
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()


def _opening(connection: Connection, shown: str, now: int) -> Token | None:
    """Return the token that somebody shows at the door, None if it opens nothing; a browser's lets in no other."""
    token = tokens.with_hash(connection, hashed(shown))
    return token if token is not None and token.kind != "browser" and token.is_valid(now) else None


def _revoke(connection: Connection, token: Token, cause: str | None) -> bool:
    """Revoke a token with the browsers it logged in, and tell it; False if it was revoked already."""
    if not tokens.revoke(connection, token.id):
        return False
    browsers = tokens.revoke_below(connection, token.id)
    also = f", and with it {browsers} browser{'s' * (browsers > 1)}" if browsers else ""
    text = f"The token {token.name} was revoked{also}."
    journal.write(connection, NewEntry("token.revoked", token.name, text, cause=cause))
    return True


def _find(connection: Connection, name: str | int) -> Token | None:
    if isinstance(name, int):
        return tokens.get(connection, name)
    found = tokens.named(connection, name)
    if found is None and name.isdecimal() and len(name) < 18:
        return tokens.get(connection, int(name))
    return found


def _add(
    connection: Connection,
    name: str,
    kind: TokenKind,
    scope: Scope,
    expires_at: int | None,
    parent_id: int | None = None,
) -> Made:
    shown = PREFIX + secrets.token_urlsafe(_BYTES)
    new = NewToken(name, kind, scope, hashed(shown), expires_at, parent_id)
    return Made(tokens.add(connection, new), shown)
