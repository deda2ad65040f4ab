"""Choose which messages of a session are shown with a hit: those around it, and the session's two ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.store.messages import Outline

_BOOKENDS = 3
_TALK = ("user", "assistant")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Ids of the window and of the bookends outside it; `before` and `after` count what lies further out."""

    window: Sequence[int]
    start: Sequence[int]
    end: Sequence[int]
    before: int
    after: int


def surroundings(
    outline: Sequence[Outline], anchor: int | None, width: int, roles: Sequence[str] | None
) -> Surroundings:
    """Take `width` messages on each side of the anchor, and three from each end of the session.

    With `roles` only those count, but never is the anchor dropped. Bookends are what was said: no
    tool output, no summaries of compacted messages, nothing empty.
    """
    counted = [m for m in outline if roles is None or m.role in roles or m.id == anchor]
    places = [place for place, message in enumerate(counted) if message.id == anchor]
    if not places:
        return Surroundings((), (), (), 0, 0)
    first = max(0, places[0] - width)
    last = min(len(counted), places[0] + width + 1)
    window = [message.id for message in counted[first:last]]
    said = [m.id for m in outline if m.role in _TALK and m.has_text and not m.is_summary]
    start = [i for i in said if i < window[0]][:_BOOKENDS]
    end = [i for i in said if i > window[-1]][-_BOOKENDS:]
    return Surroundings(window, start, end, first, len(counted) - last)
