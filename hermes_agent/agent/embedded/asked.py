"""The kinds of questions the embedded model can tell apart."""

from dataclasses import dataclass
from typing import Literal

from hermes_agent.records.statements import Statement, Who

# What may be asked of all conversations, in the place of a time.
FIRST, COUNT, JUST_NOW = "first", "count", "just_now"
Wants = Literal["any", "when", "where", "number"]


@dataclass(frozen=True, slots=True)
class Slot:
    """The value of an attribute. `kind` narrows it (which *units* do I prefer), `is_former` asks for what was.

    `time` asks for what was so at a time ("in March"), `then` for what was so before a value ("before Oslo").
    """

    who: Who
    attribute: str
    kind: str = ""
    wants: Wants = "any"
    is_former: bool = False
    is_not: bool = False
    """Whether it asks for what one does not like, use, eat."""
    language: str = "en"
    time: str = ""
    then: str = ""
    among: tuple[str, ...] = ()
    """What the question lets one choose from: "tea or coffee"."""


@dataclass(frozen=True, slots=True)
class Check:
    """Whether something holds; `is_past`: whether it ever did."""

    statement: Statement
    language: str = "en"
    is_past: bool = False


@dataclass(frozen=True, slots=True)
class Person:
    """Who somebody is."""

    name: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Profile:
    """Everything that is known about the user."""

    language: str = "en"


@dataclass(frozen=True, slots=True)
class Rules:
    """How the user wants to be answered."""

    language: str = "en"


@dataclass(frozen=True, slots=True)
class About:
    """What was said about a topic, perhaps within a time."""

    topic: str
    wants: Wants = "any"
    time: str = ""
    is_open: bool = False
    """Whether the question is none we understand: then only words that cover it answer."""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Talk:
    """What conversations there were at a time."""

    time: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Happened:
    """What happened at a time; with a kind only such events of the journal."""

    time: str
    kind: str = ""
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Why:
    """Why something was decided, or went wrong; without a topic and a time, why the last thing was done."""

    topic: str = ""
    time: str = ""
    kind: str = "decision"
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Same:
    """The question before, about somebody else: "and my brother?"."""

    who: Who
    language: str = "en"


Question = Slot | Check | Person | Profile | Rules | About | Talk | Happened | Why | Same
