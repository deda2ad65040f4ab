"""What a text index must do, and how a search within a budget is planned.

Two scopes keep apart what people look for (`talk`) from the output of tools (`tools`), which is
most of the bytes and rarely wanted. Two more (`facts`, `summaries`) hold what has numbers of its own.
The trigrams of identifiers in messages are in an index beside them. Each engine implements
`TextIndex` its own way; the plan below is the same for both.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal, Protocol

from sqlalchemy import Connection

from hermes_agent.text.query import Query, Term

Scope = Literal["talk", "tools", "facts", "summaries"]
Source = Literal["messages", "facts", "summaries"]
Order = Literal["best", "newest", "oldest"]

TABLES: dict[Scope, str] = {
    "talk": "messages_fts",
    "tools": "tools_fts",
    "facts": "facts_fts",
    "summaries": "summaries_fts",
}
"""Where each scope is kept, under the same name on both engines."""
SOURCES: dict[Scope, Source] = {
    "talk": "messages",
    "tools": "messages",
    "facts": "facts",
    "summaries": "summaries",
}
"""The table whose rows a scope holds; the ids in the index are its ids."""
SEARCHABLE: dict[Scope, str] = {
    "talk": "SELECT id FROM messages WHERE role <> 'tool' AND state <> 'rewound'",
    "tools": "SELECT id FROM messages WHERE role = 'tool' AND state <> 'rewound'",
    "facts": "SELECT id FROM facts",
    "summaries": "SELECT id FROM summaries WHERE state = 'current'",
}
"""Which rows belong into each scope."""

# Postings whose messages are scored at most. Measured on two cores: FTS5 scores about 1,500 a
# millisecond, so this keeps a search below 0.1 s at any size of archive.
POSTINGS_BUDGET = 100_000
# So many are scored whatever they are: it takes a few milliseconds.
CHEAP_POSTINGS = 10_000
# A word this many times as frequent as all rarer ones together only adds to their messages' score.
FREQUENCY_GAP = 20
# Rare words that bring fewer than this may not fill an answer: it is filled up from the newest messages.
ENOUGH_POSTINGS = 20
# The newest part of the archive that is scored for a single word above the budget, in postings.
NEWEST_POSTINGS = 60_000
# The same where candidates are wanted, which are compared by other means afterwards.
CANDIDATE_POSTINGS = 5_000
# How many hits a first look asks for.
FIRST_LOOK = 100
# A word in more of the messages than this says nothing when a rarer one is asked for too.
COMMON_SHARE = 0.25
# Nor does one in more than this add to the score of few messages: weighing it means walking its postings.
WEIGHED_SHARE = 0.1


def tables_of(source: Source, trigrams: str) -> list[str]:
    """Return the tables of the index that hold messages, or facts; only messages have trigrams."""
    tables = [table for scope, table in TABLES.items() if SOURCES[scope] == source]
    return [*tables, trigrams] if source == "messages" else tables


@dataclass(frozen=True, slots=True)
class IndexedText:
    """One message or fact as the index takes it."""

    id: int
    scope: Scope
    words: Sequence[str]
    trigrams: Sequence[str]


@dataclass(frozen=True, slots=True)
class Match:
    """A message or fact that matched, and how well; higher is better."""

    id: int
    score: float


@dataclass(frozen=True, slots=True)
class Matches:
    """The best matches. `is_whole` says that every message was looked at, `is_last` that no more match.

    Where a longer look would bring more, `is_last` is False even if there are fewer than asked for.
    """

    best: Sequence[Match]
    is_whole: bool
    is_last: bool


def filled(matches: Matches, more: Matches, limit: int) -> Matches:
    """Add matches of a second search behind those of the first."""
    seen = {match.id for match in matches.best}
    rest = [match for match in more.best if match.id not in seen]
    return replace(matches, best=[*matches.best, *rest][:limit])


@dataclass(frozen=True, slots=True)
class Candidates:
    """What is worth comparing, the likeliest first; of `total` texts about so many hold each of the terms."""

    best: Sequence[Match]
    frequencies: Sequence[int]
    total: int


@dataclass(frozen=True, slots=True)
class Damage:
    """What a check of the index found."""

    missing: int
    """Searchable messages and facts that are not in the index."""
    stale: int
    """Index rows without a searchable message or fact."""
    broken: str | None
    """What the engine itself says is wrong."""
    unchecked: str | None = None
    """Why the engine could not look itself."""


class TextIndex(Protocol):
    """The engine's own way to index words and find them."""

    def put(self, connection: Connection, texts: Sequence[IndexedText]) -> None:
        """Index the texts; none of them is indexed yet."""

    def remove(self, connection: Connection, ids: Sequence[int], source: Source = "messages") -> None:
        """Take messages, or facts, out of every scope they may be in."""

    def match(self, connection: Connection, scope: Scope, query: Query, limit: int, order: Order) -> Matches:
        """Find the messages that match: the best of them, or the newest or oldest by when they were said."""

    def candidates(
        self,
        connection: Connection,
        scope: Scope,
        terms: Sequence[Term],
        limit: int,
        postings: int = CANDIDATE_POSTINGS,
    ) -> Candidates:
        """Find messages or facts that hold the rarest of the terms, quickly: whoever asks compares them anew.

        About so many `postings` are scored.
        """

    def match_fragment(self, connection: Connection, fragment: str, limit: int) -> list[int]:
        """Find messages whose identifiers may hold the fragment (three characters or more), newest first."""

    def check(self, connection: Connection) -> Damage:
        """Compare the index with the messages and facts."""

    def clear(self, connection: Connection) -> None:
        """Empty the index, whatever state it is in."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Which terms bring candidates, which only add to their score, and how much of the archive is read.

    `is_partial` says that further terms would bring more messages; `fill_share` is the newest part
    from which those that score fill up what the candidates leave open.
    """

    candidates: tuple[int, ...]
    scored: tuple[int, ...]
    newest_share: float
    is_partial: bool = False
    fill_share: float = 0.0


