"""What somebody stated, in typed slots: who, attribute, value, polarity, and where it was said.

`learn/statements.py` reads them from messages; an attribute is a name of `learn/attributes.py` or any noun
as it was said.
"""

from dataclasses import dataclass
from typing import Literal

Polarity = Literal["is", "is not", "no longer", "was"]
WhoKind = Literal["user", "we", "person", "thing", "someone"]


@dataclass(frozen=True, slots=True)
class Who:
    """Whom a statement is about. A person has a relation to the user, a name, or both.

    `we` is the user's team, project or world; a `thing` has a name ("staging server"); `someone` is a pronoun that
    nothing in the message explains.
    """

    kind: WhoKind
    relation: str = ""
    name: str = ""


USER = Who("user")
WE = Who("we")


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing said about somebody. `start` and `end` are its place in the message.

    `is_lasting` marks what is worth a note. `former` is the value it replaces, when the words say so.
    `is_weak` marks words that may mean something else ("I am Groot"): they fill an empty slot and replace nothing.
    `is_change` marks what is so now and was not before, as the words say ("I prefer light mode now").
    `attribute` is empty in a correction that names only the new value ("no, I meant Oslo").
    """

    who: Who
    attribute: str
    value: str
    start: int
    end: int
    polarity: Polarity = "is"
    is_single: bool = False
    is_lasting: bool = True
    is_correction: bool = False
    former: str = ""
    language: str = "en"
    is_weak: bool = False
    is_change: bool = False
