"""What an external memory brings that was told to it by us: words that stand in front of the task already.

It hears every turn and every note, and keeps many as they are: a fact comes back word for word, a turn as a
transcript. Compared are whole texts by their words; of a text that was cut, its beginning.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from hermes_agent.recall.hit import Hit
from hermes_agent.text import transcripts

_SHORTEST_CUT = 40
"""Fewer characters of a text that was cut could be the beginning of anything."""

T = TypeVar("T")


def repeated(line: str, told: Mapping[str, T]) -> T | None:
    """Return what belongs to the text that a line repeats, or one side of the turn in it; None if it is new."""
    turn = transcripts.read(line)
    parts = [line, transcripts.undated(line)] if turn is None else [turn.user, turn.assistant]
    return next((found for part in parts if (found := same(part, told)) is not None), None)


def brought_again(hits: Sequence[Hit], provided: Sequence[Hit]) -> list[Hit]:
    """Return the hits of ours that lines of the external memory repeat."""
    told = {transcripts.compared(hit.text): hit for hit in hits} if provided else {}
    again = [repeated(line.text, told) for line in provided]
    return [hit for hit in hits if hit in again]


def same(text: str, told: Mapping[str, T]) -> T | None:
    """Return what belongs to the text that is the same, or begins so where this one was cut; None if none is."""
    words = transcripts.compared(text)
    if text.endswith(transcripts.CUT) and len(words) >= _SHORTEST_CUT:
        return next((one for said, one in told.items() if said.startswith(words)), None)
    return told.get(words) if words else None
