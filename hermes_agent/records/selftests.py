"""What a self-test of recall found out, question by question.

A run keeps the messages it asked for by their uid, never their words: what is forgotten is gone from here too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Age = Literal["week", "month", "older"]
AGES: tuple[Age, ...] = ("week", "month", "older")

Cause = Literal["by hand", "before re-embed", "after re-embed", "before compaction", "after compaction"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One question: the message it was made of, how old that is, and where among the hits the answer stood.

    `rank` counts from 1; None when it was not among the first ten.
    """

    message: str
    age: Age
    rank: int | None


@dataclass(frozen=True, slots=True)
class Run:
    """One self-test, as it is kept."""

    uid: str
    at: int
    cause: Cause
    fingerprint: str | None
    """Of the vectors that were searched; None when words alone were."""
    answers: Sequence[Answer]
    p50_ms: float
    p95_ms: float
    troubles: Sequence[str] = ()
    """Why a pass could not look."""


@dataclass(frozen=True, slots=True)
class Score:
    """How many questions there were and which share of them was answered within so many hits, from 0 to 1."""

    questions: int
    recall_1: float
    recall_5: float
    recall_10: float
    mrr: float
    """The mean of 1/rank."""
