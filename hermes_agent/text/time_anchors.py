"""Days named by something that happened: "two weeks before the release", "the day after Anna's birthday".

When that was is not in the text: the caller looks the event up in memory and comes back with its day.
"""

from dataclasses import dataclass
from datetime import date

from hermes_agent.text.compiled import compiled
from hermes_agent.text.time_days import shifted
from hermes_agent.text.time_phrases import OFFSET, Asked, is_point, offset_days
from hermes_agent.text.time_text import plain

# Up to eight words, until the clause ends or the question goes on.
_EVENT = (
    r"(?:(?:the|an?|der|die|das|dem|den|le|la|les|el|il|lo|o|l')(?: |(?<=')))?"
    r"(?P<event>(?!(?:that|this|it|which|what|them|those|then|all|each|every|another|last|and|or|but|after|before|dem|das)\b)[^\W_][\w'&./-]*"
    r"(?: (?!(?:did|do|does|was|were|is|are|what|who|when|where|why|how|which|and|but|or|because|about|regarding"
    r"|had|has|have|we|i|you|they|haben|hat|wurde|war|und)\b)[\w'&./-]+){0,7})"
)


@dataclass(frozen=True, slots=True)
class Anchored:
    """Days counted from an event: from `offset_days_from` to `offset_days_to` after it, negative for before."""

    offset_days_from: int
    offset_days_to: int
    event: str
    phrase: str


def anchored_phrase(text: str) -> Anchored | None:
    """Return the first phrase that counts days from an event; None when there is none, or its day is a date."""
    said = plain(text)
    for opening in compiled(OFFSET).finditer(said.text):
        event = compiled(_EVENT).match(said.text, opening.end())
        if event is None or is_point(said, opening.end()):
            continue
        end = event.start("event") + len(event["event"].rstrip("./-"))
        first, last = offset_days(opening)
        return Anchored(
            first, last, said.as_written(event.start("event"), end), said.as_written(opening.start(), end)
        )
    return None


def around(anchored: Anchored, event_day: date) -> Asked:
    """Return the days an anchored phrase means, once the day of its event is known."""
    start, end = shifted(event_day, anchored.offset_days_from), shifted(event_day, anchored.offset_days_to)
    return Asked(start, end, anchored.phrase)
