"""The SQLite file of the holographic memory, with the tables of the public Hermes Agent: either may write it.

Not a part of our store: the file's shape is given, and nothing of ours is in it. Each change is one transaction.
Vectors and banks are derived. A bank, the sum of a category's vectors, is dropped when the category changes: the
public product does without, and makes it again when it writes. What is removed leaves no words behind: not in free
pages, not in the index, not in the log, not among the entities.
"""

import importlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from hermes_agent.errors import ProviderDown, ProviderRefused

_WAIT_SECONDS = 5.0
_MOST_PAIRS = 30
_CREATED = (
    """CREATE TABLE IF NOT EXISTS facts (
        fact_id INTEGER PRIMARY KEY AUTOINCREMENT, content TEXT NOT NULL UNIQUE, category TEXT DEFAULT 'general',
        tags TEXT DEFAULT '', trust_score REAL DEFAULT 0.5, retrieval_count INTEGER DEFAULT 0,
        helpful_count INTEGER DEFAULT 0, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
        updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, hrr_vector BLOB)""",
    """CREATE TABLE IF NOT EXISTS entities (
        entity_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, entity_type TEXT DEFAULT 'unknown',
        aliases TEXT DEFAULT '', created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)""",
    """CREATE TABLE IF NOT EXISTS fact_entities (
        fact_id INTEGER REFERENCES facts(fact_id), entity_id INTEGER REFERENCES entities(entity_id),
        PRIMARY KEY (fact_id, entity_id))""",
    "CREATE INDEX IF NOT EXISTS idx_facts_trust ON facts(trust_score DESC)",
    "CREATE INDEX IF NOT EXISTS idx_facts_category ON facts(category)",
    "CREATE INDEX IF NOT EXISTS idx_entities_name ON entities(name)",
    """CREATE VIRTUAL TABLE IF NOT EXISTS facts_fts
        USING fts5(content, tags, content=facts, content_rowid=fact_id)""",
    """CREATE TRIGGER IF NOT EXISTS facts_ai AFTER INSERT ON facts BEGIN
        INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags); END""",
    """CREATE TRIGGER IF NOT EXISTS facts_ad AFTER DELETE ON facts BEGIN
        INSERT INTO facts_fts(facts_fts, rowid, content, tags)
        VALUES ('delete', old.fact_id, old.content, old.tags); END""",
    """CREATE TRIGGER IF NOT EXISTS facts_au AFTER UPDATE ON facts BEGIN
        INSERT INTO facts_fts(facts_fts, rowid, content, tags)
        VALUES ('delete', old.fact_id, old.content, old.tags);
        INSERT INTO facts_fts(rowid, content, tags) VALUES (new.fact_id, new.content, new.tags); END""",
    """CREATE TABLE IF NOT EXISTS memory_banks (
        bank_id INTEGER PRIMARY KEY AUTOINCREMENT, bank_name TEXT NOT NULL UNIQUE, vector BLOB NOT NULL,
        dim INTEGER NOT NULL, fact_count INTEGER DEFAULT 0, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)""",
)
_COLUMNS = "f.fact_id, f.content, f.category, f.tags, f.trust_score, f.helpful_count, f.created_at, f.updated_at"


@dataclass(frozen=True, slots=True)
class StoredFact:
    """One sentence of the file; times are as the file has them, in UTC."""

    id: int
    content: str
    category: str
    tags: str
    trust: float
    helpful: int
    created_at: str
    updated_at: str
    vector: bytes | None = None
    rank: float = 0.0
    """How well the words fit a query, from 0 on; more is better."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a fact is to hold; the vector and the names follow from its content."""

    content: str
    category: str
    tags: str
    trust: float
    names: Sequence[str]
    vector: bytes