def plan_any(frequencies: Sequence[int], total: int, limit: int = FIRST_LOOK) -> Plan:
    """Plan a ranked OR over terms that occur in so many of `total` messages.

    The rarest words bring the candidates; each further word does too while that is cheap, or while
    it is not much more frequent and the budget lasts. The remaining words only score. A single word
    above the budget is ranked over the newest part of the archive. Whoever asks for more than a first
    look was not content with what the rare words brought: then all words bring candidates.
    """
    order = [i for i in sorted(range(len(frequencies)), key=lambda i: frequencies[i]) if frequencies[i]]
    every = sum(frequencies)
    if limit > FIRST_LOOK or every <= CHEAP_POSTINGS:
        return Plan(tuple(order), (), share_for(every))
    telling = [i for i in order if frequencies[i] <= total * COMMON_SHARE] or order[:1]
    chosen = telling[:1]
    spent = frequencies[chosen[0]]
    for i in telling[1:]:
        together = spent + frequencies[i]
        is_alike = frequencies[i] <= FREQUENCY_GAP * spent
        if together > CHEAP_POSTINGS and not (is_alike and together <= POSTINGS_BUDGET):
            break
        chosen.append(i)
        spent = together
    others = telling[len(chosen) :]
    if spent > CHEAP_POSTINGS:
        return Plan(tuple(chosen), tuple(others), share_for(spent), is_partial=len(chosen) < len(order))
    weighed = [i for i in others if frequencies[i] <= total * WEIGHED_SHARE]
    filling = sum(frequencies[i] for i in weighed)
    fill_share = min(1.0, CHEAP_POSTINGS / filling) if filling and spent < ENOUGH_POSTINGS else 0.0
    is_partial = len(chosen) < len(order)
    return Plan(tuple(chosen), tuple(weighed), 1.0, is_partial, fill_share)


def plan_candidates(frequencies: Sequence[int], total: int, postings: int = CANDIDATE_POSTINGS) -> Plan:
    """Plan an OR over the rarest terms, as many as the small budget allows; a single common one in part.

    Of the others those that say something are wanted beside the rarest.
    """
    order = sorted((i for i, frequency in enumerate(frequencies) if frequency), key=lambda i: frequencies[i])
    spent = list(accumulate(frequencies[i] for i in order))
    within = max(1, bisect_right(spent, postings))
    others = [i for i in order[within:] if frequencies[i] <= total * COMMON_SHARE]
    share = min(1.0, postings / spent[0]) if spent else 1.0
    return Plan(tuple(order[:within]), tuple(others), share)


def plan_by_age(frequencies: Sequence[int]) -> Plan:
    """Plan a search ordered by time: every term counts alike, so only the newest share may be cut."""
    return Plan(tuple(i for i, frequency in enumerate(frequencies) if frequency), (), share_for(sum(frequencies)))


def share_for(matches: int) -> float:
    """Return the share of the archive in which about a budget of matches lies."""
    return 1.0 if matches <= POSTINGS_BUDGET else NEWEST_POSTINGS / matches


def id_range(last_id: int, share: float, order: Order) -> tuple[int, int]:
    """Return the ids that are looked at: the newest share, or the oldest when the oldest are wanted."""
    if share >= 1.0:
        return 0, last_id
    return (0, int(last_id * share)) if order == "oldest" else (int(last_id * (1.0 - share)), last_id)
