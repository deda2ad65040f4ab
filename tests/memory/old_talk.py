"""Old talk that is compressed: three conversations of March, one of May, and what is asked of them then."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from hermes_agent import clock
from hermes_agent.config.paths import Home, ensure
from hermes_agent.embedders.embedder import Embedder
from hermes_agent.embedders.local import Local
from hermes_agent.jobs import embedding
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import compressing, episodes
from hermes_agent.memory.compressing import Compressed, Wanted
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.recall.asking import Retrieval, ask
from hermes_agent.recall.finding import find
from hermes_agent.recall.hit import Hit
from hermes_agent.records.archive import Message, NewMessage, NewSession
from hermes_agent.store import bodies, learned, messages, sessions, sketches, summaries
from hermes_agent.store import episodes as kept
from hermes_agent.store.statistics import vector_count
from hermes_agent.store.store import Store
from tests.store.outlined import count_and_compare

DAY = 86_400 * clock.MICROSECONDS
LONG_AGO = clock.from_datetime(datetime(2026, 3, 2, 9, tzinfo=UTC))
NOW = clock.from_datetime(datetime(2026, 6, 1, tzinfo=UTC))
LOG = "\n".join(
    f"2026-03-02 09:00:{number:02} INFO step {number} of the deployment is done" for number in range(60)
)

TALK = (
    ("Our violin teacher is called Ingrid Aamodt and she lives in Bergen.", "Noted: Ingrid Aamodt, Bergen."),
    ("Deploy Atlas to the staging host atlas-staging-2.", "Atlas is deployed to atlas-staging-2."),
    ("We decided to use PostgreSQL 17 because of the JSON functions.", "PostgreSQL 17 it is."),
    ("The budget of the kitchen is 14,500 euros.", "14,500 euros for the kitchen."),
)


def talk(memory: Memory, session_id: str, began: int, rounds: Sequence[tuple[str, str]] = TALK) -> None:
    """Have a conversation with a tool in it."""
    memory.begin(NewSession(id=session_id, started_at=began))
    moment = began
    for request, answer in rounds:
        calls = [{"id": "c", "function": {"name": "shell", "arguments": json.dumps({"command": "make log"})}}]
        memory.append(
            session_id,
            NewMessage("user", request, said_at=moment),
            NewMessage("assistant", None, tool_calls=calls, said_at=moment + 1),
            NewMessage("tool", LOG, tool_call_id="c", tool_name="shell", said_at=moment + 2),
            NewMessage("assistant", answer, said_at=moment + 3, reasoning="Because they said so. " * 9),
        )
        moment += 60 * clock.MICROSECONDS


def work_off(memory: Memory) -> None:
    """Make the episodes and their vectors."""
    reached: int | None = 0
    while reached is not None:
        reached = episodes.make_next(memory.store, reached, UTC, has_vectors=True)
    embed(memory.store)


def embed(store: Store) -> None:
    embed_with(store, Local())


def embed_with(store: Store, embedder: Embedder) -> None:
    embedding.enqueue_due(store, embedder)
    for outcome in run_due(store, {embedding.JOB: lambda job: embedding.run(store, embedder, job)}):
        assert outcome.reason is None


def compress(memory: Memory, *, is_discarding: bool = False) -> list[Compressed]:
    wanted = Wanted(NOW - 30 * DAY, is_discarding=is_discarding, unlearned=("cron",))
    made = list(compressing.compress(memory.store, wanted))
    assert all(made)
    return [one for one in made if one is not None]


def everything(memory: Memory) -> list[Message]:
    with memory.store.read() as connection:
        return messages.searchable(connection, 0, 10_000)


def states(memory: Memory) -> dict[str, int]:
    with memory.store.read() as connection:
        return kept.count_by_state(connection)


def outlined(memory: Memory) -> int:
    with memory.store.read() as connection:
        return count_and_compare(connection)


def search(memory: Memory, text: str, as_of: int | None = None) -> Sequence[Hit]:
    asking = ask(text, datetime(2026, 6, 1, tzinfo=UTC), as_of=as_of)
    return find(memory.store, Local(), asking, Retrieval(recency_episodes=0), 5).hits


def learn(memory: Memory) -> None:
    """Note that everything was learned from and reflected on."""
    with memory.store.write() as connection:
        last = messages.last_id(connection)
        for session_id in sessions.latest_ids(connection, 99, ()):
            learned.set_reached(connection, session_id, last)
            learned.set_reached(connection, session_id, last, "reflected_to")


def state(memory: Memory) -> tuple[object, ...]:
    """Return all that compressing changes: the episodes, what stands for them, and what finds them."""
    with memory.store.read() as connection:
        every = kept.get_many(connection, kept.every_id(connection, 1_000) or [])
        return (
            every,
            sketches.gists_of_messages(connection, list(every)),
            [one.text for one in summaries.recent(connection, 99)],
            vector_count(connection),
            everything(memory),
            plain(memory),
        )


def plain(memory: Memory) -> set[int]:
    """Return the messages whose bodies are not packed and would gain by it."""
    with memory.store.read() as connection:
        ids = [one.id for one in messages.searchable(connection, 0, 10_000)]
        return set(bodies.packed(connection, memory.store.engine, ids))


def notebook(memory: Memory, folder: Path) -> Notebook:
    home = Home(folder, "default")
    ensure(home)
    return Notebook(memory.store, home, 2_200, 1_375)
