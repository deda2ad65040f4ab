"""Whoever looks back, tidies and compresses is killed with SIGKILL: nothing is doubled, lost or stuck."""

import hashlib
from collections import Counter
from pathlib import Path
from time import perf_counter

import pytest

from hermes_agent.ids import new_uid
from hermes_agent.memory import facts as verbs
from hermes_agent.memory import reflections as taught
from hermes_agent.ops import doctor
from hermes_agent.skills.library import Library
from hermes_agent.store import compressed, episodes, jobs, messages, skills, summaries
from hermes_agent.store.engine import Connection
from hermes_agent.store.postgres import schema_name
from hermes_agent.store.store import Store
from tests.counts import count, record
from tests.postgres import server_address
from tests.proof.keeper import DISCARDING, KINDS, memory_of, work
from tests.proof.places import open_at
from tests.proof.processes import Child, Nursery, seeded, spin
from tests.store.outlined import count_and_compare

_A_ROUND = 4
_MOST = 10_000
_RUNS = 2


@pytest.mark.parametrize(("engine", "kills"), [("sqlite", count(4, 160)), ("postgres", count(2, 40))])
def test_a_killed_keeper_does_nothing_twice_and_loses_nothing(tmp_path: Path, engine: str, kills: int) -> None:
    chance = seeded("upkeep kills")
    with Nursery() as nursery:
        killed, whole = (_place(engine, tmp_path, name) for name in ("killed", "whole"))
        longest = _lasting(nursery, _place(engine, tmp_path, "timed"))
        store = open_at(killed[0])
        done = rounds = 0
        while done < kills:
            work(memory_of(store), rounds * _A_ROUND, _A_ROUND)
            rounds += 1
            _retry(store)
            keeper = nursery.begin("keep", *killed)
            _wait_until(keeper, "begun")
            spin(chance.uniform(0, longest))
            done += "complete" not in keeper.kill()
            assert rounds < 20 * kills + 20, "hardly any kill comes in time"
        hashes = _hashes(store)
        _keep_all(nursery, killed)
        peaceful = open_at(whole[0])
        work(memory_of(peaceful), 0, rounds * _A_ROUND)
        _keep_all(nursery, whole)
    wrong = [
        *_differing(_learned(store, Path(killed[1])), _learned(peaceful, Path(whole[1]))),
        *([] if _hashes(store) == hashes else ["a message is not what it was"]),
        *_untold(store),
        *_stuck(store),
        *doctor.check(store).problems,
    ]
    record(f"kill.upkeep.{engine}.kills", kills)
    record(f"kill.upkeep.{engine}.wrong", len(wrong))
    assert wrong == []
    store.close()
    peaceful.close()


def test_a_killed_keeper_discards_what_a_summary_tells_and_nothing_else(tmp_path: Path) -> None:
    chance, kills = seeded("discarding kills"), count(2, 40)
    with Nursery() as nursery:
        killed, whole = ((*_place("sqlite", tmp_path, name), DISCARDING) for name in ("killed", "whole"))
        longest = _lasting(nursery, (*_place("sqlite", tmp_path, "timed"), DISCARDING))
        store = open_at(killed[0])
        said: set[str] = set()
        done = rounds = 0
        while done < kills:
            work(memory_of(store), rounds * _A_ROUND, _A_ROUND)
            said.update(_hashes(store))
            rounds += 1
            _retry(store)
            keeper = nursery.begin("keep", *killed)
            _wait_until(keeper, "begun")
            spin(chance.uniform(0, longest))
            done += "complete" not in keeper.kill()
            assert rounds < 20 * kills + 20, "hardly any kill comes in time"
        _keep_all(nursery, killed)
        peaceful = open_at(whole[0])
        work(memory_of(peaceful), 0, rounds * _A_ROUND)
        _keep_all(nursery, whole)
    wrong = [
        *_differing(_kept(store), _kept(peaceful)),
        *([] if said.issuperset(_hashes(store)) else ["a message is not what it was"]),
        *_half_discarded(store),
        *_stuck(store),
        *doctor.check(store).problems,
    ]
    record("kill.discarding.kills", kills)
    record("kill.discarding.wrong", len(wrong))
    assert wrong == []
    store.close()
    peaceful.close()


def _half_discarded(store: Store) -> list[str]:
    """Name the summaries whose messages went in part, or stayed although they were discarded."""
    with store.read() as connection:
        standing = summaries.recent(connection, _MOST)
        left = {one.name: _left(connection, one.id) for one in standing}
        every = len(messages.searchable(connection, 0, _MOST))
    gone = [one for one in standing if one.is_discarded]
    wrong = [f"{one.name} was discarded and has {left[one.name]} messages" for one in gone if left[one.name]]
    told = sum(left.values())
    wrong += [] if told == every else [f"{every} messages are there, and summaries stand for {told} of them"]
    return wrong if gone else [*wrong, "nothing was discarded"]


