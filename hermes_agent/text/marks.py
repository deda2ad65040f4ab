"""What recall compares of a message, made once when the message is kept, so that its text need not be read."""

from dataclasses import dataclass
from enum import IntFlag

VERSION = 1
"""Sketches of another version are not read; `hermes db repair` makes them anew."""


class Mark(IntFlag):
    """What kind of thing a message says; the counts take the two and three highest bits."""

    NUMBER = 1 << 0
    FIRST_PERSON = 1 << 1
    IS_QUESTION = 1 << 2
    """It ends with a question mark."""
    ASKS = 1 << 3
    """It holds a question."""
    TIME = 1 << 4
    QUOTE = 1 << 5
    PREFERENCE = 1 << 6
    DENIAL = 1 << 7
    NEWS = 1 << 8
    PAST = 1 << 9
    INSTRUCTION = 1 << 10


CAPITALS_AT = 11
"""Two bits: names written with a capital inside sentences, at most three."""
NAMES_AT = 13
"""Three bits: different names, at most four."""


ADDRESSED = "@"
"""Stands before a name among the words when somebody is addressed by it."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """The arrays are little endian."""

    marks: int
    stems: bytes
    """uint32: a number for each word that is no stop word, in order, as `text.stems` makes it."""
    cuts: bytes
    """uint16: how many stems come before the end of each passage."""
    words: str
    """The words themselves, then the names by which others are addressed; of what an assistant says, none."""
    days: bytes
    """int32, in pairs: the first and last day the message speaks of, as ordinals."""
