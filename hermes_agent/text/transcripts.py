"""Turns written down as one text, as external memories keep them, and when two texts say the same.

A transcript is `User: …`, `Assistant: …`, or both, below each other or on one line; a day may stand in front. Two
texts say the same if their words do: spelling in capitals, accents, line ends and the marks around a word do not
matter, nor a leading `User`, which our facts have and our notes have not. C and C++ stay two words.
"""

import re
from dataclasses import dataclass

from hermes_agent.text.words import fold

CUT = ("...", "…")
"""How a text ends that was cut."""
_READ = 20_000
"""What comes after so many characters of a text is not compared."""
_DAY = re.compile(r"^\s*\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)?)?(?: \([^()]*\))?:\s+")
_TURN = re.compile(r"(?is)user:\s(?P<user>.*?)(?:\sassistant:(?P<assistant>.*))?|assistant:(?P<alone>.*)")
_MARKS = ".,;:!?…\"'`“”‘’„«»()[]{}*_–—"
_USER = re.compile(r"^(?:the )?user (?=.)")


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a transcript holds of each side; empty where it holds nothing."""

    user: str
    assistant: str


def undated(text: str) -> str:
    """Return a text without the day that stands in front of it."""
    return _DAY.sub("", text)


def read(text: str) -> Transcript | None:
    """Take a transcript of a turn apart; None if the text is none."""
    found = _TURN.fullmatch(undated(text).strip())
    if found is None:
        return None
    user, assistant = found["user"] or "", found["assistant"] or found["alone"] or ""
    return Transcript(user.strip(), assistant.strip())


def compared(text: str) -> str:
    """Return a text as it is compared; empty if it has no words."""
    words = (word.strip(_MARKS) for word in fold(text[:_READ]).split())
    return _USER.sub("", " ".join(filter(None, words)))
