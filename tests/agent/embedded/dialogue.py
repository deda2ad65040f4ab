"""What a conversation of a new user is made of: sessions of lines, with what each answer must hold.

Each line says what the answer must hold and what it must not. A session of some days ago is only in the archive:
no note was made of it.
"""

from dataclasses import dataclass

MADE_UP = ("probably", "perhaps", "I think", "As an AI")
"""Nothing may sound like a guess."""


@dataclass(frozen=True)
class Line:
    """What somebody says, what the answer holds, and what it does not."""

    said: str
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Session:
    """One conversation, today or days ago."""

    lines: tuple[Line, ...]
    days_ago: int = 0


@dataclass(frozen=True)
class Dialogue:
    """Sessions of one person, in order."""

    name: str
    sessions: tuple[Session, ...]


def told(*said: str) -> Session:
    """Return a session in which things are only told."""
    return Session(tuple(Line(one) for one in said))


def before(days_ago: int, *said: str) -> Session:
    """Return a session of days ago."""
    return Session(tuple(Line(one) for one in said), days_ago)


def asked(*lines: Line) -> Session:
    """Return a session of questions."""
    return Session(lines)


NOT_IN_MEMORY = "in memory"
