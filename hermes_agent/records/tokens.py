"""Tokens: what somebody shows who asks over HTTP. Only the hash of one is ever kept.

A token is for one profile: it is kept in that profile's store and means nothing to any other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Scope = Literal["read", "write", "admin"]
"""What may be done: look; also talk, and add as a program; everything, in the owner's name."""
SCOPES: Sequence[Scope] = get_args(Scope)
MAY: Mapping[Scope, str] = {
    "read": "look at everything",
    "write": "look at everything, talk, and add facts as a program's word",
    "admin": "do everything in your name, also what concerns the home",
}
"""What each allows, behind the words `it may`."""
TokenState = Literal["good", "expired", "revoked"]
TokenKind = Literal["program", "browser", "link"]
"""Whose it is: a program's, a browser's that logged in, or of a link that logs one browser in."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that is about to be kept."""

    name: str
    kind: TokenKind
    scope: Scope
    hash: str
    expires_at: int | None = None
    parent_id: int | None = None
    """The program's token that a browser was logged in with."""


@dataclass(frozen=True, slots=True)
class Token:
    """A kept one."""

    id: int
    uid: str
    name: str
    kind: TokenKind
    scope: Scope
    hash: str
    created_at: int
    expires_at: int | None
    used_at: int | None
    revoked_at: int | None
    parent_id: int | None

    def is_valid(self, moment: int) -> bool:
        """Tell whether it opens anything at a moment."""
        return self.revoked_at is None and (self.expires_at is None or moment < self.expires_at)

    def state(self, moment: int) -> TokenState:
        """Tell what it is good for at a moment."""
        if self.revoked_at is not None:
            return "revoked"
        return "good" if self.is_valid(moment) else "expired"

    @property
    def is_owners(self) -> bool:
        """Whether what is said with it is the owner's word: it is an admin's, or a browser's that a link let in.

        A browser that a program's token let in is that program's: whoever has the token can log in with it.
        """
        return self.scope == "admin" or (self.kind == "browser" and self.parent_id is None)

    def allows(self, scope: Scope) -> bool:
        """Tell whether what needs a scope may be done with it; each scope holds those before it."""
        return SCOPES.index(self.scope) >= SCOPES.index(scope)
