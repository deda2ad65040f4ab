"""The text index on PostgreSQL: tsvectors made of our words, ranked by our own BM25.

Core features only. A tsvector is written as text with the positions of each word, so no dictionary
of the server has a say and both engines index the same words. Trigrams of identifiers are a
`text[]` under GIN.

Ranking takes two steps: all candidates by which words they hold and how long they are, then the
best of them with the true count of each word. Both are BM25 with FTS5's constants.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log
from typing import ClassVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from hermes_agent.store.text_index import (
    CANDIDATE_POSTINGS,
    CHEAP_POSTINGS,
    SEARCHABLE,
    SOURCES,
    TABLES,
    Candidates,
    Damage,
    IndexedText,
    Match,
    Matches,
    Order,
    Scope,
    Source,
    filled,
    id_range,
    plan_any,
    plan_by_age,
    plan_candidates,
    share_for,
    tables_of,
)
from hermes_agent.store.types import escape
from hermes_agent.text.identifiers import trigrams
from hermes_agent.text.query import Group, Query, Term, is_any

_TRIGRAMS = "identifiers_fts"
_ENTRY = re.compile(r"'([^' ]+)':([0-9,]+)")
_K1, _B = 1.2, 0.75
_COUNTED = 1_000
"""How many of the best candidates have their words counted."""
_SAMPLE = 20_000
_POSITIONS = 255
_CROWDED = " crowded"
"""Marks a message with a word of more positions than PostgreSQL keeps; no word has a space in it."""
_PAIR_BYTES = 300_000
_SURE_COUNT = 2_000
"""A word in no more messages than this is counted exactly; a commoner one is read off the statistics."""


@dataclass(frozen=True, slots=True)
class PostgresText:
    """The text index of a PostgreSQL store."""

    def put(self, connection: Connection, texts: Sequence[IndexedText]) -> None:
        for scope, table in TABLES.items():
            rows = [(t.id, _tsvector(t.words), len(t.words)) for t in texts if t.scope == scope]
            _copy(connection, f"{table} (id, words, word_count)", rows)
        grams = [(t.id, list(t.trigrams)) for t in texts if t.trigrams]
        _copy(connection, f"{_TRIGRAMS} (id, trigrams)", grams)

    def remove(self, connection: Connection, ids: Sequence[int], source: Source = "messages") -> None:
        for table in tables_of(source, _TRIGRAMS):
            connection.execute(text(f"DELETE FROM {table} WHERE id = ANY(:ids)"), {"ids": list(ids)})

    def match(self, connection: Connection, scope: Scope, query: Query, limit: int, order: Order) -> Matches:
        last_id = _count(connection, f"SELECT coalesce(max(id), 0) FROM {SOURCES[scope]}")
        counted = {term: _frequency(connection, TABLES[scope], term, last_id) for term in query.every_term}
        search = _Search(connection, scope, limit, order, last_id, counted)
        if is_any(query):
            return _match_any(search, query.terms)
        groups = [group for group in query.groups if all(counted[term] for term in group.wanted)]
        likely = sum(min(counted[term] for term in group.wanted) for group in groups)
        return search.run(" | ".join(_group(group) for group in groups), query.terms, share_for(likely))

    def candidates(
        self,
        connection: Connection,
        scope: Scope,
        terms: Sequence[Term],
        limit: int,
        postings: int = CANDIDATE_POSTINGS,
    ) -> Candidates:
        last_id = _count(connection, f"SELECT coalesce(max(id), 0) FROM {SOURCES[scope]}")
        counted = {term: _frequency(connection, TABLES[scope], term, last_id) for term in terms}
        frequencies = [counted[term] for term in terms]
        plan = plan_candidates(frequencies, last_id, postings)
        search = _Search(connection, scope, limit, "best", last_id, counted)
        rare = " | ".join(_tsquery(terms[i]) for i in plan.candidates)
        found = search.run(rare, terms, plan.newest_share)
        return Candidates(found.best, frequencies, last_id)

    def match_fragment(self, connection: Connection, fragment: str, limit: int) -> list[int]:
        rows = connection.execute(
            text(f"SELECT id FROM {_TRIGRAMS} WHERE trigrams @> :trigrams ORDER BY id DESC LIMIT :limit"),
            {"trigrams": trigrams(fragment), "limit": limit},
        )
        return [row.id for row in rows]

    def check(self, connection: Connection) -> Damage:
        missing = stale = 0
        for scope, table in TABLES.items():
            searchable = SEARCHABLE[scope]
            missing += _count(
                connection, f"SELECT count(*) FROM ({searchable} EXCEPT SELECT id FROM {table}) AS m"
            )
            stale += _count(connection, f"SELECT count(*) FROM (SELECT id FROM {table} EXCEPT {searchable}) AS s")
        shown = "SELECT id FROM messages WHERE state <> 'rewound'"
        stale += _count(connection, f"SELECT count(*) FROM (SELECT id FROM {_TRIGRAMS} EXCEPT {shown}) AS s")
        return Damage(missing, stale, None)

    def clear(self, connection: Connection) -> None:
        # Not TRUNCATE: a reader that began earlier would find the tables empty.
        for table in (*TABLES.values(), _TRIGRAMS):
            connection.execute(text(f"DELETE FROM {table}"))


@dataclass(frozen=True, slots=True)
class _Statistics:
    total: int
    mean_words: float

    def weight(self, frequency: int) -> float:
        """Return the inverse document frequency as FTS5 counts it, never below zero."""
        # The total may be an estimate that time has passed by.
        total = max(self.total, frequency)
        return max(log((total - frequency + 0.5) / (frequency + 0.5)), 1e-6)


@dataclass(frozen=True, slots=True)
class _Search:
    """Where and how to look; `counted` says in how many messages each term is."""

    connection: Connection
    scope: Scope
    limit: int
    order: Order
    last_id: int
    counted: dict[Term, int]

    _MATCHING: ClassVar[str] = "words @@ CAST(:expression AS tsquery) AND id > :low AND id <= :high"

    @property
    def table(self) -> str:
        return TABLES[self.scope]

    def run(self, expression: str, terms: Sequence[Term], share: float) -> Matches:
        """Find what matches in a share of the archive, ranked by all of the terms or ordered by age."""
        if not expression:
            return Matches((), is_whole=True, is_last=True)
        low, high = id_range(self.last_id, share, self.order)
        values: dict[str, str | int | float] = {"expression": expression, "low": low, "high": high}
        known = [term for term in terms if self.counted[term]]
        best = self._ranked(values, known) if self.order == "best" else self._by_age(values)
        return Matches(best, is_whole=share == 1.0, is_last=len(best) < self.limit)

    def _ranked(self, values: dict[str, str | int | float], terms: Sequence[Term]) -> list[Match]:
        """Rank the candidates in two steps; see the module's first lines."""
        statistics = _statistics(self.connection, self.table, self.last_id)
        for i, term in enumerate(terms):
            values[f"term{i}"] = _tsquery(term)
            values[f"weight{i}"] = statistics.weight(self.counted[term])
        holds = " + ".join(
            f"CASE WHEN words @@ CAST(:term{i} AS tsquery) THEN CAST(:weight{i} AS float8) ELSE 0 END"
            for i in range(len(terms))
        )
        length = f"({_K1 * (1 - _B)} + {_K1 * _B} * word_count / {statistics.mean_words})"
        rows = self.connection.execute(
            text(
                f"SELECT id, word_count, ({holds}) / (1 + {length}) AS score, words FROM {self.table}"
                f" WHERE {self._MATCHING} ORDER BY score DESC, id DESC LIMIT :limit"
            ),
            {**values, "limit": max(self.limit, _COUNTED)},
        ).all()
        best = [
            Match(row.id, _bm25(_positions(row.words), row.word_count, terms, self.counted, statistics))
            for row in rows
        ]
        return sorted(best, key=lambda match: (-match.score, -match.id))[: self.limit]

    def _by_age(self, values: dict[str, str | int | float]) -> list[Match]:
        way = "DESC" if self.order == "newest" else "ASC"
        rows = self.connection.execute(
            text(
                f"SELECT id FROM {self.table} JOIN {SOURCES[self.scope]} USING (id) WHERE {self._MATCHING}"
                f" ORDER BY said_at {way}, id {way} LIMIT :limit"
            ),
            {**values, "limit": self.limit},
        )
        return [Match(row.id, 0.0) for row in rows]


