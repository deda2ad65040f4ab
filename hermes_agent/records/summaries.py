"""Summaries: what stands for episodes that are old, line by line, each line with where it comes from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

SummaryState = Literal["current", "undone"]


class Line(TypedDict):
    """A line of a summary; it tells of one conversation, and goes with it."""

    session: str
    message: str | None
    """The uid of the message it was taken from; a model's line has none."""
    at: int
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class NewSummary:
    """A summary that is about to be kept."""

    topic: str
    lines: Sequence[Line]
    episode_count: int
    source: str
    said_at: int
    ended_at: int
    written_by: str
    """`rules`, or the model that worded it."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary as it is kept; one that is undone stands for nothing any more."""

    id: int
    uid: str
    topic: str
    """What the work was about."""
    lines: Sequence[Line]
    episode_count: int
    """How many episodes it stands for."""
    source: str
    """Through which door their conversations came: what is hidden stays apart."""
    said_at: int
    ended_at: int
    written_by: str
    made_at: int
    state: SummaryState
    is_discarded: bool
    """Whether the messages behind it are gone."""

    @property
    def name(self) -> str:
        """What people call it: `summary:007`."""
        return summary_name(self.id)

    @property
    def text(self) -> str:
        """All of it, as it is searched and embedded."""
        return "\n".join([self.topic, *(line["text"] for line in self.lines)])


def summary_name(number: int) -> str:
    """Return what people call a summary: `summary:007`."""
    return f"summary:{number:03}"
