"""What a turn leaves of its exchange, on both engines: its episode always, its vectors if they can be made."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy
import pytest

from hermes_agent.embedders.local import Local
from hermes_agent.jobs import embedding as job
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import embedding
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Episode
from hermes_agent.records.turn import FinishedTurn
from hermes_agent.store import episodes, fingerprints, jobs, passages, sketches, vectors
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.agent.bench import bench_for, kept, take_turn
from tests.conftest import Hermes
from tests.engines import ENGINES, opened
from tests.fakes import ScriptedModel, reply
from tests.hashed_embedder import HashedEmbedder

AWAY = HashedEmbedder(is_local=True, is_down=True)
MISTAKEN = HashedEmbedder(is_local=True, given_dimensions=7)


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store on each of the engines."""
    yield from opened(request.param, tmp_path)


@pytest.fixture
def hashed() -> HashedEmbedder:
    """An embedder so fast that a turn waits for it."""
    return HashedEmbedder(is_local=True)


@pytest.fixture
def memory(store: Store, hashed: HashedEmbedder) -> Memory:
    return Memory(store, "default", embedder=lambda: hashed)


def ask(memory: Memory, request: str) -> str:
    """Begin a session and say something in it; return the session."""
    session_id = memory.begin(NewSession())
    memory.append(session_id, NewMessage("user", request))
    return session_id


def answer(memory: Memory, session_id: str, text: str) -> int:
    entry = NewEntry("turn.answered", session_id, "Answered.", actor="agent")
    return memory.finish_turn(session_id, FinishedTurn(NewMessage("assistant", text), entry))


def once(work: Callable[[], object]) -> Callable[[], None]:
    """Do something the first time only."""
    left = [work]

    def do() -> None:
        if left:
            left.pop()()

    return do


def only_episode(store: Store) -> Episode:
    with store.read() as connection:
        (episode,) = episodes.latest(connection, 2)
    return episode


def without_vector(store: Store, embedder: HashedEmbedder) -> list[int]:
    with store.read() as connection:
        fingerprint = fingerprints.require(connection, embedder.fingerprint, embedder.dimensions)
        return vectors.missing(connection, fingerprint.id, "episode", 10)


def waiting(store: Store) -> list[str]:
    with store.read() as connection:
        return [one.kind for one in jobs.recent(connection, 10) if one.state == "waiting"]


def work(store: Store, embedder: HashedEmbedder) -> None:
    list(run_due(store, {embedding.JOB: lambda each: job.run(store, embedder, each)}))


@pytest.mark.parametrize("broken", [AWAY, MISTAKEN], ids=["away", "mistaken"])
def test_an_embedder_that_fails_costs_no_answer(
    store: Store, hashed: HashedEmbedder, broken: HashedEmbedder
) -> None:
    memory = Memory(store, "default", embedder=lambda: broken)
    bench = bench_for(memory, ScriptedModel([reply("The kiln is in the yard.")]))
    list(take_turn(bench, "Where is the kiln?"))
    said = kept(memory, bench)
    assert [message.content for message in said] == ["Where is the kiln?", "The kiln is in the yard."]
    episode = only_episode(store)
    assert (episode.first_message, episode.last_message) == (said[0].id, said[1].id)
    health = embedding.health(store, broken)
    assert (health.done, health.total) == (0, 1)
    assert health.trouble is not None and broken.name in health.trouble
    assert waiting(store) == [embedding.JOB]
    work(store, hashed)
    mended = embedding.health(store, hashed)
    assert (mended.is_behind, mended.trouble) == (False, None)


def test_vectors_of_another_length_than_before_cost_no_answer(store: Store, hashed: HashedEmbedder) -> None:
    before = Memory(store, "default", embedder=lambda: hashed)
    answer(before, ask(before, "Where is the kiln?"), "In the yard.")
    longer = replace(hashed, dimensions=48)
    after = Memory(store, "default", embedder=lambda: longer)
    session_id = ask(after, "And the clay?")
    answer(after, session_id, "In the cellar.")
    assert [message.content for message in after.messages(session_id)] == ["And the clay?", "In the cellar."]
    assert len(without_vector(store, hashed)) == 1
    assert waiting(store) == [embedding.JOB]