def _match_any(search: _Search, terms: Sequence[Term]) -> Matches:
    frequencies = [search.counted[term] for term in terms]
    is_ranked = search.order == "best"
    plan = plan_any(frequencies, search.last_id, search.limit) if is_ranked else plan_by_age(frequencies)
    chosen = [terms[i] for i in (*plan.candidates, *plan.scored)]
    queries = [_tsquery(term) for term in chosen]
    rare = " | ".join(queries[: len(plan.candidates)])
    if not plan.scored:
        found = search.run(rare, chosen, plan.newest_share)
        return replace(found, is_last=found.is_last and not plan.is_partial)
    if sum(frequencies[i] for i in plan.candidates) > CHEAP_POSTINGS:
        rare = f"{queries[0]} & ({' | '.join(queries[1:])})"
    found = replace(search.run(rare, chosen, plan.newest_share), is_last=False)
    if not plan.fill_share:
        return found
    return filled(found, search.run(" | ".join(queries), chosen, plan.fill_share), search.limit)


def _bm25(
    positions: dict[str, list[int]],
    word_count: int,
    terms: Sequence[Term],
    counted: dict[Term, int],
    statistics: _Statistics,
) -> float:
    length = _K1 * (1 - _B + _B * word_count / statistics.mean_words)
    score = 0.0
    for term in terms:
        count = _occurrences(positions, term)
        score += statistics.weight(counted[term]) * count * (_K1 + 1) / (count + length)
    return score


