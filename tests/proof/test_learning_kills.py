"""Whoever learns is killed with SIGKILL at random moments: nothing is learned twice, lost or stuck."""

import random
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from time import perf_counter

import pytest

from hermes_agent.ids import new_uid
from hermes_agent.memory.learning import JOB
from hermes_agent.ops import doctor
from hermes_agent.records.journal import Entry
from hermes_agent.store import facts, jobs, journal, messages, sessions
from hermes_agent.store.learned import waiting as waiting_sessions
from hermes_agent.store.postgres import schema_name
from hermes_agent.store.store import Store
from tests.counts import count, record
from tests.openai_server import serve
from tests.postgres import server_address
from tests.proof.learner import answer, memory_of, say
from tests.proof.places import open_at
from tests.proof.processes import Child, Nursery, seeded, spin

_A_ROUND = 3
_MOST = 10_000
_RUNS, _MOST_RUNS = 2, 50
"""A learner takes so many conversations at once, and no more."""
_MANY = 10
_STRETCH = 1.1


@pytest.mark.parametrize(
    ("engine", "with_model", "kills"),
    [("sqlite", False, count(4, 100)), ("sqlite", True, count(4, 80)), ("postgres", False, count(2, 20))],
)
def test_a_killed_learner_learns_nothing_twice_and_loses_nothing(
    tmp_path: Path, engine: str, with_model: bool, kills: int
) -> None:
    chance = seeded("learning kills")
    with ExitStack() as stack:
        url = stack.enter_context(serve(answer)).url if with_model else ""
        nursery = stack.enter_context(Nursery())
        places = [place_of(engine, tmp_path, name) for name in ("killed", "whole")]
        store, whole = (open_at(place) for place in places)
        longest = lasting(nursery, place_of(engine, tmp_path, "timed"), url)
        rounds = kill_again_and_again(nursery, (places[0], url), store, kills, (chance, longest))
        assert kills < _MANY or learned(store), "every kill came before anything was learned"
        learn_all(nursery, places[0], url)
        say(memory_of(whole), 0, rounds * _A_ROUND)
        learn_all(nursery, places[1], url)
    name = f"kill.learning.{engine}{'.model' if with_model else ''}"
    record(f"{name}.kills", kills)
    differing = [*differences(store, whole), *unfinished(store), *doctor.check(store).problems]
    record(f"{name}.wrong", len(differing))
    assert differing == []
    store.close()
    whole.close()


def place_of(engine: str, folder: Path, name: str) -> str:
    return str(folder / f"{name}.db") if engine == "sqlite" else f"{server_address()}#{schema_name(new_uid())}"


def lasting(nursery: Nursery, place: str, url: str) -> float:
    """Return how many seconds this machine takes to learn a round: kills must come in the middle of it."""
    store = open_at(place)
    say(memory_of(store), 0, _A_ROUND)
    store.close()
    learner = nursery.begin("learn", place, url)
    wait_until(learner, "begun")
    begun = perf_counter()
    wait_until(learner, "complete")
    seconds = perf_counter() - begun
    learner.kill()
    return seconds


def kill_again_and_again(
    nursery: Nursery, at: tuple[str, str], store: Store, kills: int, when: tuple[random.Random, float]
) -> int:
    """Give learners something to learn and kill them at it, until so many were; return after how many rounds."""
    chance, longest = when
    done = rounds = 0
    while done < kills:
        say(memory_of(store), rounds * _A_ROUND, _A_ROUND)
        rounds += 1
        retry(store)
        learner = nursery.begin("learn", *at)
        wait_until(learner, "begun")
        spin(chance.uniform(0, longest))
        told = learner.kill()
        done += "complete" not in told
        # The machine may be slower or faster by now than when it was timed.
        longest *= _STRETCH if not told else 1 / _STRETCH if "complete" in told else 1
        assert rounds < 20 * kills + 20, "hardly any kill comes in time"
    return rounds


def learn_all(nursery: Nursery, place: str, url: str) -> None:
    """Let a learner finish; a job that was killed too often is given up by who comes next, and tried again."""
    store = open_at(place)
    for turn in range(_MOST_RUNS):
        if turn >= _RUNS and not unfinished(store):
            break
        retry(store)
        learner = nursery.begin("learn", place, url)
        told = wait_until(learner, "complete")
        assert not [line for line in told if line.split()[0] in ("failed", "postponed", "lost")], told
        learner.kill()
    store.close()


def retry(store: Store) -> None:
    """Do what `hermes jobs retry` does to a job that was killed too often to be tried again at once."""
    with store.write() as connection:
        for job in jobs.recent(connection, 1, kind=JOB):
            if job.state == "failed":
                jobs.retry(connection, job)


def wait_until(learner: Child, line: str) -> list[str]:
    told: list[str] = []
    for one in learner.tell():
        told.append(one.strip())
        if told[-1] == line:
            return told
    raise AssertionError(f"it ended with {learner.status}: {told[-5:]}")


def differences(store: Store, whole: Store) -> list[str]:
    """Compare what was learned under kills with what was learned in peace; uids, numbers and times aside."""
    found, wanted = learned(store), learned(whole)
    return [f"too often: {one}" for one in found - wanted] + [f"missing: {one}" for one in wanted - found]


def learned(store: Store) -> Counter[object]:
    with store.read() as connection:
        every = facts.recent(connection, _MOST, with_ended=True)
        texts = {fact.uid: fact.text for fact in every}
        said = {
            one.uid: (session.session.id, one.content)
            for session in sessions.recent(connection, sessions.Listing(), _MOST)
            for one in messages.of_session(connection, session.session.id)
        }
        entries = journal.recent(connection, _MOST, kind="fact")
    held: list[object] = [
        (
            fact.text,
            fact.state,
            fact.corroborations,
            said[fact.source_message or ""],
            (fact.span_start, fact.span_end, fact.said_at, fact.valid_to),
            texts.get(fact.superseded_by or ""),
        )
        for fact in every
    ]
    return Counter([*held, *((one.kind, one.session_id, _fact_text(one)) for one in entries)])


def _fact_text(entry: Entry) -> str:
    assert isinstance(entry.after, dict)
    return str(entry.after["text"])


def unfinished(store: Store) -> list[str]:
    """Name what is stuck: a session that was not learned from, a job that is held or failed."""
    with store.read() as connection:
        waiting = waiting_sessions(connection, 0, (), _MOST)
        held = [job for job in jobs.recent(connection, _MOST, kind=JOB) if job.state != "done"]
    return [f"{one} waits" for one in waiting] + [f"job {job.id} is {job.state}: {job.reason}" for job in held]
