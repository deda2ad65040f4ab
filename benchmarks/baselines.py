"""What the archive is held against: plain FTS5 as anyone would write it, and tantivy as the mark.

Both hold what our search looks through, that is what was said without what tools returned, under the same ids.
Both return ids only, while ours returns conversations with their surroundings.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import loaded
from benchmarks.corpus import Corpus
from benchmarks.loaded import Load
from benchmarks.measure import ROUNDS, TOP, Times, calmest, since
from benchmarks.questions import Ask
from hermes_agent.records.archive import NewMessage
from hermes_agent.store.sqlite import driver

_BLOCK = loaded.BATCH_MESSAGES
_WRITER_BYTES = 256_000_000


def said(corpus: Corpus, message_count: int) -> Iterator[tuple[int, str]]:
    """Yield the id and the text of everything a person or the assistant said."""
    message_id = 0
    for conversation in corpus.conversations(message_count):
        for message in conversation.messages:
            message_id += 1
            if message.role != "tool":
                yield message_id, message.content or ""


class Plain:
    """One FTS5 table with its content, in a file that is as durable as our store."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "plain.db"
        # Any: the connection of a driver chosen at run time.
        self._connection: Any = driver().connect(str(self._path), isolation_level=None)
        for setting in ("journal_mode = WAL", "synchronous = FULL", "cache_size = -32768"):
            self._connection.execute(f"PRAGMA {setting}")

    def fill(self, texts: Iterator[tuple[int, str]]) -> Load:
        """Load the texts, as many in one transaction as our own import takes."""
        self._connection.execute("CREATE VIRTUAL TABLE said USING fts5(content)")
        count = text_bytes = 0
        seconds = 0.0
        for block in _blocks(texts):
            text_bytes += sum(len(text.encode()) for _, text in block)
            begun = perf_counter()
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT INTO said(rowid, content) VALUES (?, ?)", block)
            self._connection.execute("COMMIT")
            seconds += perf_counter() - begun
            count += len(block)
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return Load(count, text_bytes, seconds, self._path.stat().st_size)

    def append(self, new: Sequence[NewMessage]) -> Times:
        """Append one by one, each durable before the next, and remove them again; in three rounds."""
        last = self._connection.execute("SELECT max(rowid) FROM said").fetchone()[0]
        rounds = []
        for _ in range(ROUNDS):
            times = []
            for message in new:
                begun = perf_counter()
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.execute("INSERT INTO said(content) VALUES (?)", (message.content,))
                self._connection.execute("COMMIT")
                times.append(since(begun))
            self._connection.execute("DELETE FROM said WHERE rowid > ?", (last,))
            rounds.append(Times(tuple(times)))
        return calmest(rounds)

    def search_all(self, asks: Sequence[Ask]) -> Times:
        """Rank the messages that hold every word: FTS5's own reading of words side by side."""
        return Times(tuple(self._search(" ".join(_quoted(ask.words))) for ask in asks))

    def search_any(self, asks: Sequence[Ask]) -> Times:
        """Rank every message that holds any of the words."""
        return Times(tuple(self._search(" OR ".join(_quoted(ask.words))) for ask in asks))

    def search_typed(self, asks: Sequence[Ask]) -> Times:
        """Rank what matches the query as it was typed."""
        return Times(tuple(self._search(ask.typed) for ask in asks))

    def close(self) -> None:
        self._connection.close()

    def _search(self, wanted: str) -> float:
        begun = perf_counter()
        self._connection.execute(
            "SELECT rowid FROM said WHERE said MATCH ? ORDER BY bm25(said) LIMIT ?", (wanted, TOP)
        ).fetchall()
        return since(begun)


class Tantivy:
    """A tantivy index in a folder."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        builder = tantivy.SchemaBuilder()
        builder.add_text_field("content", stored=False)
        builder.add_integer_field("id", stored=True)
        folder.mkdir(parents=True, exist_ok=True)
        self._document = tantivy.Document
        self._folder = folder
        self._index = tantivy.Index(builder.build(), path=str(folder))

    def fill(self, texts: Iterator[tuple[int, str]]) -> Load:
        """Load the texts with one commit at the end."""
        writer = self._index.writer(heap_size=_WRITER_BYTES, num_threads=1)
        count = text_bytes = 0
        seconds = 0.0
        for block in _blocks(texts):
            text_bytes += sum(len(text.encode()) for _, text in block)
            begun = perf_counter()
            for message_id, text in block:
                writer.add_document(self._document(content=text, id=message_id))
            seconds += perf_counter() - begun
            count += len(block)
        begun = perf_counter()
        writer.commit()
        writer.wait_merging_threads()
        seconds += perf_counter() - begun
        size_bytes = sum(file.stat().st_size for file in self._folder.rglob("*") if file.is_file())
        return Load(count, text_bytes, seconds, size_bytes)

    def search_any(self, asks: Sequence[Ask]) -> Times:
        """Rank any of the words."""
        self._index.reload()
        searcher = self._index.searcher()
        times = []
        for ask in asks:
            begun = perf_counter()
            query = self._index.parse_query(" ".join(ask.words), ["content"])
            for _, at in searcher.search(query, TOP, count=False).hits:
                searcher.doc(at)
            times.append(since(begun))
        return Times(tuple(times))


def _blocks(texts: Iterator[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    block: list[tuple[int, str]] = []
    for text in texts:
        block.append(text)
        if len(block) == _BLOCK:
            yield block
            block = []
    if block:
        yield block


def _quoted(words: Sequence[str]) -> list[str]:
    return [f'"{word}"' for word in words]
