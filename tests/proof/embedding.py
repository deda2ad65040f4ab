"""Processes around an embedder that is switched: one that embeds until it is killed, one that keeps searching."""

import random
import signal
from pathlib import Path

from hermes_agent.jobs import embedding as job
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory.embedding import JOB
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.memory import NewEpisode
from hermes_agent.store import episodes, fingerprints, jobs, messages, sessions
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.hashed_embedder import HashedEmbedder
from tests.proof.places import tell

WORKER = "proof"
# Of different lengths: a search that mixed them would fail.
EMBEDDERS = {"old": 32, "new": 48}
_BLOCK = 500


def open_store(place: str) -> Store:
    """Open the store at a path, with its cache beside it."""
    path = Path(place)
    return Store(Sqlite(path, cache=path.with_name("cache")), "default")


def embedder_named(name: str) -> HashedEmbedder:
    return HashedEmbedder(name, EMBEDDERS[name], batch_size=8)


def subject(number: int) -> str:
    """Return what the exchange of a number is about, and no other."""
    return f"thing{number}"


def fill(store: Store, count: int) -> None:
    """Keep exchanges, the first of them as episode 1."""
    for start in range(0, count, _BLOCK):
        with store.write() as connection:
            session_id = sessions.create(connection, NewSession())
            made = []
            for number in range(start + 1, min(start + _BLOCK, count) + 1):
                said = [
                    NewMessage("user", f"about {subject(number)}"),
                    NewMessage("assistant", f"{subject(number)} it is"),
                ]
                first, last = messages.append(connection, store.engine, session_id, said)
                made.append(NewEpisode(session_id, first, last, number, number, "proof"))
            episodes.add(connection, made)


def embed(place: str, name: str) -> None:
    """Embed until nothing is missing, telling how each slice ended; tell `complete`, and wait to be killed."""
    store, embedder = open_store(place), embedder_named(name)
    with store.write() as connection:
        # Whoever had the name before is dead; the daemon's lock on its file says so.
        jobs.end_leases(connection, WORKER)
    job.enqueue_due(store, embedder)
    tell("begun")
    handlers = {JOB: lambda each: job.run(store, embedder, each)}
    for outcome in run_due(store, handlers, worker=WORKER, slice_seconds=0.05):
        tell(outcome.ending, outcome.reason or "")
    tell("complete")
    signal.pause()


def seek(place: str, count: str, seed: str) -> None:
    """Search for exchanges without end, by the vectors that reads use just then; tell how each search went."""
    chance = random.Random(int(seed))
    store = open_store(place)
    known = {name: embedder_named(name) for name in EMBEDDERS}
    while True:
        number = chance.randint(1, int(count))
        with store.read() as connection:
            used = fingerprints.current(connection, "new")
            assert used is not None
            vector = known[used.name].embed_query(f"about {subject(number)} {subject(number)} it is")
            found = store.engine.match_vectors(connection, used, vector, 3)
        best = found.items[0].item if found.items else None
        tell(used.name, "right" if best == number else f"wrong: {best} for {number} among {len(found.items)}")