class FactFile:
    """The file, opened anew for each call: several threads and programs may use it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._driver = _driver()

    def add(self, draft: Draft) -> int:
        """Keep a fact and return its number; what is there already is left as it is."""
        with self._changing() as file:
            found = file.execute("SELECT fact_id FROM facts WHERE content = ?", (draft.content,)).fetchone()
            if found is not None:
                return int(found[0])
            row = (draft.content, draft.category, draft.tags, draft.trust, draft.vector)
            number = file.execute(
                "INSERT INTO facts (content, category, tags, trust_score, hrr_vector) VALUES (?, ?, ?, ?, ?)", row
            ).lastrowid
            assert number is not None
            _link(file, number, draft.names)
            _drop_bank(file, draft.category)
            return number

    def change(self, fact: StoredFact, draft: Draft) -> bool:
        """Give a fact another content, category, tags or trust; False if another fact says the same already."""
        with self._changing() as file:
            same = file.execute(
                "SELECT 1 FROM facts WHERE content = ? AND fact_id <> ?", (draft.content, fact.id)
            ).fetchone()
            if same is not None:
                return False
            file.execute(
                "UPDATE facts SET content = ?, category = ?, tags = ?, trust_score = ?, hrr_vector = ?,"
                " updated_at = CURRENT_TIMESTAMP WHERE fact_id = ?",
                (draft.content, draft.category, draft.tags, draft.trust, draft.vector, fact.id),
            )
            if draft.content != fact.content:
                linked = _unlink(file, fact.id)
                _link(file, fact.id, draft.names)
                _drop_unnamed(file, linked)
            _drop_bank(file, fact.category, draft.category)
        return True

    def rate(self, number: int, trust: float, is_helpful: bool) -> None:
        """Set how far a fact is trusted, and count who found it helpful."""
        with self._changing() as file:
            file.execute(
                "UPDATE facts SET trust_score = ?, helpful_count = helpful_count + ?,"
                " updated_at = CURRENT_TIMESTAMP WHERE fact_id = ?",
                (trust, int(is_helpful), number),
            )

    def remove(self, number: int) -> bool:
        """Remove a fact for good; False if it is not there."""
        with self._changing() as file:
            found = file.execute("SELECT category FROM facts WHERE fact_id = ?", (number,)).fetchone()
            if found is None:
                return False
            linked = _unlink(file, number)
            file.execute("DELETE FROM facts WHERE fact_id = ?", (number,))
            _drop_unnamed(file, linked)
            _drop_bank(file, str(found[0]))
            # Deleted words stay in the index until its parts are merged.
            file.execute("INSERT INTO facts_fts(facts_fts) VALUES ('optimize')")
        with self._open() as file:
            file.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return True

    def count(self) -> int:
        """Count the facts."""
        with self._open() as file:
            return int(file.execute("SELECT count(*) FROM facts").fetchone()[0])

    def get(self, number: int) -> StoredFact | None:
        """Return one fact, None if it is not there."""
        return self._one("f.fact_id = ?", number)

    def saying(self, content: str) -> StoredFact | None:
        """Return the fact that says exactly this."""
        return self._one("f.content = ?", content)

    def listed(self, category: str | None, least_trust: float, limit: int) -> list[StoredFact]:
        """Return the facts that are trusted most; the oldest first where they are trusted alike."""
        where, values = _within(category)
        sql = f"SELECT {_COLUMNS} FROM facts f WHERE f.trust_score >= ?{where}"
        return self._facts(f"{sql} ORDER BY f.trust_score DESC, f.fact_id LIMIT ?", (least_trust, *values, limit))

    def with_vectors(self, category: str | None) -> list[StoredFact]:
        """Return every fact with its vector, the newest change first."""
        where, values = _within(category)
        sql = f"SELECT {_COLUMNS}, f.hrr_vector FROM facts f WHERE 1{where}"
        return self._facts(f"{sql} ORDER BY f.updated_at DESC, f.fact_id DESC", values)

    def matching(
        self, words: Sequence[str], category: str | None, least_trust: float, limit: int
    ) -> list[StoredFact]:
        """Return the facts in which any of the words occurs, those first in which the rare ones do."""
        where, values = _within(category)
        sql = (
            f"SELECT {_COLUMNS}, f.hrr_vector, -facts_fts.rank FROM facts_fts JOIN facts f"
            f" ON f.fact_id = facts_fts.rowid WHERE facts_fts MATCH ? AND f.trust_score >= ?{where}"
            " ORDER BY facts_fts.rank, f.fact_id LIMIT ?"
        )
        query = " OR ".join(f'"{word}"' for word in words)
        return self._facts(sql, (query, least_trust, *values, limit)) if words else []

    def holding(
        self, pieces: Sequence[str], category: str | None, least_trust: float, limit: int
    ) -> list[StoredFact]:
        """Return the facts that hold most of the pieces of text, for scripts that the index cannot cut."""
        pieces = pieces[:_MOST_PAIRS]
        where, values = _within(category)
        held = " + ".join("(instr(f.content, ?) > 0)" for _ in pieces)
        sql = (
            f"SELECT {_COLUMNS}, f.hrr_vector, {held} AS held FROM facts f"
            f" WHERE held > 0 AND f.trust_score >= ?{where} ORDER BY held DESC, f.fact_id LIMIT ?"
        )
        return self._facts(sql, (*pieces, least_trust, *values, limit)) if pieces else []

    def names_of(self, number: int) -> list[str]:
        """Return whom and what a fact names."""
        sql = "SELECT e.name FROM entities e JOIN fact_entities l USING (entity_id) WHERE l.fact_id = ?"
        with self._open() as file:
            return [str(name) for (name,) in file.execute(sql, (number,))]

    def all_names(self) -> dict[int, set[str]]:
        """Return for each fact that names anybody, whom it names, in small letters."""
        named: dict[int, set[str]] = {}
        with self._open() as file:
            links = file.execute("SELECT l.fact_id, e.name FROM entities e JOIN fact_entities l USING (entity_id)")
            for number, name in links:
                named.setdefault(int(number), set()).add(str(name).lower())
        return named

    def known_as(self, name: str) -> str:
        """Return the name under which the file knows somebody by this name or alias; itself if it does not."""
        with self._open() as file:
            number = _entity(file, name)
            found = file.execute("SELECT name FROM entities WHERE entity_id = ?", (number,)).fetchone()
        return name if found is None else str(found[0])

    def _one(self, where: str, value: object) -> StoredFact | None:
        found = self._facts(f"SELECT {_COLUMNS}, f.hrr_vector FROM facts f WHERE {where}", (value,))
        return found[0] if found else None

    def _facts(self, sql: str, values: Sequence[object]) -> list[StoredFact]:
        with self._open() as file:
            rows = file.execute(sql, tuple(values)).fetchall()
        return [_fact(row) for row in rows]

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        with self._open() as file:
            file.execute("BEGIN IMMEDIATE")
            with file:
                yield file

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file, with its tables; say in words what SQLite does not like."""
        try:
            with closing(self._connect()) as file:
                _shape(file, self._path)
                yield file
        except self._driver.OperationalError as error:
            raise ProviderDown(f"{self._path} cannot be used now: {error}.") from error
        except self._driver.DatabaseError as error:
            raise ProviderRefused(
                f"{self._path} is no database that can be read: {error}.",
                hint="Move the file away, or restore it.",
            ) from error
        except OSError as error:
            raise ProviderRefused(f"{self._path} cannot be made: {error.strerror}.") from error

    def _connect(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if not self._path.exists():
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        file: sqlite3.Connection = self._driver.connect(self._path, timeout=_WAIT_SECONDS, isolation_level=None)
        file.execute("PRAGMA secure_delete = ON")
        return file


def _shape(file: sqlite3.Connection, path: Path) -> None:
    """Make the tables that are missing; refuse a file of something else."""
    # The tables first: if another process makes them between the two looks, their columns are seen, too.
    tables = {str(name) for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    columns = {str(row[1]) for row in file.execute("PRAGMA table_info(facts)")}
    if tables and not {"content", "category", "tags", "trust_score"} <= columns:
        raise ProviderRefused(f"{path} is a database of another program.", hint="Set db_path to another file.")
    if {"facts", "entities", "fact_entities", "facts_fts", "memory_banks"} <= tables and "hrr_vector" in columns:
        return
    file.execute("BEGIN IMMEDIATE")
    with file:
        for statement in _CREATED:
            file.execute(statement)
        columns = {str(row[1]) for row in file.execute("PRAGMA table_info(facts)")}
        if "hrr_vector" not in columns:
            file.execute("ALTER TABLE facts ADD COLUMN hrr_vector BLOB")
        # An index that was made just now knows nothing of facts that were there before.
        file.execute("INSERT INTO facts_fts(facts_fts) VALUES ('rebuild')")


def _fact(row: Sequence[object]) -> StoredFact:
    """Make a fact of a row: the columns, then maybe its vector, then maybe its rank."""
    number, content, category, tags, trust, helpful, created, updated, *more = row
    vector, rank = (*more, None, None)[:2]
    return StoredFact(
        id=int(str(number)),
        content=str(content),
        category=str(category or "general"),
        tags=str(tags or ""),
        trust=float(str(0.5 if trust is None else trust)),
        helpful=int(str(helpful or 0)),
        created_at=str(created or ""),
        updated_at=str(updated or created or ""),
        vector=bytes(vector) if isinstance(vector, bytes) else None,
        rank=float(str(rank or 0.0)),
    )


def _within(category: str | None) -> tuple[str, tuple[str, ...]]:
    return ("", ()) if category is None else (" AND f.category = ?", (category,))


def _link(file: sqlite3.Connection, number: int, names: Sequence[str]) -> None:
    for name in names:
        entity = _entity(file, name)
        if entity is None:
            entity = file.execute("INSERT INTO entities (name) VALUES (?)", (name,)).lastrowid
        file.execute("INSERT OR IGNORE INTO fact_entities (fact_id, entity_id) VALUES (?, ?)", (number, entity))


def _entity(file: sqlite3.Connection, name: str) -> int | None:
    """Return the number of what has this name or alias, whatever its capitals."""
    sql = (
        "SELECT entity_id FROM entities WHERE lower(name) = lower(?1)"
        " OR instr(',' || lower(aliases) || ',', ',' || lower(?1) || ',') > 0 ORDER BY entity_id LIMIT 1"
    )
    found = file.execute(sql, (name,)).fetchone()
    return None if found is None else int(found[0])


def _unlink(file: sqlite3.Connection, number: int) -> list[int]:
    """Part a fact from whom it names; return their numbers."""
    linked = [
        int(row[0]) for row in file.execute("SELECT entity_id FROM fact_entities WHERE fact_id = ?", (number,))
    ]
    file.execute("DELETE FROM fact_entities WHERE fact_id = ?", (number,))
    return linked


def _drop_unnamed(file: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Remove those whom no fact names any more."""
    sql = "DELETE FROM entities WHERE entity_id = ?1 AND ?1 NOT IN (SELECT entity_id FROM fact_entities)"
    for number in numbers:
        file.execute(sql, (number,))


def _drop_bank(file: sqlite3.Connection, *categories: str) -> None:
    for category in categories:
        file.execute("DELETE FROM memory_banks WHERE bank_name = ?", (f"cat:{category}",))


def _driver() -> ModuleType:
    """Return the SQLite of the wheel where there is one: that of the interpreter may lose what a log holds."""
    try:
        return importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        return sqlite3
