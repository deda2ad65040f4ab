"""Memories for the tests of recall: kept through `Memory`, read by the real jobs with the real weights."""

from collections.abc import Sequence
from datetime import UTC, datetime

from hermes_agent.embedders.embedder import Embedder
from hermes_agent.jobs import embedding as job
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import embedding, episodes
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.asking import Retrieval, ask
from hermes_agent.recall.finding import Found, find
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.memory import ItemKind
from tests.recall.conversations import DAY, FIRST_DAY, SECOND, talk

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
"""A Sunday; the conversations begin on 2026-01-01, a Thursday."""

EVERYTHING: Sequence[ItemKind] = ("episode", "fact")


def people(memory: Memory, session_id: str, *said: tuple[str, str], day: int = 0) -> list[int]:
    """Keep talk between people: who says what."""
    at = FIRST_DAY + day * DAY
    memory.begin(NewSession("import", session_id, started_at=at))
    new = [
        NewMessage("user", text, said_at=at + (place + 1) * SECOND, speaker=speaker)
        for place, (speaker, text) in enumerate(said)
    ]
    return memory.append(session_id, *new)


def read(memory: Memory, embedder: Embedder | None = None) -> None:
    """Make the episodes that are missing, and their vectors, as the jobs do."""
    after: int | None = 0
    while after is not None:
        after = episodes.make_next(memory.store, after, UTC)
    if embedder is not None:
        job.enqueue_due(memory.store, embedder)
        list(run_due(memory.store, {embedding.JOB: lambda each: job.run(memory.store, embedder, each)}))


def recalled(
    memory: Memory,
    said: str,
    embedder: Embedder | None = None,
    /,
    *,
    limit: int = 10,
    kinds: Sequence[ItemKind] = EVERYTHING,
    now: datetime = NOW,
    without_session: str | None = None,
    hidden_sources: Sequence[str] = (),
    as_of: int | None = None,
    since: int | None = None,
    until: int | None = None,
) -> Found:
    """Ask memory."""
    asking = ask(
        said,
        now,
        without_session=without_session,
        hidden_sources=hidden_sources,
        as_of=as_of,
        since=since,
        until=until,
    )
    return find(memory.store, embedder, asking, Retrieval(), limit, kinds)


def texts(found: Found) -> list[str]:
    return [hit.text for hit in found.hits]


def fill(memory: Memory) -> None:
    """Keep some weeks of chats with an assistant, and of talk between three people."""
    _chats(memory)
    _talk_between_people(memory)


def _chats(memory: Memory) -> None:
    talk(
        memory,
        "garden",
        "My sister Rosalind gave me tomato seedlings for the balcony.",
        "Put them where they get six hours of sun, and water them at the root.",
        "I'd prefer clay pots over plastic ones.",
        "Clay dries out faster, so water a little more often in July.",
        day=3,
        title="Garden",
    )
    talk(
        memory,
        "server",
        "The staging server runs PostgreSQL on port 6432 behind pgbouncer.",
        "Then set the pool size to twenty and the statement timeout to thirty seconds.",
        "Always answer me with metric units.",
        "Understood.",
        day=10,
    )
    talk(
        memory,
        "travel",
        "I paid 184 euros for the night train to Vienna.",
        "That is a fair price for a sleeper in spring.",
        "Which museum should I see there?",
        "I recommend the Albertina for its drawings, and the Belvedere for Klimt.",
        day=20,
    )
    talk(
        memory,
        "dentist",
        "I had my wisdom tooth taken out this morning.",
        "Rest, cool the cheek, and avoid hot drinks today.",
        day=54,
    )


def _talk_between_people(memory: Memory) -> None:
    people(
        memory,
        "friends-1",
        ("Deborah", "Hey Gina, I signed up for a pottery class on Saturdays."),
        ("Gina", "Nice, Deb! I have no patience for clay, I'd rather repair my old motorcycle."),
        ("Deborah", "What year is the motorcycle?"),
        ("Gina", "It is a Moto Guzzi from 1974."),
        day=5,
    )
    people(
        memory,
        "friends-2",
        ("Gina", "Thanks, Deb! The bowl you made holds all my keys."),
        ("Deborah", "I'm glad. My kiln broke yesterday, so there will be no more bowls for a while."),
        ("Gina", "Sorry, Deb. My cousin mends kilns for a living."),
        ("Deborah", "Could you ask him to come by?"),
        day=30,
    )
    people(
        memory,
        "friends-3",
        ("Arun", "I adopted a grey whippet called Juno from the shelter."),
        ("Deborah", "She looks fast! My allergies would kill me."),
        day=40,
    )
