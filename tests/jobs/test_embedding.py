"""Vectors made in the background, on both engines: each once, however often it is stopped, and never mixed."""

import threading
from collections import Counter
from itertools import pairwise

import pytest

from hermes_agent.embedders.embedder import Embedder
from hermes_agent.embedders.local import Local
from hermes_agent.embedders.unrelated import SENTENCES
from hermes_agent.errors import EmbedderMismatch
from hermes_agent.jobs import embedding as job
from hermes_agent.jobs import refused
from hermes_agent.jobs.worker import Handler, Outcome, run_due
from hermes_agent.memory import embedding
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.memory import NewEpisode, NewFact
from hermes_agent.store import episodes, facts, fingerprints, jobs, journal, messages, selftests, sessions, vectors
from hermes_agent.store.store import Store
from tests.hashed_embedder import HashedEmbedder

SUBJECTS = (
    "harbour",
    "garden",
    "violin",
    "glacier",
    "bakery",
    "lantern",
    "compass",
    "orchard",
    "tunnel",
    "kettle",
)


def talk(store: Store, count: int, *, first: int = 0) -> list[int]:
    """Keep exchanges, each about a thing of its own, and return their episodes."""
    made = []
    with store.write() as connection:
        session_id = sessions.create(connection, NewSession())
        for number in range(first, first + count):
            subject = f"{SUBJECTS[number % len(SUBJECTS)]}{number}"
            said = [
                NewMessage("user", f"tell me of the {subject}"),
                NewMessage("assistant", f"the {subject} is old"),
            ]
            ids = messages.append(connection, store.engine, session_id, said)
            made.append(NewEpisode(session_id, ids[0], ids[1], said_at=number, ended_at=number, source="test"))
        return [episode.id for episode in episodes.add(connection, made)]


def state(store: Store, text: str) -> int:
    """Keep a fact and return its number."""
    with store.write() as connection:
        return facts.add(connection, store.engine, NewFact(text, "user", 1.0, "said by the owner", said_at=1)).id


def handlers(store: Store, embedder: Embedder) -> dict[str, Handler]:
    return {embedding.JOB: lambda each: job.run(store, embedder, each), job.DROP: lambda _: job.drop(store)}


def work(store: Store, embedder: Embedder) -> list[Outcome]:
    """Do what is due, as a worker does."""
    return list(run_due(store, handlers(store, embedder)))


def embed_all(store: Store, embedder: Embedder) -> list[Outcome]:
    """Choose an embedder, as a program does that begins with it, and let the job work to its end."""
    job.enqueue_due(store, embedder)
    return work(store, embedder)


def find(store: Store, embedder: Embedder, text: str, kind: str = "episode") -> int | None:
    """Return what is nearest to a text by the vectors that reads use."""
    with store.read() as connection:
        used = fingerprints.current(connection, embedder.fingerprint)
        assert used is not None
        found = store.engine.match_vectors(connection, used, embedder.embed_query(text), 1, kinds=(kind,))
    return found.items[0].item if found.items else None


def test_everything_gets_its_vectors(store: Store) -> None:
    made = talk(store, 50)
    fact = state(store, "the lighthouse is red")
    embedder = HashedEmbedder()
    assert embed_all(store, embedder)[-1].ending == "done"
    assert find(store, embedder, "tell me of the violin12") == made[12]
    assert find(store, embedder, "red lighthouse", "fact") == fact
    assert embedding.health(store, embedder) == embedding.Health(
        embedder.fingerprint, embedder.fingerprint, done=51, total=51, trouble=None, trouble_at=None
    )
    assert not job.enqueue_due(store, embedder), "nothing is missing"


def test_the_newest_are_embedded_first_and_a_slice_goes_on_where_the_last_one_ended(store: Store) -> None:
    made = talk(store, 90)
    embedder = HashedEmbedder()
    job.enqueue_due(store, embedder)
    outcomes = run_due(store, handlers(store, embedder), slice_seconds=0)
    first = next(outcomes)
    assert first.ending == "paused"
    assert first.progress is not None and first.progress.total == 90 and 0 < first.progress.done < 90
    with store.read() as connection:
        fingerprint = fingerprints.complete(connection)
        wanted = fingerprints.get(connection, embedder.fingerprint)
        assert fingerprint is None and wanted is not None
        left = vectors.missing(connection, wanted.id, "episode", 100)
    assert left == made[: len(left)][::-1]
    newer = talk(store, 1, first=90)
    next(outcomes)
    with store.read() as connection:
        assert newer[0] not in vectors.missing(connection, wanted.id, "episode", 100)
    assert [outcome.ending for outcome in outcomes][-1] == "done"
    assert max(Counter(text for text in embedder.texts if "tell" in text).values()) == 1
    assert not embedding.health(store, embedder).is_behind


