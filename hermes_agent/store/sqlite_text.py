"""The text index on SQLite: FTS5 tables without content of their own, fed with our words.

`messages_fts` holds what was said, `tools_fts` what tools returned, `facts_fts` facts,
`summaries_fts` summaries, `identifiers_fts` trigrams. The words are cut by `text.words`, so the tables use
the `ascii` tokenizer, which keeps every non-ASCII character and splits at our spaces only. All are derived.

Ranking uses `bm25()` in ORDER BY: measured at 1M messages it is twice as fast as `rank`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection
from sqlalchemy.exc import DatabaseError

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
from hermes_agent.text.identifiers import trigrams
from hermes_agent.text.query import Group, Query, Term, is_any

_TRIGRAMS = "identifiers_fts"
_EVERY_TABLE = (*TABLES.values(), _TRIGRAMS)
# A prefix that begins more words than this is read as its most frequent ones: FTS5 merges the
# postings of all of them first (measured: 13 s for one letter at 1M messages).
_PREFIX_WORDS = 1_000
_PREFIX_SCAN = 50_000
# A word's frequency is read off this many of the newest messages if it is in at least so many of them.
_SAMPLE = 20_000
_SURE = 100

CREATE = (
    "CREATE VIRTUAL TABLE messages_fts USING fts5(content, content='', contentless_delete=1, tokenize='ascii')",
    "CREATE VIRTUAL TABLE tools_fts USING fts5(content, content='', contentless_delete=1, tokenize='ascii')",
    "CREATE VIRTUAL TABLE identifiers_fts USING fts5(content, content='', contentless_delete=1,"
    " tokenize='ascii', detail=none)",
    "CREATE VIRTUAL TABLE facts_fts USING fts5(content, content='', contentless_delete=1, tokenize='ascii')",
    "CREATE VIRTUAL TABLE summaries_fts USING fts5(content, content='', contentless_delete=1, tokenize='ascii')",
    *(f"CREATE VIRTUAL TABLE {table}_words USING fts5vocab({table}, 'row')" for table in TABLES.values()),
)
DROP = tuple(
    f"DROP TABLE IF EXISTS {name}" for name in (*(f"{table}_words" for table in TABLES.values()), *_EVERY_TABLE)
)


@dataclass(frozen=True, slots=True)
class SqliteText:
    """The text index of a SQLite store."""

    def put(self, connection: Connection, texts: Sequence[IndexedText]) -> None:
        for scope, table in TABLES.items():
            rows = [(text.id, " ".join(text.words)) for text in texts if text.scope == scope]
            if rows:
                connection.exec_driver_sql(f"INSERT INTO {table}(rowid, content) VALUES (?, ?)", rows)
        grams = [(text.id, " ".join(text.trigrams)) for text in texts if text.trigrams]
        if grams:
            connection.exec_driver_sql(f"INSERT INTO {_TRIGRAMS}(rowid, content) VALUES (?, ?)", grams)

    def remove(self, connection: Connection, ids: Sequence[int], source: Source = "messages") -> None:
        for table in tables_of(source, _TRIGRAMS) if ids else ():
            connection.exec_driver_sql(f"DELETE FROM {table} WHERE rowid = ?", [(i,) for i in ids])

    def optimize(self, connection: Connection) -> None:
        """Merge what the tables are made of: only then do deleted words leave them."""
        for table in _EVERY_TABLE:
            connection.exec_driver_sql(f"INSERT INTO {table}({table}) VALUES ('optimize')")

    def match(self, connection: Connection, scope: Scope, query: Query, limit: int, order: Order) -> Matches:
        table = TABLES[scope]
        last_id = _last_id(connection, scope)
        vocabulary = _Vocabulary(connection, table, last_id)
        expanded = _Expanded(query, {term: vocabulary.expand(term) for term in query.every_term})
        if is_any(query):
            return _match_any(connection, scope, expanded, limit, last_id, order)
        groups = [part for group in query.groups if (part := expanded.group(group))]
        likely = sum(min(expanded.frequency(term) for term in group.wanted) for group in query.groups)
        share = share_for(likely)
        search = _Search(scope, limit, order, share == 1.0, *id_range(last_id, share, order))
        return search.run(connection, " OR ".join(groups))

    def candidates(
        self,
        connection: Connection,
        scope: Scope,
        terms: Sequence[Term],
        limit: int,
        postings: int = CANDIDATE_POSTINGS,
    ) -> Candidates:
        last_id = _last_id(connection, scope)
        vocabulary = _Vocabulary(connection, TABLES[scope], last_id)
        expanded = [vocabulary.expand(term) for term in terms]
        frequencies = [frequency for _, frequency in expanded]
        plan = plan_candidates(frequencies, last_id, postings)
        search = _Search(scope, limit, "best", True, *id_range(last_id, plan.newest_share, "best"))
        chosen, others = ([expanded[i][0] for i in some] for some in (plan.candidates, plan.scored))
        found = search.run(connection, " OR ".join(chosen))
        if others:
            found = filled(search.run_together(connection, chosen[0], " OR ".join(others)), found, limit)
        return Candidates(found.best, frequencies, last_id)

    def match_fragment(self, connection: Connection, fragment: str, limit: int) -> list[int]:
        wanted = " AND ".join(f'"{gram}"' for gram in trigrams(fragment))
        rows = connection.exec_driver_sql(
            f"SELECT rowid FROM {_TRIGRAMS} WHERE {_TRIGRAMS} MATCH ? ORDER BY rowid DESC LIMIT ?",
            (wanted, limit),
        )
        return [row[0] for row in rows]

    def check(self, connection: Connection) -> Damage:
        missing = stale = 0
        for scope, table in TABLES.items():
            searchable = SEARCHABLE[scope]
            missing += _count(
                connection,
                f"SELECT count(*) FROM ({searchable}) WHERE id NOT IN (SELECT id FROM {table}_docsize)",
            )
            stale += _count(connection, f"SELECT count(*) FROM {table}_docsize WHERE id NOT IN ({searchable})")
        shown = "SELECT id FROM messages WHERE state <> 'rewound'"
        stale += _count(connection, f"SELECT count(*) FROM {_TRIGRAMS}_docsize WHERE id NOT IN ({shown})")
        try:
            return Damage(missing, stale, _integrity(connection))
        except _ReadOnly:
            return Damage(missing, stale, None, "the file may only be read")

    def clear(self, connection: Connection) -> None:
        for statement in (*DROP, *CREATE):
            connection.exec_driver_sql(statement)


@dataclass(frozen=True, slots=True)
class _Expanded:
    """A query with the frequency of each term, and prefixes read as the words they begin."""

    query: Query
    terms: dict[Term, tuple[str, int]]

    def expression(self, term: Term) -> str:
        return self.terms[term][0]

    def frequency(self, term: Term) -> int:
        return self.terms[term][1]

    def group(self, group: Group) -> str | None:
        if any(self.frequency(term) == 0 for term in group.wanted):
            return None
        wanted = " AND ".join(self.expression(term) for term in group.wanted)
        unwanted = " OR ".join(
            f"({' AND '.join(self.expression(term) for term in terms)})"
            for terms in group.excluded
            if all(self.frequency(term) for term in terms)
        )
        return f"(({wanted}) NOT ({unwanted}))" if unwanted else f"({wanted})"


@dataclass(frozen=True, slots=True)
class _Search:
    """Where and how to look: ids above `low`, up to `high`, and whether those are all."""

    scope: Scope
    limit: int
    order: Order
    is_whole: bool
    low: int
    high: int

    @property
    def table(self) -> str:
        return TABLES[self.scope]

    def run(self, connection: Connection, expression: str) -> Matches:
        if not expression:
            return Matches((), is_whole=True, is_last=True)
        matching = f"{self.table} MATCH ? AND {self.table}.rowid > ? AND {self.table}.rowid <= ?"
        if self.order == "best":
            sql = (
                f"SELECT rowid, bm25({self.table}) AS score FROM {self.table} WHERE {matching}"
                " ORDER BY score, rowid DESC LIMIT ?"
            )
        else:
            way = "DESC" if self.order == "newest" else "ASC"
            sql = (
                f"SELECT id, 0.0 FROM {self.table} JOIN {SOURCES[self.scope]} ON id = {self.table}.rowid"
                f" WHERE {matching}"
                f" ORDER BY said_at {way}, id {way} LIMIT ?"
            )
        rows = connection.exec_driver_sql(sql, (expression, self.low, self.high, self.limit)).all()
        best = [Match(row[0], -row[1]) for row in rows]
        return Matches(best, self.is_whole, is_last=len(best) < self.limit)

    def run_few(self, connection: Connection, rare: str, common: str) -> Matches:
        """Rank the few messages that the rare words bring by all words, seeking the common ones in them.

        The AND counts the rare words twice, so their own score is taken off again.
        """
        ranked = (
            f"(SELECT rowid AS id, bm25({self.table}) AS score FROM {self.table}"
            f" WHERE {self.table} MATCH ? AND rowid > ? AND rowid <= ?)"
        )
        rows = connection.exec_driver_sql(
            f"WITH twice AS MATERIALIZED {ranked}, once AS MATERIALIZED {ranked}"
            " SELECT id, once.score - twice.score AS best FROM twice JOIN once USING (id)"
            " ORDER BY best DESC, id DESC LIMIT ?",
            (f"{rare} AND ({rare} OR {common})", self.low, self.high, rare, self.low, self.high, self.limit),
        )
        return Matches([Match(row[0], row[1]) for row in rows], self.is_whole, is_last=False)

    def run_together(self, connection: Connection, rarest: str, others: str) -> Matches:
        """Return the newest messages that hold the rarest word and another, unranked: no word is counted."""
        rows = connection.exec_driver_sql(
            f"SELECT rowid FROM {self.table} WHERE {self.table} MATCH ? AND rowid > ? AND rowid <= ?"
            " ORDER BY rowid DESC LIMIT ?",
            (f"{rarest} AND ({others})", self.low, self.high, self.limit // 2),
        )
        return Matches([Match(row[0], 0.0) for row in rows], is_whole=False, is_last=False)

    def run_pairs(self, connection: Connection, rarest: str, others: str) -> Matches:
        """Rank the messages that hold the rarest word and another.

        Measured at 1M messages for words in 5–40 % of them: a third of the time of scoring every
        message with the rarest word, and the same ten best.
        """
        paired = self.run(connection, f"{rarest} AND ({others})")
        return replace(paired, is_last=False)


def _match_any(
    connection: Connection, scope: Scope, expanded: _Expanded, limit: int, last_id: int, order: Order
) -> Matches:
    terms = expanded.query.terms
    frequencies = [expanded.frequency(term) for term in terms]
    plan = plan_any(frequencies, last_id, limit) if order == "best" else plan_by_age(frequencies)
    is_whole = plan.newest_share == 1.0
    search = _Search(scope, limit, order, is_whole, *id_range(last_id, plan.newest_share, order))
    expressions = [expanded.expression(terms[i]) for i in (*plan.candidates, *plan.scored)]
    rare = " OR ".join(expressions[: len(plan.candidates)])
    if not plan.scored:
        found = search.run(connection, rare)
        return replace(found, is_last=found.is_last and not plan.is_partial)
    if sum(frequencies[i] for i in plan.candidates) > CHEAP_POSTINGS:
        return search.run_pairs(connection, expressions[0], " OR ".join(expressions[1:]))
    few = search.run_few(connection, f"({rare})", " OR ".join(expressions[len(plan.candidates) :]))
    if not plan.fill_share:
        return few
    low, high = id_range(last_id, plan.fill_share, order)
    newest = replace(search, low=low, high=high)
    return filled(few, newest.run(connection, " OR ".join(expressions)), limit)


def _last_id(connection: Connection, scope: Scope) -> int:
    return _count(connection, f"SELECT coalesce(max(id), 0) FROM {SOURCES[scope]}")


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """The words of one table, and in about how many messages each is."""

    connection: Connection
    table: str
    last_id: int

    def expand(self, term: Term) -> tuple[str, int]:
        """Return the FTS5 expression of a term and about how many messages it may match."""
        *before, last = term.words
        if not term.is_prefix:
            return _quoted(term.words), min(self.frequency(word) for word in term.words)
        rows = self.connection.exec_driver_sql(
            "SELECT term, doc FROM"
            f" (SELECT term, doc FROM {self.table}_words WHERE term >= ? AND term < ? LIMIT ?) ORDER BY doc DESC",
            (last, last + "\U0010ffff", _PREFIX_SCAN),
        ).all()
        if not rows:
            return _quoted(term.words), 0
        if len(rows) <= _PREFIX_WORDS and not before:
            return _quoted(term.words) + " *", sum(row[1] for row in rows)
        phrases = [_quoted((*before, row[0])) for row in rows[:_PREFIX_WORDS]]
        return "(" + " OR ".join(phrases) + ")", sum(row[1] for row in rows[:_PREFIX_WORDS])

    def frequency(self, word: str) -> int:
        """Estimate from the newest messages if the word is common there: counting walks all its postings."""
        if self.last_id > _SAMPLE * 4:
            seen = _count(
                self.connection,
                f"SELECT count(*) FROM {self.table} WHERE {self.table} MATCH ? AND rowid > ?",
                (_quoted((word,)), self.last_id - _SAMPLE),
            )
            if seen >= _SURE:
                return seen * self.last_id // _SAMPLE
        sql = f"SELECT doc FROM {self.table}_words WHERE term = ?"
        return int(self.connection.exec_driver_sql(sql, (word,)).scalar() or 0)


def _quoted(words: Sequence[str]) -> str:
    return '"' + " ".join(words) + '"'


def _count(connection: Connection, sql: str, values: tuple[object, ...] = ()) -> int:
    return int(connection.exec_driver_sql(sql, values).scalar_one())


class _ReadOnly(Exception):
    """The index checks itself only where it may be written."""


def _integrity(connection: Connection) -> str | None:
    for table in _EVERY_TABLE:
        try:
            connection.exec_driver_sql(f"INSERT INTO {table}({table}) VALUES ('integrity-check')")
        except DatabaseError as error:
            if "readonly" in str(error.orig):
                raise _ReadOnly from error
            return f"{table}: {error.orig}"
    return None