def _occurrences(positions: dict[str, list[int]], term: Term) -> int:
    """Count how often the words of a term stand side by side."""
    *before, last = term.words
    if term.is_prefix:
        ends = {place for word, places in positions.items() if word.startswith(last) for place in places}
    else:
        ends = set(positions.get(last, ()))
    for distance, word in enumerate(reversed(before), start=1):
        ends = {end for end in ends if end - distance in positions.get(word, ())}
    return len(ends)


def _positions(tsvector: str) -> dict[str, list[int]]:
    """Read PostgreSQL's text of a tsvector: `'word':1,5 'other':2`; pairs have no positions."""
    return {word: [int(place) for place in places.split(",")] for word, places in _ENTRY.findall(tsvector)}


def _frequency(connection: Connection, table: str, term: Term, last_id: int) -> int:
    """Tell in about how many messages a term stands: counted if few, else from the column's statistics."""
    few = connection.execute(
        text(
            f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE words @@ CAST(:q AS tsquery) LIMIT :most) AS few"
        ),
        {"q": _tsquery(term), "most": _SURE_COUNT},
    ).scalar_one()
    if few < _SURE_COUNT:
        return int(few)
    is_start = term.is_prefix and len(term.words) == 1
    share = connection.execute(
        text(
            f"SELECT {'sum' if is_start else 'min'}(freq) FROM pg_stats,"
            " unnest(most_common_elems::text::text[], most_common_elem_freqs)"
            " AS common(word, freq) WHERE schemaname = current_schema() AND tablename = :table"
            f" AND attname = 'words' AND {'starts_with(word, :word)' if is_start else 'word = ANY(:words)'}"
        ),
        {"table": table, "words": list(term.words), "word": term.words[-1]},
    ).scalar()
    return max(int(few), int(min(share or 0.0, 1.0) * last_id))


def _statistics(connection: Connection, table: str, last_id: int) -> _Statistics:
    """Count the rows and their mean length; in a large table read both off its newest part."""
    count, mean = connection.execute(
        text(
            "SELECT count(*), avg(word_count) FROM"
            f" (SELECT word_count FROM {table} ORDER BY id DESC LIMIT {_SAMPLE}) AS newest"
        )
    ).one()
    if count == _SAMPLE:
        known = text("SELECT reltuples FROM pg_class WHERE oid = CAST(:table AS regclass)")
        count = connection.execute(known, {"table": table}).scalar_one()
        count = count if count > 0 else last_id
    return _Statistics(max(int(count), 1), max(float(mean or 1.0), 1.0))


def _copy(connection: Connection, target: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Load rows with COPY: measured three times as fast as INSERT, and as fast for a single row."""
    if not rows:
        return
    driver = connection.connection.driver_connection
    assert driver is not None
    try:
        with driver.cursor() as cursor, cursor.copy(f"COPY {target} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    except connection.dialect.dbapi.Error as error:  # type: ignore[union-attr]  # a dialect in use has its driver
        # As SQLAlchemy would have raised it: the store explains those.
        raise DBAPIError(f"COPY {target}", None, error) from error


def _tsvector(words: Sequence[str]) -> str:
    """Write the words with their positions as PostgreSQL reads them.

    It keeps 255 positions of a word; what stands beside a later one is kept as a pair instead, so
    that phrases are found there too.
    """
    places: dict[str, list[str]] = {}
    for place, word in enumerate(words, start=1):
        places.setdefault(word, []).append(str(place))
    parts = [f"'{escape(word)}':{','.join(found[:_POSITIONS])}" for word, found in places.items()]
    crowded = {word for word, found in places.items() if len(found) > _POSITIONS}
    if crowded:
        pairs = {f"{a} {b}" for a, b in pairwise(words) if a in crowded or b in crowded}
        kept = sorted(pairs)[: max(1, _PAIR_BYTES // (max(len(escape(pair).encode()) for pair in pairs) + 4))]
        parts += [f"'{escape(pair)}'" for pair in (_CROWDED, *kept)]
    return " ".join(parts)


def _tsquery(term: Term) -> str:
    words = [f"'{escape(word)}'" for word in term.words]
    words[-1] += ":*" if term.is_prefix else ""
    phrase = " <-> ".join(words)
    if len(words) == 1:
        return f"({phrase})"
    ends = [*("" for _ in words[2:]), ":*" if term.is_prefix else ""]
    pairs = [
        f"('{escape(a)} {escape(b)}'{end} | '{escape(a)}' <-> '{escape(b)}'{end})"
        for (a, b), end in zip(pairwise(term.words), ends, strict=True)
    ]
    return f"({phrase} | '{_CROWDED}' & {' & '.join(pairs)})"


def _group(group: Group) -> str:
    wanted = " & ".join(_tsquery(term) for term in group.wanted)
    without = "".join(f" & !({' & '.join(_tsquery(term) for term in terms)})" for terms in group.excluded)
    return f"({wanted}{without})"


def _count(connection: Connection, sql: str) -> int:
    return int(connection.execute(text(sql)).scalar_one())
