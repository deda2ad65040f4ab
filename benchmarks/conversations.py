"""Public conversations with questions and gold evidence: files `NAME.jsonl.gz` in a folder.

How to make the folder: docs/benchmarks.md.
"""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2
from pathlib import Path
from statistics import fmean

CHAT = frozenset({"user", "assistant", "system", "tool"})
"""Speakers that are roles; any other is a person's name."""

SETS = ("locomo", "locomo-plus", "realtalk", "lme-pool", "lme-s-lite", "beam-100k")
"""The sets that docs/benchmarks.md speaks of, in its order."""


@dataclass(frozen=True)
class Turn:
    """One message; `date` is ISO 8601 without a zone."""

    id: str
    speaker: str
    text: str
    date: str | None


@dataclass(frozen=True)
class Session:
    """Turns in the order they were said."""

    id: str
    date: str | None
    turns: Sequence[Turn]


@dataclass(frozen=True)
class Question:
    """A question, when it is asked, and the turns that hold the answer; not `scored`: memory holds none."""

    id: str
    text: str
    category: str
    evidence: frozenset[str]
    now: str | None
    scored: bool


@dataclass(frozen=True)
class Conversation:
    """One memory and the questions about it."""

    id: str
    sessions: Sequence[Session]
    questions: Sequence[Question]

    @property
    def scored(self) -> list[Question]:
        return [question for question in self.questions if question.scored]

    @cached_property
    def text_of(self) -> Mapping[str, str]:
        return {turn.id: turn.text for session in self.sessions for turn in session.turns}

    @cached_property
    def session_of(self) -> Mapping[str, str]:
        return {turn.id: session.id for session in self.sessions for turn in session.turns}


def names(folder: Path) -> list[str]:
    """Return the sets that are in a folder, the known ones first."""
    found = sorted(file.name.removesuffix(".jsonl.gz") for file in folder.glob("*.jsonl.gz"))
    return [name for name in SETS if name in found] + [name for name in found if name not in SETS]


def read(folder: Path, name: str) -> Iterator[Conversation]:
    """Yield the conversations of a set."""
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            raw = json.loads(line)
            sessions = [
                Session(one["id"], one["date"], [Turn(**turn) for turn in one["turns"]]) for one in raw["sessions"]
            ]
            questions = [Question(**{**one, "evidence": frozenset(one["evidence"])}) for one in raw["questions"]]
            yield Conversation(raw["id"], sessions, questions)


def score(ranked: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """Compare a ranking with the gold evidence; an id counts once, at its best rank."""
    hits = [found in gold for found in dict.fromkeys(ranked)]
    scored: dict[str, float] = {}
    for k in (5, 10, 20):
        found = sum(hits[:k])
        scored[f"recall@{k}"] = found / len(gold)
        scored[f"any@{k}"] = float(found > 0)
        scored[f"all@{k}"] = float(found == len(gold))
    scored["mrr"] = next((1 / place for place, hit in enumerate(hits, 1) if hit), 0.0)
    ideal = sum(1 / log2(place + 2) for place in range(min(10, len(gold))))
    scored["ndcg@10"] = sum(hit / log2(place + 2) for place, hit in enumerate(hits[:10])) / ideal
    return scored


def mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each figure."""
    return {key: fmean(row[key] for row in rows) for key in rows[0]} if rows else {}
