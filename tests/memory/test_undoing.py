"""Undoing changes of memory, on both engines: the earlier state comes back exactly, or nothing changes."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes_agent import clock
from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import HermesError
from hermes_agent.memory import facts as verbs
from hermes_agent.memory import skills
from hermes_agent.memory.fact_changes import edit, pin
from hermes_agent.memory.fact_history import conflicts
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.undo_choice import Latest, Named, Since, Wanted
from hermes_agent.memory.undo_later import later
from hermes_agent.memory.undo_order import unless_built_on
from hermes_agent.memory.undoing import undo
from hermes_agent.records.changes import Undone, standing
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.records.notes import Operation, Refused
from hermes_agent.skills.library import Library
from hermes_agent.store import jobs, journal
from tests.counts import count
from tests.engines import ENGINES, opened
from tests.memory.memory_states import (
    Action,
    State,
    emptied,
    fact_actions,
    note_actions,
    said,
    skill_actions,
    state,
    task_actions,
    tidy_actions,
)

LIMIT = 2_000


@pytest.fixture(params=ENGINES)
def notebook(request: pytest.FixtureRequest, tmp_path: Path, own_home: Home) -> Iterator[Notebook]:
    """An empty store and empty notes, on each of the engines."""
    ensure(own_home)
    for store in opened(request.param, tmp_path):
        yield Notebook(store, own_home, LIMIT, LIMIT)


def log(notebook: Notebook) -> list[Entry]:
    """Return the changes, the newest first."""
    with notebook.store.read() as connection:
        return list(journal.changes_after(connection, 0))


def folders(notebook: Notebook) -> dict[str, str]:
    """Return what the folders of the skills hold, once they are in step."""
    skills.sync(notebook.store, notebook.home.skills)
    library = Library(notebook.home.skills)
    return {skill.name: library.view(skill.name) for skill in library.list()}


def undone(notebook: Notebook, wanted: Wanted) -> Undone:
    outcome = undo(notebook, wanted)
    assert isinstance(outcome, Undone), outcome
    return outcome


def refused(notebook: Notebook, wanted: Wanted) -> str:
    before = state(notebook)
    outcome = undo(notebook, wanted)
    assert isinstance(outcome, Refused), outcome
    assert state(notebook) == before, "nothing half done"
    return outcome.error


@dataclass(frozen=True)
class Undoing:
    """Undo one of the changes so far, counted from the newest."""

    place: int


def tried(notebook: Notebook, step: "Action | Undoing") -> None:
    """Do a step; an undo that is allowed is undone and made again, one that is refused changes nothing."""
    if not isinstance(step, Undoing):
        with suppress(HermesError):  # such as an edit that says nothing new
            step(notebook)
        return
    entries = log(notebook)
    if not entries:
        return
    before = state(notebook)
    chosen = Named(entries[step.place % len(entries)].uid)
    outcome = undo(notebook, chosen)
    if isinstance(outcome, Refused):
        assert state(notebook) == before
        return
    after = state(notebook)
    again = undone(notebook, Named(outcome.entry_uid))
    assert state(notebook) == before, "undoing the undo makes the change again"
    undone(notebook, Named(again.entry_uid))
    assert state(notebook) == after


def steps(*kinds: st.SearchStrategy[Action]) -> st.SearchStrategy["list[Action | Undoing]"]:
    return st.lists(st.one_of(*kinds, *kinds, st.builds(Undoing, st.integers(0, 5))), min_size=1, max_size=12)


@settings(max_examples=count(10, 300))
@given(
    chosen=steps(fact_actions, note_actions, task_actions, skill_actions, tidy_actions),
    back_to=st.integers(0, 11),
)
def test_memory_goes_back_to_any_moment_and_forth_again(
    notebook: Notebook, chosen: "list[Action | Undoing]", back_to: int
) -> None:
    emptied(notebook)
    # A file that is found is the owner's and stays: this one is known before it is written by hand.
    notebook.change("memory", [Operation("add", "The beginning")], actor="agent")
    past: list[tuple[int, State]] = []
    for step in chosen:
        past.append((clock.now(), state(notebook)))
        tried(notebook, step)
    moment, former = past[back_to % len(past)]
    latest = state(notebook)
    outcome = undo(notebook, Since(moment))
    assert state(notebook) == former
    assert former.damage == (0, 0)
    if isinstance(outcome, Refused):
        assert former == latest
        return
    undone(notebook, Named(outcome.entry_uid))
    assert state(notebook) == latest


@settings(max_examples=count(10, 300))
@given(chosen=steps(skill_actions), back_to=st.integers(0, 11))
def test_skills_go_back_to_any_moment_and_their_folders_with_them(
    notebook: Notebook, chosen: "list[Action | Undoing]", back_to: int
) -> None:
    emptied(notebook)
    past: list[tuple[int, State, dict[str, str]]] = []
    for step in chosen:
        past.append((clock.now(), state(notebook), folders(notebook)))
        tried(notebook, step)
    moment, former, held = past[back_to % len(past)]
    latest, latest_held = state(notebook), folders(notebook)
    outcome = undo(notebook, Since(moment))
    assert (state(notebook), folders(notebook)) == (former, held)
    if isinstance(outcome, Undone):
        undone(notebook, Named(outcome.entry_uid))
        assert (state(notebook), folders(notebook)) == (latest, latest_held)


@settings(max_examples=count(10, 300))
@given(chosen=steps(fact_actions, tidy_actions))
def test_changes_of_facts_undone_one_by_one_leave_nothing(
    notebook: Notebook, chosen: "list[Action | Undoing]"
) -> None:
    emptied(notebook)
    nothing = state(notebook)
    for step in chosen:
        tried(notebook, step)
    while not isinstance(outcome := undo(notebook, Latest()), Refused):
        assert len(outcome.entries) == 1
    assert outcome.error == "There is no change to undo."
    assert state(notebook) == nothing


@settings(max_examples=count(10, 300))
@given(chosen=steps(fact_actions, note_actions, task_actions, skill_actions, tidy_actions))
def test_what_is_read_of_later_changes_decides_as_all_of_them_would(
    notebook: Notebook, chosen: "list[Action | Undoing]"
) -> None:
    emptied(notebook)
    for step in chosen:
        tried(notebook, step)
    every = log(notebook)
    for size in (1, 2, 5):
        for start in range(len(every)):
            group = every[start : start + size]
            with notebook.store.read() as connection:
                read = later(connection, group)
            since = [entry for entry in every if entry.id >= group[-1].id]
            assert {entry.uid for entry in read} <= {entry.uid for entry in since}
            assert decided(group, read) == decided(group, since)


def decided(chosen: list[Entry], newest_first: list[Entry]) -> tuple[list[str], list[Entry] | Refused]:
    """Return which of some changes stand, and whether they can go."""
    stand = [entry.uid for entry, stands in standing(newest_first) if stands and entry in chosen]
    return stand, unless_built_on(chosen, newest_first)


def test_what_was_replaced_counts_again_when_its_replacement_is_undone(notebook: Notebook) -> None:
    said("I live in Lyon.", 1)(notebook)
    before = state(notebook)
    said("I moved to Oslo.", 5)(notebook)
    superseded, learned = log(notebook)[:2]
    assert (superseded.kind, learned.kind) == ("fact.superseded", "fact.learned")
    for entry in (superseded, learned):
        outcome = undone(notebook, Named(entry.uid))
        assert [one.uid for one in outcome.entries] == [learned.uid], "replacing is one change"
        assert state(notebook) == before
        undone(notebook, Named(outcome.entry_uid))
    assert [fact.text for fact in verbs.recent(notebook.store, 9)] == ["User lives in Oslo"]


def test_what_a_later_change_builds_on_is_refused_and_the_change_named(notebook: Notebook) -> None:
    verbs.add(notebook.store, "Atlas runs on Docker")
    (added,) = log(notebook)
    edit(notebook.store, "1", "Atlas runs on Podman")
    (edited, _) = log(notebook)
    error = refused(notebook, Named(added.uid))
    assert error == (
        "It cannot be undone: fact:001 was added."
        " A later change builds on it: fact:001 was edited: fact:002 stands in its place."
        f" Undo that first: hermes memory undo {edited.uid}"
    )
    undone(notebook, Named(edited.uid))
    undone(notebook, Named(added.uid))
    assert state(notebook).facts == []


def test_a_fact_that_another_contradicts_stays_until_the_contradiction_goes(notebook: Notebook) -> None:
    said("I live in Lyon.", 1)(notebook)
    (learned,) = log(notebook)
    pin(notebook.store, "1")
    said("I moved to Oslo.", 5)(notebook)
    pinned = log(notebook)[1]
    assert len(conflicts(notebook.store, 9)) == 1
    undone(notebook, Named(pinned.uid))
    assert "fact:002 was learned: “User lives in Oslo”." in refused(notebook, Named(learned.uid))
    undone(notebook, Latest())
    assert conflicts(notebook.store, 9) == []
    undone(notebook, Named(learned.uid))


def test_what_came_and_went_with_others_is_not_in_the_way(notebook: Notebook) -> None:
    said("I live in Lyon.", 1)(notebook)
    (learned,) = log(notebook)
    moment = clock.now()
    pin(notebook.store, "1")
    verbs.add(notebook.store, "The boat is blue")
    undone(notebook, Since(moment))
    undone(notebook, Named(learned.uid))


def test_independent_changes_are_undone_in_any_order(notebook: Notebook) -> None:
    verbs.add(notebook.store, "Atlas runs on Docker")
    verbs.add(notebook.store, "Deploys run on Fridays")
    pin(notebook.store, "1")
    verbs.add(notebook.store, "Atlas runs on Docker")
    said_again, pinned, second, _ = log(notebook)
    for entry in (pinned, second, said_again):
        undone(notebook, Named(str(entry.id)))
    (left,) = verbs.recent(notebook.store, 9)
    assert (left.name, left.is_pinned, left.corroborations) == ("fact:001", False, 0)


def test_a_change_is_undone_once_and_only_a_change_is(notebook: Notebook) -> None:
    verbs.add(notebook.store, "Atlas runs on Docker")
    (added,) = log(notebook)
    undone(notebook, Named(added.uid[:20]))
    assert refused(notebook, Named(added.uid)) == "That change is undone already: fact:001 was added."
    with notebook.store.write() as connection:
        other = journal.write(connection, NewEntry("job.failed", "job:1", "Job 1 failed."))
    assert refused(notebook, Named(other)) == "That is nothing to undo: Job 1 failed."
    for wrong in ("", "entry:", "entry:999", "999", "abc", "%", "zzzzzzzz", "9" * 40):
        assert "hermes memory log" in refused(notebook, Named(wrong))


def test_a_fact_whose_undo_is_undone_is_embedded_again(notebook: Notebook) -> None:
    verbs.add(notebook.store, "Atlas runs on Docker")
    outcome = undone(notebook, Latest())
    with notebook.store.write() as connection:
        job = jobs.claim(connection, "me", 60)
        assert job is not None and job.kind == "embed"
        jobs.finish(connection, job, "done")
        assert not jobs.has_due(connection)
    undone(notebook, Named(outcome.entry_uid))
    with notebook.store.read() as connection:
        assert jobs.has_due(connection)
