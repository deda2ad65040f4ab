"""Forgetting a conversation, on both engines: none of its words is left, and what others taught stays."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.cli.invocation import Invocation
from hermes_agent.config.paths import Home, ensure
from hermes_agent.jobs import tidying as job
from hermes_agent.memory import reflections
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.undo_choice import Latest, Named, Since
from hermes_agent.memory.undoing import undo
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.changes import Undone
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.spending import Cost, Spent
from hermes_agent.store import entity_joins, journal, meta, spending
from hermes_agent.store import reflections as kept
from hermes_agent.store.store import Store
from tests.memory.test_reflections import run_jobs, work
from tests.store.holding import holding

WORD = "quokkaville"


@pytest.fixture
def notebook(store: Store, own_home: Home) -> Iterator[Notebook]:
    ensure(own_home)
    yield Notebook(store, own_home, 2_000, 2_000)


def tidy(notebook: Notebook) -> None:
    finish(job.run(notebook, Invocation(None).settings))


def undone(notebook: Notebook, wanted: Latest | Named | Since) -> str:
    outcome = undo(notebook, wanted)
    assert isinstance(outcome, Undone), outcome
    return outcome.entry_uid


def failing(memory: Memory, session_id: str, request: str) -> None:
    """Ask for a task that fails, and reflect on it."""
    calls = [{"id": "c", "function": {"name": "shell", "arguments": json.dumps({"command": f"make {WORD}"})}}]
    memory.begin(NewSession(id=session_id))
    memory.append(
        session_id,
        NewMessage("user", request),
        NewMessage("assistant", None, tool_calls=calls),
        NewMessage("tool", f"No rule to make target {WORD}\n[exit code 2]", tool_call_id="c", tool_name="shell"),
        NewMessage("assistant", "It failed."),
    )
    reflections.reflect_on(memory.store, session_id)


@pytest.mark.parametrize("is_apart", [False, True])
def test_no_word_of_a_conversation_is_left_after_reflecting_tidying_undo_and_redo(
    memory: Memory, notebook: Notebook, is_apart: bool
) -> None:
    store = memory.store
    requests = ["the Quokkaville website to the server", "a Quokkaville website to the server now"]
    for place, request in enumerate((*requests, requests[0])):
        failing(memory, f"s{place}", f"Deploy {request}")
    memory.append("s0", NewMessage("user", "no, that is wrong, Quokkaville has another server"))
    reflections.reflect_on(store, "s0")
    memory.rename("s0", "The move of Quokkaville")
    for text in ("We use QuokkavilleDesk.", "QuokkavilleDesk is fast.", "I like QuokkavilleDesk."):
        memory.append("s0", NewMessage("user", text), NewMessage("assistant", "Yes."))
    memory.append("s1", NewMessage("user", "I think Quokkaville Desk is down."), NewMessage("assistant", "Oh."))
    finish(doctor.rebuild(store))
    tidy(notebook)
    undone(notebook, Named(undone(notebook, Latest())))
    if is_apart:
        undone(notebook, Latest())
    reflections.delete(store, "reflection:1")
    undone(notebook, Named(undone(notebook, Latest())))
    with store.write() as connection:
        kept.keep_brought(connection, [1, 2], clock.now())
        spending.add(connection, Spent("reflection", "s0", Cost(1)))
        after = {"session": "s1", "message": "m", "line": f"Use {WORD}"}
        journal.write(connection, NewEntry("skill.proposed", "deploy", f"It could say “{WORD}”", after=after))
    assert {line.partition(".")[0] for line in holding(store, WORD)} > {"journal", "reflections", "messages"}
    with store.read() as connection:
        assert len(entity_joins.every(connection)) == (0 if is_apart else 1)
    memory.delete(["s0", "s1", "s2"], "owner")
    assert holding(store, WORD) == []
    with store.read() as connection:
        assert meta.get_many(connection, ["reflections.brought.1", "reflections.brought.2"]) == {}
    assert [line for line in holding(store, "s0") if line.startswith("spending.item")] == []
    tidy(notebook)
    assert holding(store, WORD) == []


def test_an_undo_of_all_since_a_moment_skips_what_was_forgotten(memory: Memory, notebook: Notebook) -> None:
    began = clock.now()
    failing(memory, "a", "Deploy the Quokkaville website to the server")
    failing(memory, "b", "Write the quarterly report of sales")
    memory.delete(["a"], "owner")
    undone(notebook, Since(began))
    assert reflections.recent(memory.store, 9) == []
    assert holding(memory.store, WORD) != [], "b is still there"
    memory.delete(["b"], "owner")
    assert holding(memory.store, WORD) == []


@pytest.mark.parametrize("gone", ["a", "b", "c"])
def test_a_lesson_that_several_conversations_taught_stays_with_the_others(
    memory: Memory, notebook: Notebook, gone: str
) -> None:
    began = clock.now()
    for session_id in ("a", "b", "c"):
        work(memory, session_id)
        reflections.reflect_on(memory.store, session_id)
    memory.delete([gone], "owner")
    (left,) = reflections.recent(memory.store, 9)
    assert left.occurrences == 2 and left.session_id != gone
    memory.delete(sorted({"a", "b", "c"} - {gone, left.session_id}), "owner")
    assert [one.occurrences for one in reflections.recent(memory.store, 9)] == [1]
    assert not isinstance(undo(notebook, Since(began)), Undone), "their past went with the others"
    memory.delete([left.session_id], "owner")
    assert reflections.recent(memory.store, 9) == []


def test_one_that_is_said_of_otherwise_later_is_counted_one_time_less(memory: Memory) -> None:
    for session_id in ("a", "b"):
        work(memory, session_id)
        reflections.reflect_on(memory.store, session_id)
    memory.append("b", NewMessage("user", "no, that is wrong, use the tests of May"))
    reflections.reflect_on(memory.store, "b")
    found = reflections.recent(memory.store, 9)
    assert sorted((one.session_id, one.outcome, one.occurrences) for one in found) == [
        ("a", "done", 1),
        ("b", "failed", 1),
    ]


def test_a_lesson_that_its_owner_deleted_stays_deleted_when_its_conversation_goes(
    memory: Memory, notebook: Notebook
) -> None:
    for session_id in ("a", "b", "c"):
        work(memory, session_id)
        reflections.reflect_on(memory.store, session_id)
    (standing,) = reflections.recent(memory.store, 9)
    reflections.delete(memory.store, standing.name)
    others = sorted({"a", "b", "c"} - {standing.session_id})
    for session_id in (standing.session_id, others[0]):
        memory.delete([session_id], "sessions.autoPrune")
        tidy(notebook)
        assert reflections.recent(memory.store, 9) == []


def test_a_lesson_goes_with_the_exchange_that_is_taken_back(memory: Memory, tmp_path: Path) -> None:
    file = tmp_path / "REFLECTIONS.md"
    failing(memory, "a", "Write the quarterly report of sales")
    run_jobs(memory, file)
    assert WORD in file.read_text()
    memory.rewind("a", next(memory.messages("a")).id)
    assert reflections.recent(memory.store, 9) == []
    run_jobs(memory, file)
    assert WORD not in file.read_text()
    assert [line for line in holding(memory.store, WORD) if not line.startswith("messages.")] == []
    assert reflections.recent(memory.store, 9) == []


def test_taking_back_nothing_forgets_nothing(memory: Memory) -> None:
    work(memory, "a")
    reflections.reflect_on(memory.store, "a")
    assert memory.rewind("a", 10**9) == 0
    assert len(reflections.recent(memory.store, 9)) == 1


def test_a_lesson_that_another_conversation_taught_outlives_the_exchange(memory: Memory) -> None:
    for session_id in ("a", "b"):
        work(memory, session_id)
        reflections.reflect_on(memory.store, session_id)
    memory.rewind("a", next(memory.messages("a")).id)
    (left,) = reflections.recent(memory.store, 9)
    assert (left.session_id, left.occurrences) == ("b", 1)


def test_a_task_is_reflected_on_anew_when_a_word_on_it_is_taken_back(memory: Memory) -> None:
    work(memory, "a")
    (remark, _) = memory.append(
        "a", NewMessage("user", "no, that is wrong, use Quokkaville"), NewMessage("assistant", "Done.")
    )
    reflections.reflect_on(memory.store, "a")
    assert [line for line in holding(memory.store, WORD) if line.startswith("reflections.")] != []
    memory.rewind("a", remark)
    reflections.reflect_on(memory.store, "a")
    (found,) = reflections.recent(memory.store, 9)
    assert (found.task, found.outcome) == ("Run the tests of the web app", "done")
    assert [line for line in holding(memory.store, WORD) if not line.startswith("messages.")] == []
