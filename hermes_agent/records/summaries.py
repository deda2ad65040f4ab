"""Summaries: what stands for episodes that are old, line by line, each line with where it comes from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, TypedDict

from hermes_agent.records.archive import LEAST_TRUSTED, SourceClass, least_trusted
from hermes_agent.text.clean import preview

NO_TOPIC = "Conversation"
OWNER = "owner"
"""Who worded a summary that its owner changed."""
SummaryState = Literal["current", "undone"]


class Line(TypedDict):
    """A line of a summary; it tells of one conversation, and goes with it."""

    session: str
    message: str | None
    """The uid of the message it was taken from; a model's line has none."""
    at: int
    who: str
    text: str
    source_class: NotRequired[SourceClass]
    """Whose words it holds; a line without it is from before that was kept, and counts as the assistant's."""
    mark: NotRequired[str | None]
    """What recall said of the message beside its words: `from import`, `after reading web`."""


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
    """`rules`, the model that worded it, or `owner`."""


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

    @property
    def source_class(self) -> SourceClass:
        """Whose words it holds: the least trusted of them."""
        return source_class_of(self.lines)

    @property
    def mark(self) -> str | None:
        """The mark of the line whose words come from farthest away."""
        return worst_mark(self.lines)


def topic_of(lines: Sequence[Line]) -> str:
    """Say what lines are about where nothing else may be said: the first of them."""
    return preview(lines[0]["text"]) if lines else NO_TOPIC


def source_class_of(lines: Sequence[Line]) -> SourceClass:
    """Return the class of the line that is trusted least; of none, and of old lines, the assistant's."""
    return least_trusted({line.get("source_class", "assistant") for line in lines} or {"assistant"})


def worst_mark(lines: Sequence[Line]) -> str | None:
    """Return the mark that names the least trusted source; of one source, first that the words are its own."""
    marks = [mark for line in lines if (mark := line.get("mark"))]
    return min(marks, key=lambda mark: (_distance(mark), not mark.startswith("from ")), default=None)


def _distance(mark: str) -> int:
    named = set(mark.split())
    return next((place for place, one in enumerate(LEAST_TRUSTED) if one in named), len(LEAST_TRUSTED))


def summary_name(number: int) -> str:
    """Return what people call a summary: `summary:007`."""
    return f"summary:{number:03}"
