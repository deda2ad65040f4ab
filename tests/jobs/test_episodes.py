"""The job `episodes` on both engines: after an import, in slices, and beside others."""

import json
from pathlib import Path

from hermes_agent.jobs import episodes as backfill
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory.memory import Memory
from hermes_agent.ops.merge import ImportReport
from hermes_agent.ops.steps import finish
from hermes_agent.ops.transfer import import_file
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.memory import Episode
from hermes_agent.store import episodes, jobs, meta
from hermes_agent.store.store import Store

EXCHANGES = 600


def session(name: str, exchanges: int, *, is_cut: bool = False) -> str:
    """Write a session as the public product exports it; a cut one lacks its last answer."""
    said = [
        {"role": role, "content": f"{role} {number} of Atlas", "timestamp": number * 2 + (role == "assistant")}
        for number in range(exchanges)
        for role in ("user", "assistant")
    ]
    return json.dumps({"id": name, "started_at": 1, "messages": said[:-1] if is_cut else said}) + "\n"


def bring(store: Store, folder: Path, lines: str) -> ImportReport:
    path = folder / "in.jsonl"
    path.write_text(lines)
    return finish(import_file(store, path))


def work(store: Store, slice_seconds: float = 1.0, limit: int | None = None) -> list[str]:
    """Let the job run; return how each slice of it ended."""
    memory = Memory(store, "default")
    handlers = {"episodes": lambda job: backfill.run(memory, job)}
    return [outcome.ending for outcome in run_due(store, handlers, limit, slice_seconds=slice_seconds)]


def made(store: Store) -> list[Episode]:
    with store.read() as connection:
        return sorted(episodes.latest(connection, 10_000), key=lambda episode: episode.first_message)


def test_what_is_imported_gets_its_episodes_in_the_background(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, session("a", 3) + session("b", 2))
    assert made(store) == [], "the import does not wait for them"
    assert work(store) == ["done"]
    assert [(one.session_id, one.last_message - one.first_message) for one in made(store)] == [
        *[("a", 1)] * 3,
        *[("b", 1)] * 2,
    ]
    assert made(store)[0].task == "user 0 of Atlas"
    with store.read() as connection:
        assert [job.key for job in jobs.recent(connection, 5, state="waiting")] == ["embed"]
        assert meta.get(connection, backfill.LAST) is not None


def test_it_works_in_slices_and_goes_on_where_it_was(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, session("a", EXCHANGES))
    assert work(store, slice_seconds=0) == ["paused", "paused", "paused", "done"]
    assert len(made(store)) == EXCHANGES


def test_a_session_that_came_in_the_middle_of_an_answer_gets_the_rest(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, session("a", 2, is_cut=True))
    work(store)
    assert [one.last_message - one.first_message for one in made(store)] == [1, 0]
    assert bring(store, tmp_path, session("a", 2)).extended == ("a",)
    work(store)
    assert [one.last_message - one.first_message for one in made(store)] == [1, 1]


def test_an_import_that_brings_nothing_new_leaves_no_work(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, session("a", 2))
    work(store)
    bring(store, tmp_path, session("a", 2))
    assert work(store) == []


def test_what_a_killed_turn_left_is_made_too(store: Store) -> None:
    memory = Memory(store, "default")
    session_id = memory.begin(NewSession())
    memory.append(session_id, NewMessage("user", "hello"))
    with store.write() as connection:
        jobs.add(connection, "episodes", "episodes")
    assert work(store) == ["done"]
    assert len(made(store)) == 1
