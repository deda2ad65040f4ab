"""What is asked of memory, and the limits it is answered within."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Literal

from hermes_agent import clock
from hermes_agent.recall.question import Question, is_topic, read
from hermes_agent.text.time_phrases import asked_span


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The settings `memory.retrieval.*`."""

    recency_episodes: int = 3
    semantic_top_k: int = 5
    min_relevance: float = 0.65
    budget_tokens: int = 20_000


@dataclass(frozen=True, slots=True)
class Reranking:
    """The settings `memory.rerank.*`, and the key."""

    provider: Literal["none", "http", "onnx"] = "none"
    url: str | None = None
    model: str | None = None
    path: Path | None = None
    timeout_ms: int = 300
    top_n: int = 50
    key: str | None = field(default=None, repr=False)


NO_RERANKING = Reranking()


@dataclass(frozen=True, slots=True)
class Asking:
    """A question or task, when it is asked, and what is left out of the answer."""

    question: Question
    now: datetime
    """In the user's zone."""
    span: tuple[date, date] | None = None
    """The days it speaks of."""
    without_session: str | None = None
    """The conversation it is asked in: what is live of it is before the asker's eyes."""
    hidden_sources: Sequence[str] = ()
    as_of: int | None = None
    """Answer as memory stood at a moment."""
    since: int | None = None
    until: int | None = None


def ask(
    said: str,
    now: datetime,
    *,
    known: tuple[date, date] | None = None,
    without_session: str | None = None,
    hidden_sources: Sequence[str] = (),
    as_of: int | None = None,
    since: int | None = None,
    until: int | None = None,
) -> Asking:
    """Read what is asked. `known` are the first and last day of memory: a date without a year lies between."""
    found = asked_span(said, now, known)
    question = read(said if found is None or not found.phrase else without_phrase(said, found.phrase))
    span = None if found is None else (found.start, found.end)
    if span is None and not any(map(is_topic, question.weights)):
        span = _given(now, since, until)
    return Asking(question, now, span, without_session, hidden_sources, as_of, since, until)


def _given(now: datetime, since: int | None, until: int | None) -> tuple[date, date] | None:
    """Return the days that are asked for beside words that say nothing else."""
    if since is None:
        return None
    last = now if until is None else clock.to_datetime(until - 1, now.tzinfo)
    return clock.to_datetime(since, now.tzinfo).date(), last.date()


def without_phrase(text: str, phrase: str) -> str:
    """Take the date out of a question: its digits would match by chance, and so would what led up to it."""
    before, _, after = text.partition(phrase)
    words = before.split()
    while words and words[-1].lower() in _LEADING:
        words.pop()
    left = " ".join([*words, after.strip()]).strip()
    return left if any(letter.isalnum() for letter in left) else text


_LEADING = frozenset({"on", "in", "of", "the", "during", "since", "by", "until", "at", "from"})