def _left(connection: Connection, summary_id: int) -> int:
    behind = compressed.of_summaries(connection, [summary_id])[summary_id]
    return len(compressed.message_ids(connection, behind))


def _place(engine: str, folder: Path, name: str) -> tuple[str, str]:
    """Return where a store is, and its skills."""
    skill_folder = str(folder / f"{name}-skills")
    if engine == "sqlite":
        return str(folder / f"{name}.db"), skill_folder
    return f"{server_address()}#{schema_name(new_uid())}", skill_folder


def _lasting(nursery: Nursery, place: tuple[str, ...]) -> float:
    """Return how many seconds this machine takes for a round: kills must come in the middle of it."""
    store = open_at(place[0])
    work(memory_of(store), 0, _A_ROUND)
    store.close()
    keeper = nursery.begin("keep", *place)
    _wait_until(keeper, "begun")
    begun = perf_counter()
    _wait_until(keeper, "complete")
    seconds = perf_counter() - begun
    keeper.kill()
    return seconds


def _keep_all(nursery: Nursery, place: tuple[str, ...]) -> None:
    store = open_at(place[0])
    for _ in range(_RUNS):
        _retry(store)
        keeper = nursery.begin("keep", *place)
        told = _wait_until(keeper, "complete")
        assert not [line for line in told if line.split()[1:2] in (["failed"], ["lost"])], told
        keeper.kill()
    store.close()


def _retry(store: Store) -> None:
    """Do what `hermes jobs retry` does to jobs that were killed too often to be tried again at once."""
    with store.write() as connection:
        for kind in KINDS:
            for job in jobs.recent(connection, 1, kind=kind):
                if job.state == "failed":
                    jobs.retry(connection, job)


def _wait_until(keeper: Child, line: str) -> list[str]:
    told: list[str] = []
    for one in keeper.tell():
        told.append(one.strip())
        if told[-1] == line:
            return told
    raise AssertionError(f"it ended with {keeper.status}: {told[-5:]}")


def _learned(store: Store, folder: Path) -> Counter[object]:
    """Return what was learned, numbers, uids and times aside, with the skills that were made."""
    with store.read() as connection:
        kept = [(one.skill, one.state, one.files["SKILL.md"]) for one in skills.every(connection).values()]
    listed = [(one.name, one.problem) for one in Library(folder).list()]
    return Counter([*_kept(store).elements(), *kept, *listed])


def _kept(store: Store) -> Counter[object]:
    """Return the lessons and the facts, with how often each was said, and those that were merged."""
    lessons = [(one.task, one.outcome, one.lesson, one.occurrences) for one in taught.recent(store, _MOST)]
    every = verbs.recent(store, _MOST, with_ended=True)
    return Counter([*lessons, *((one.text, one.state, one.corroborations) for one in every)])


def _differing(found: Counter[object], wanted: Counter[object]) -> list[str]:
    return [f"too often: {one}" for one in found - wanted] + [f"missing: {one}" for one in wanted - found]


def _hashes(store: Store) -> list[str]:
    with store.read() as connection:
        every = messages.searchable(connection, 0, _MOST)
    return [hashlib.sha256(repr((one.uid, one.content, one.tool_calls)).encode()).hexdigest() for one in every]


def _untold(store: Store) -> list[str]:
    """Name the episodes that no summary tells, or more than one."""
    with store.read() as connection:
        raw = episodes.count_by_state(connection).get("raw", 0)
        standing = {one.id: one for one in summaries.recent(connection, _MOST)}
        count_and_compare(connection)
        behind = compressed.of_summaries(connection, list(standing))
    wrong = [f"{raw} episodes are raw"] if raw else []
    return wrong + [
        f"{one.name} says {one.episode_count} episodes and has {len(behind[one.id])}"
        for one in standing.values()
        if len(behind[one.id]) != one.episode_count
    ]


def _stuck(store: Store) -> list[str]:
    """Name the jobs that are held, or that failed and none after them did: one killed too often stays failed."""
    with store.read() as connection:
        every = [jobs.recent(connection, _MOST, kind=kind) for kind in KINDS]
    held = [job for of_kind in every for job in of_kind if job.state not in ("done", "failed")]
    last = [of_kind[0] for of_kind in every if of_kind and of_kind[0].state == "failed"]
    return [f"job {job.kind} {job.id} is {job.state}: {job.reason}" for job in (*held, *last)]
