"""The words of an answer, the same set for every language; English stands here, the others beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Phrases:
    """The words of a language. `said` is about the user, `of_person` about their people."""

    months: str
    date: str
    noted: str
    changed: str
    known: str
    told_on: str
    told_here: str
    in_note: str
    before: str
    otherwise: str
    unknown: str
    nearest: str
    you_said: str
    you_said_here: str
    profile: str
    yes: str
    no: str
    said: Mapping[str, str] = field(default_factory=dict)
    of_person: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, str] = field(default_factory=dict)


ENGLISH = Phrases(
    months="January February March April May June July August September October November December",
    date="{day} {month} {year}",
    noted="Noted: {what}. It is in {file}.",
    changed="Changed in {file}: {what}, no longer {former}.",
    known="I know that already: {what}.",
    told_on="You told me on {date} ({place}).",
    told_here="You told me in this conversation.",
    in_note="It is in {file}.",
    before="Before that: {value}, said {date}.",
    otherwise="Somebody else says otherwise: {said}",
    unknown="I don't have that in memory.",
    nearest="The nearest I found: {said}",
    you_said="On {date} you said {quote} ({place}).",
    you_said_here="Earlier in this conversation you said {quote}.",
    profile="{file} holds:",
    yes="Yes",
    no="No",
)