def test_a_damaged_local_embedder_costs_no_answer_and_status_tells(hermes: Hermes) -> None:
    code = (
        "import sys; sys.modules['wordllama'] = None\n"
        "from hermes_agent.cli.main import run\n"
        "run(['chat', '-q', 'I live in Graz.'])"
    )
    outcome = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
    assert "Graz" in outcome.stdout
    told = json.loads(hermes("status", "--json").stdout)
    assert "wordllama" in told["embedder"]["trouble"] and "pip install" in told["embedder"]["trouble"]
    assert told["index"]["missing_episodes"] == 0
    assert not told["is_well"]
    assert "Graz" in hermes("chat", "-q", "Where do I live?").stdout


def test_others_write_while_an_exchange_is_embedded(store: Store, memory: Memory, hashed: HashedEmbedder) -> None:
    engine = replace(store.engine, busy_seconds=0.5) if isinstance(store.engine, Sqlite) else store.engine
    other = Memory(Store(engine, "default"), "default")
    written: list[str] = []
    session_id = ask(memory, "Where is the kiln?")
    hashed.meanwhile = lambda: written.append(other.begin(NewSession()))
    answer(memory, session_id, "In the yard.")
    other.store.close()
    assert written and without_vector(store, hashed) == []


def test_what_is_said_meanwhile_is_in_the_episode_and_gets_its_vectors_later(
    store: Store, memory: Memory, hashed: HashedEmbedder
) -> None:
    session_id = ask(memory, "Where is the kiln?")
    hashed.meanwhile = once(lambda: memory.append(session_id, NewMessage("assistant", "Let me see.")))
    last = answer(memory, session_id, "In the yard.")
    episode = only_episode(store)
    assert episode.last_message == last
    with store.read() as connection:
        assert len(sketches.owners(connection, [episode.id])) == 3
    assert without_vector(store, hashed) == [episode.id], "of what it was not made of it has no vector"
    assert waiting(store) == [embedding.JOB]
    work(store, hashed)
    assert without_vector(store, hashed) == []


def test_an_episode_that_goes_on_is_embedded_as_it_is_then(
    store: Store, memory: Memory, hashed: HashedEmbedder
) -> None:
    session_id = ask(memory, "Where is the kiln?")
    answer(memory, session_id, "Wait.")
    last = answer(memory, session_id, "It stands in the yard.")
    assert without_vector(store, hashed) == [] and waiting(store) == []
    said = ["Where is the kiln?", "Wait.", "It stands in the yard."]
    whole = hashed.embed(said).sum(axis=0)
    with store.read() as connection:
        used = fingerprints.require(connection, hashed.fingerprint, hashed.dimensions)
        (near,) = store.engine.match_vectors(connection, used, whole / numpy.linalg.norm(whole), 1).items
        found = passages.of_messages(connection, used.id, hashed.dimensions, [last])
    assert near.cosine == pytest.approx(1, abs=1e-3)
    assert found.message_ids.tolist() == [last]


def test_an_episode_that_goes_on_waits_for_an_embedder_elsewhere(store: Store) -> None:
    remote = HashedEmbedder()
    memory = Memory(store, "default", embedder=lambda: remote)
    session_id = ask(memory, "Where is the kiln?")
    answer(memory, session_id, "Wait.")
    work(store, remote)
    assert waiting(store) == []
    answer(memory, session_id, "It stands in the yard.")
    assert waiting(store) == [embedding.JOB]


def test_what_is_left_of_an_exchange_that_was_taken_back_in_part_has_its_vectors(
    store: Store, memory: Memory, hashed: HashedEmbedder
) -> None:
    session_id = ask(memory, "Where is the kiln?")
    answer(memory, session_id, "In the yard.")
    last = answer(memory, session_id, "No, in the cellar.")
    memory.rewind(session_id, last)
    assert without_vector(store, hashed) == []
    assert only_episode(store).last_message < last


def test_a_turn_makes_the_same_gists_as_the_job(store: Store) -> None:
    memory = Memory(store, "default", embedder=Local)
    answer(memory, ask(memory, "Where is the kiln?"), "In the yard.")
    with store.read() as connection:
        owners = sketches.owners(connection, [only_episode(store).id])
        rows = sketches.of_messages(connection, [message for message, _ in owners])
    assert [row.gist for row in rows] == embedding.gists_of(["Where is the kiln?", "In the yard."])