def test_two_workers_embed_one_backlog_each_text_once(store: Store) -> None:
    talk(store, 120)
    embedder = HashedEmbedder()
    job.enqueue_due(store, embedder)
    endings: list[str] = []

    def help_out() -> None:
        while embedding.health(store, embedder).is_behind:
            endings.extend(
                outcome.ending for outcome in run_due(store, handlers(store, embedder), slice_seconds=0)
            )

    workers = [threading.Thread(target=help_out) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert set(endings) <= {"paused", "done"}
    assert endings.count("paused") > 5
    said = [text for text in embedder.texts if text not in SENTENCES]
    assert set(Counter(said).values()) == {1}
    assert len(said) == 240
    assert not embedding.health(store, embedder).is_behind


def test_a_new_embedder_is_read_when_it_is_complete_and_not_before(store: Store) -> None:
    made = talk(store, 60)
    old, new = HashedEmbedder("old", 32), HashedEmbedder("new", 48)
    embed_all(store, old)
    job.enqueue_due(store, new)
    for outcome in run_due(store, handlers(store, new), slice_seconds=0):
        with store.read() as connection:
            used = fingerprints.current(connection, "new")
        assert used is not None
        if outcome.ending == "paused":
            assert used.name == "old"
            assert find(store, old, "tell me of the lantern5") == made[5]
    assert used is not None and used.name == "new"
    assert find(store, new, "tell me of the lantern5") == made[5]


def test_going_back_only_catches_up(store: Store) -> None:
    talk(store, 30)
    one, two = HashedEmbedder("one"), HashedEmbedder("two")
    embed_all(store, one)
    embed_all(store, two)
    newer = talk(store, 2, first=30)
    one.texts.clear()
    embed_all(store, one)
    assert len(one.texts) == 4
    assert find(store, one, "tell me of the harbour30") == newer[0]
    assert embedding.health(store, one).used == "one"


def test_of_three_fingerprints_the_oldest_is_dropped(store: Store) -> None:
    talk(store, 5)
    for name in ("one", "two", "three"):
        embed_all(store, HashedEmbedder(name))
    with store.read() as connection:
        assert {each.name for each in fingerprints.every(connection)} == {"two", "three"}
    talk(store, 1, first=5)
    embed_all(store, HashedEmbedder("two"))
    embed_all(store, HashedEmbedder("four"))
    with store.read() as connection:
        assert {each.name for each in fingerprints.every(connection)} == {"two", "four"}, "by use, not by age"


def test_a_dead_server_is_told_and_tried_again_later(store: Store) -> None:
    talk(store, 3)
    embedder = HashedEmbedder()
    embedder.is_down = True
    (outcome,) = embed_all(store, embedder)
    assert outcome.ending == "postponed"
    health = embedding.health(store, embedder)
    assert (health.trouble, health.done, health.total) == ("hashed/words does not answer.", 0, 3)
    embedder.is_down = False
    with store.write() as connection:
        waiting = jobs.get(connection, outcome.job.id)
        assert waiting is not None and jobs.retry(connection, waiting)
    work(store, embedder)
    assert embedding.health(store, embedder) == embedding.Health(
        embedder.fingerprint, embedder.fingerprint, 3, 3, trouble=None, trouble_at=None
    )


def test_what_was_refused_is_asked_for_again_after_a_while(store: Store) -> None:
    made = talk(store, 20)
    gone = made[12]
    fact = state(store, "the violin is red")
    embedder = HashedEmbedder(refused="violin")
    embed_all(store, embedder)
    assert embedding.health(store, embedder).used == embedder.fingerprint
    assert not job.enqueue_due(store, embedder), "not at once"
    with store.write() as connection:
        episodes.remove(connection, [gone])
    let_time_pass(store, embedder)
    embedder.texts.clear()
    assert [outcome.ending for outcome in embed_all(store, embedder)][-1] == "done"
    assert embedder.texts and all("violin" in text for text in embedder.texts if text not in SENTENCES)
    assert not job.enqueue_due(store, embedder), "nor now"
    with store.read() as connection:
        told = [entry.text for entry in journal.recent(connection, 9) if entry.kind == "embedding.refused"]
    assert told == ["hashed/words refused 5 texts, which only words find now."], "once"
    let_time_pass(store, embedder)
    embedder.refused = None
    embed_all(store, embedder)
    assert find(store, embedder, "tell me of the violin2") == made[2]
    assert find(store, embedder, "the red violin", "fact") == fact
    let_time_pass(store, embedder)
    assert not job.enqueue_due(store, embedder)


def let_time_pass(store: Store, embedder: Embedder) -> None:
    """Make what was refused so old that it is asked for again."""
    with store.write() as connection:
        fingerprint = fingerprints.get(connection, embedder.fingerprint)
        assert fingerprint is not None
        refused.make_due(connection, fingerprint.id)


def test_wrong_dimensions_fail_at_once_and_are_told(store: Store) -> None:
    talk(store, 3)
    embedder = HashedEmbedder(given_dimensions=7)
    (outcome,) = embed_all(store, embedder)
    assert outcome.ending == "failed" and outcome.job.attempts == 1
    assert outcome.reason is not None and "× 7 numbers" in outcome.reason
    health = embedding.health(store, embedder)
    assert health.trouble is not None and "× 7 numbers" in health.trouble
    assert health.done == 0


def test_a_name_with_other_dimensions_than_before_is_refused(store: Store) -> None:
    talk(store, 1)
    embed_all(store, HashedEmbedder("one", 32))
    with pytest.raises(EmbedderMismatch, match="32"):
        talk(store, 1, first=1)
        job.enqueue_due(store, HashedEmbedder("one", 8))


def test_a_process_with_another_embedder_leaves_the_job_alone(store: Store) -> None:
    talk(store, 2)
    job.enqueue_due(store, HashedEmbedder("new"))
    old = HashedEmbedder("old")
    (outcome,) = work(store, old)
    assert outcome.ending == "postponed"
    assert outcome.reason is not None and "The embedder is new now" in outcome.reason
    assert old.texts == []
    shown = embedding.health(store, HashedEmbedder("new")).trouble
    assert shown == "The embedder is new now; this process has old. Restart it: hermes restart"


def test_a_fact_that_ended_does_not_stand_for_one_without_a_vector(store: Store) -> None:
    ended, _ = state(store, "the lighthouse is red"), state(store, "the pier is long")
    embedder = HashedEmbedder()
    embed_all(store, embedder)
    with store.write() as connection:
        facts.end(connection, ended, "retracted", at=2)
    state(store, "the lighthouse is white")
    health = embedding.health(store, embedder)
    assert (health.done, health.total, health.is_behind) == (1, 2, True)
    embed_all(store, embedder)
    assert not embedding.health(store, embedder).is_behind


def test_recall_is_tested_a_question_at_a_time_and_goes_on_where_it_was_stopped(store: Store) -> None:
    with store.write() as connection:
        session_id = sessions.create(connection, NewSession())
        said = [
            NewMessage("user", f"I bought the wooden {subject} from an old shop for {37 * number} crowns")
            for number, subject in enumerate(SUBJECTS, start=100)
        ]
        ids = messages.append(connection, store.engine, session_id, said)
        episodes.add(connection, [NewEpisode(session_id, each, each, 1, 1, "test") for each in ids])
    embed_all(store, Local())
    known = {*SENTENCES, *(message.content for message in said)}
    new = HashedEmbedder("new")
    job.enqueue_due(store, new)
    asked = [0]
    for outcome in run_due(store, handlers(store, new), slice_seconds=0):
        assert outcome.reason is None
        asked.append(sum(text not in known for text in new.texts))
    assert asked[-1] == len(SUBJECTS)
    assert max(later - before for before, later in pairwise(asked)) == 1
    with store.read() as connection:
        runs = selftests.recent(connection, 5)
    assert [(run.cause, len(run.answers)) for run in runs] == [("after re-embed", 10), ("before re-embed", 10)]


def test_what_changes_while_it_is_embedded_is_not_kept_as_it_was(store: Store) -> None:
    first, second = talk(store, 2)

    def take_back() -> None:
        with store.write() as connection:
            episodes.remove(connection, [first])

    embedder = HashedEmbedder(meanwhile=take_back)
    embed_all(store, embedder)
    with store.read() as connection:
        fingerprint = fingerprints.complete(connection)
        assert fingerprint is not None
        assert vectors.count(connection, fingerprint.id, "episode") == 1
    assert find(store, embedder, "tell me of the garden1") == second


def test_a_worker_that_lost_the_job_writes_nothing(store: Store) -> None:
    talk(store, 40)
    embedder = HashedEmbedder(batch_size=4)
    job.enqueue_due(store, embedder)
    with store.write() as connection:
        claimed = jobs.claim(connection, "slow", 60)
        assert claimed is not None
        jobs.end_leases(connection, "slow")
        jobs.claim(connection, "other", 60)
    with pytest.raises(Exception, match="another worker's now"):
        list(job.run(store, embedder, claimed))
    assert embedding.health(store, embedder).done == 0


@pytest.mark.parametrize("strange", ["", "   \n", "\udcff\x00", "wort " * 200_000, "字。" * 5_000])
def test_an_empty_or_huge_text_is_no_trouble(store: Store, strange: str) -> None:
    with store.write() as connection:
        session_id = sessions.create(connection, NewSession())
        said = [NewMessage("user", strange), NewMessage("assistant", strange)]
        ids = messages.append(connection, store.engine, session_id, said)
        episodes.add(connection, [NewEpisode(session_id, ids[0], ids[1], 1, 1, "test")])
    embedder = HashedEmbedder()
    assert embed_all(store, embedder)[-1].ending == "done"
    assert not embedding.health(store, embedder).is_behind
    assert len(embedder.texts) <= 130
    assert not job.enqueue_due(store, embedder)
