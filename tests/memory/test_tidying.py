"""Tidying, on both engines: what says the same becomes one, each change can be undone, nothing is done twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent import clock
from hermes_agent.cli.invocation import Invocation
from hermes_agent.config.load import Settings
from hermes_agent.config.paths import Home, ensure
from hermes_agent.jobs import tidying as job
from hermes_agent.jobs.tidying import Tidied
from hermes_agent.memory import facts as verbs
from hermes_agent.memory import reflections, skills, tidying
from hermes_agent.memory.fact_changes import pin
from hermes_agent.memory.forgotten import FORGOTTEN
from hermes_agent.memory.full_notes import FullNote
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.memory.undo_choice import Latest, Named, Wanted
from hermes_agent.memory.undoing import undo
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.recall.block import render
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.changes import Undone
from hermes_agent.records.notes import Operation, Refused
from hermes_agent.store import entities, entity_joins, facts, journal
from hermes_agent.store.store import Store
from hermes_agent.text.entity_keys import entity_key
from tests.learning import learn
from tests.memory.memory_states import state
from tests.memory.test_reflections import work
from tests.recall.conversations import DAY, FIRST_DAY


@pytest.fixture
def notebook(store: Store, own_home: Home) -> Iterator[Notebook]:
    ensure(own_home)
    yield Notebook(store, own_home, 2_000, 2_000)


@pytest.fixture
def settings(own_home: Home) -> Settings:
    return Invocation(None).settings


def tidied(notebook: Notebook, settings: Settings, *, is_dry: bool = False) -> Tidied:
    return finish(job.run(notebook, settings, is_dry=is_dry))


def undone(notebook: Notebook, wanted: Wanted) -> Undone:
    outcome = undo(notebook, wanted)
    assert isinstance(outcome, Undone), outcome
    return outcome


def kinds(store: Store) -> list[str]:
    """Return what the journal tells of tidying, the oldest first."""
    with store.read() as connection:
        return [entry.kind for entry in journal.recent(connection, 99) if entry.actor == tidying.ACTOR][::-1]


def added(store: Store, *sentences: str) -> None:
    for sentence in sentences:
        verbs.add(store, sentence)


def name(store: Store, *texts: str) -> None:
    """Say each of the texts in a session of its own, and make its episode."""
    memory = Memory(store, "default")
    for text in texts:
        session = memory.begin(NewSession())
        memory.append(session, NewMessage("user", text), NewMessage("assistant", "Yes."))
    finish(doctor.rebuild(store))


def found_by(store: Store, spelling: str) -> int:
    """Count the episodes that whoever asks for a thing by a spelling finds."""
    with store.read() as connection:
        ids = entities.resolve(connection, [entity_key(spelling)]).get(entity_key(spelling), ())
        return len(entities.items_of(connection, ids, "episode", 99))


SAME = ("The staging server runs Debian.", "Staging server runs debian")


def test_facts_that_say_the_same_become_one_and_keep_both_sources(notebook: Notebook, settings: Settings) -> None:
    store = notebook.store
    added(store, *SAME, "Deploys run on Fridays")
    before = state(notebook)
    (merge,) = tidied(notebook, settings).proposals.facts
    assert (merge.merged.name, merge.kept.name) == ("fact:002", "fact:001")
    kept, other = verbs.get(store, "1"), verbs.get(store, "2")
    assert (kept.state, kept.corroborations) == ("current", 1)
    assert (other.state, other.superseded_by, other.valid_to) == ("merged", kept.uid, None)
    assert verbs.source(store, other) is not None and verbs.source(store, kept) is not None
    assert [fact.name for fact in verbs.recent(store, 9)] == ["fact:003", "fact:001"]
    (told,) = verbs.sourced(store, [kept])
    assert [former.name for former in told.former] == ["fact:002"]
    assert kinds(store) == ["fact.merged"]
    outcome = undone(notebook, Latest())
    assert state(notebook) == before
    undone(notebook, Named(outcome.entry_uid))
    assert verbs.get(store, "2").state == "merged"


def test_the_second_run_does_nothing_and_neither_does_one_after_an_undo(
    notebook: Notebook, settings: Settings
) -> None:
    added(notebook.store, *SAME)
    assert len(tidied(notebook, settings, is_dry=True).proposals.changes) == 1
    assert kinds(notebook.store) == [], "a dry run only tells"
    assert len(tidied(notebook, settings).made) == 1
    assert tidied(notebook, settings).made == []
    undone(notebook, Latest())
    assert tidied(notebook, settings).made == [], "who undid it does not want it"
    assert kinds(notebook.store) == ["fact.merged"]


def test_a_merged_fact_is_part_of_no_past_but_of_what_was_believed(notebook: Notebook, settings: Settings) -> None:
    store = notebook.store
    added(store, *SAME)
    between = clock.now()
    tidied(notebook, settings)
    assert [fact.name for fact in verbs.recent(store, 9, as_of=clock.now())] == ["fact:001"]
    believed = verbs.recent(store, 9, as_of=clock.now(), believed=between)
    assert [fact.name for fact in believed] == ["fact:002", "fact:001"]
    hits = Memory(store, "default").recall("What did the staging server run before?")
    assert [item.where for item in hits.items if item.who == "fact"] in ([], ["fact:001"])


def test_a_message_of_a_merged_fact_is_marked_when_the_fact_is_deleted(
    notebook: Notebook, settings: Settings
) -> None:
    store, memory = notebook.store, Memory(notebook.store, "default")
    for day, said in enumerate(("My dog is called Rex.", "I live in Lyon.")):
        session = memory.begin(NewSession(started_at=FIRST_DAY + day * DAY))
        memory.append(session, NewMessage("user", said, said_at=FIRST_DAY + day * DAY))
        learn(store, session)
    (lyon,) = [fact for fact in verbs.recent(store, 9) if "Lyon" in fact.text]
    with store.write() as connection:
        facts.merge(connection, lyon, verbs.get(store, "1"), clock.now())
        message = lyon.source_message
    verbs.delete(store, "1")
    with store.read() as connection:
        marked = facts.taken_back(connection, [1, 2])
    assert message is not None and any("Lyon" in text for texts in marked.values() for text in texts)


def test_what_changed_since_it_was_proposed_is_left_alone(notebook: Notebook, tmp_path: Path) -> None:
    store = notebook.store
    added(store, *SAME)
    (change,) = tidying.propose(store, notebook, 90).changes
    pin(store, "2")
    assert not tidying.make(store, tmp_path, change)
    pin(store, "2", is_pinned=False)
    verbs.delete(store, "1")
    assert not tidying.make(store, tmp_path, change)
    assert kinds(store) == []


def test_reflections_that_say_the_same_are_counted_as_one(notebook: Notebook, settings: Settings) -> None:
    store, memory = notebook.store, Memory(notebook.store, "default")
    for place, request in enumerate(("Run the tests of the web app", "Run the test of the web app again")):
        work(memory, f"s{place}", request)
        reflections.reflect_on(store, f"s{place}")
    assert len(reflections.recent(store, 9)) == 2
    before = state(notebook)
    assert len(tidied(notebook, settings).made) == 1
    (left,) = reflections.recent(store, 9)
    assert (left.name, left.occurrences) == ("reflection:002", 2)
    assert tidied(notebook, settings).made == []
    undone(notebook, Latest())
    assert state(notebook) == before
    assert tidied(notebook, settings).made == []


def merged_lessons(notebook: Notebook, settings: Settings) -> Memory:
    """Let two conversations teach the same, and tidy."""
    memory = Memory(notebook.store, "default")
    for place, request in enumerate(("Run the tests of the web app", "Run the test of the web app again")):
        work(memory, f"s{place}", request)
        reflections.reflect_on(notebook.store, f"s{place}")
    tidied(notebook, settings)
    return memory


def test_a_lesson_counts_again_when_the_one_it_was_merged_into_went_with_its_conversation(
    notebook: Notebook, settings: Settings
) -> None:
    store, memory = notebook.store, merged_lessons(notebook, settings)
    memory.delete(["s1"], "owner")
    (left,) = reflections.recent(store, 9)
    assert (left.name, left.occurrences) == ("reflection:001", 1)
    assert tidied(notebook, settings).made == []


def test_a_merged_lesson_counts_again_when_the_task_that_counted_for_it_went_otherwise_after_all(
    notebook: Notebook, settings: Settings
) -> None:
    store, memory = notebook.store, merged_lessons(notebook, settings)
    memory.append("s1", NewMessage("user", "no, that is wrong, use the tests of May"))
    reflections.reflect_on(store, "s1")
    tidied(notebook, settings)
    assert sorted((one.name, one.outcome) for one in reflections.recent(store, 9)) == [
        ("reflection:001", "done"),
        ("reflection:002", "failed"),
    ]
    assert kinds(store) == ["reflection.merged", "reflection.restored"]


def test_a_merged_reflection_counts_for_itself_when_its_task_went_otherwise_after_all(
    notebook: Notebook, settings: Settings
) -> None:
    store, memory = notebook.store, merged_lessons(notebook, settings)
    memory.append("s0", NewMessage("user", "no, that is wrong, use the tests of May"))
    reflections.reflect_on(store, "s0")
    assert sorted(one.outcome for one in reflections.recent(store, 9)) == ["done", "failed"]


SPOKEN = (
    "We use PostgreSQL here.",
    "PostgreSQL is fast.",
    "I like PostgreSQL.",
    "I think Post Greql is down again.",
)


def test_spellings_of_a_thing_are_joined_found_together_and_taken_apart(
    notebook: Notebook, settings: Settings
) -> None:
    store = notebook.store
    name(store, *SPOKEN)
    apart = found_by(store, "PostgreSQL"), found_by(store, "Post Greql")
    assert apart[0] >= 3 and apart[1] == 1
    (join,) = tidied(notebook, settings).proposals.things
    assert tidying.told(join) == "“Post Greql” is “PostgreSQL”"
    both = found_by(store, "PostgreSQL")
    assert both == apart[0] + 1 == found_by(store, "Post Greql")
    finish(doctor.rebuild(store))
    assert found_by(store, "Post Greql") == both, "what is derived is made again with it"
    assert tidied(notebook, settings).made == []
    outcome = undone(notebook, Latest())
    assert (found_by(store, "PostgreSQL"), found_by(store, "Post Greql")) == apart
    finish(doctor.rebuild(store))
    assert found_by(store, "Post Greql") == 1
    assert tidied(notebook, settings).made == []
    undone(notebook, Named(outcome.entry_uid))
    assert found_by(store, "Post Greql") == both


def test_what_one_text_names_beside_each_other_stays_two_things(notebook: Notebook, settings: Settings) -> None:
    name(notebook.store, *SPOKEN, "The PostgreSQL of the office, not Post Greql of the club, is slow.")
    assert tidied(notebook, settings).proposals.things == []


def test_a_join_is_forgotten_with_the_last_conversation_that_named_the_thing(
    notebook: Notebook, settings: Settings
) -> None:
    store, memory = notebook.store, Memory(notebook.store, "default")
    name(store, *SPOKEN)
    tidied(notebook, settings)
    with store.read() as connection:
        every = list(connection.exec_driver_sql("SELECT id FROM sessions").scalars())
    memory.delete(every, "owner")
    assert found_by(store, "PostgreSQL") == 0
    assert isinstance(undo(notebook, Latest()), Refused)
    with store.read() as connection:
        (told,) = journal.of_kinds(connection, ("thing.joined",))
        assert entity_joins.every(connection) == []
    assert (told.subject, told.text) == ("memory", FORGOTTEN)


def test_a_note_that_is_nearly_full_is_named_and_left_alone(notebook: Notebook, settings: Settings) -> None:
    notebook.change("memory", [Operation("add", "x" * 1_700)], actor="agent")
    text = notebook.text("memory")
    (full,) = tidied(notebook, settings).proposals.notes
    assert full == FullNote("memory", 1_700, 2_000)
    assert notebook.text("memory") == text


def test_stale_lessons_come_after_fresh_ones_until_they_are_brought_back(
    notebook: Notebook, settings: Settings
) -> None:
    store, memory = notebook.store, Memory(notebook.store, "default")
    asked = "Run the tests of the web app"
    for place, request in enumerate((asked, f"{asked} for the release branch")):
        work(memory, f"s{place}", request)
        reflections.reflect_on(store, f"s{place}")

    def order() -> list[str]:
        items = sorted(memory.recall(asked).hits, key=lambda hit: -hit.score)
        return [f"reflection:{hit.id:03}" for hit in items if hit.kind == "reflection"]

    assert order() == ["reflection:001", "reflection:002"]
    with store.write() as connection:
        connection.exec_driver_sql(f"UPDATE reflections SET ended_at = {clock.now() - 300 * DAY} WHERE id = 1")
    assert order() == ["reflection:002", "reflection:001"]
    assert tidied(notebook, settings).proposals.stale_reflections == 1
    session = memory.begin(NewSession())
    (message,) = memory.append(session, NewMessage("user", asked))
    memory.keep_sent(message, render(memory.recall(asked).items, asked))
    assert tidied(notebook, settings).proposals.stale_reflections == 0
    assert order() == ["reflection:001", "reflection:002"]


def test_a_stopped_run_leaves_whole_changes_and_the_next_one_does_the_rest(
    notebook: Notebook, settings: Settings
) -> None:
    store = notebook.store
    added(store, *SAME, "Atlas is written in Go", "atlas is written in Go.")
    steps = job.run(notebook, settings)
    assert [next(steps).done for _ in range(2)] == [0, 1]
    steps.close()
    assert kinds(store) == ["fact.merged"]
    assert len(tidied(notebook, settings).made) == 1
    assert tidied(notebook, settings).made == []


def document(name: str) -> str:
    return f"---\nname: {name}\ndescription: Do {name}.\n---\n\n# {name}\n\nRun it.\n"


def test_skills_that_nobody_uses_are_archived_unless_they_are_the_owners(
    notebook: Notebook, settings: Settings
) -> None:
    store, folder = notebook.store, notebook.home.skills
    for made, by in (("mine", "owner"), ("agents", "agent"), ("learned", "learning"), ("edited", "agent")):
        skills.create(store, folder, made, document(made), cause=Cause(by))  # type: ignore[arg-type]
    skills.patch(store, folder, "edited", "Run it.", "Run it twice.")
    assert tidied(notebook, settings).made == []
    with store.write() as connection:
        old = clock.now() - 91 * DAY
        connection.exec_driver_sql(f"UPDATE skills SET made_at = {old}, changed_at = {old}")
        connection.exec_driver_sql(f"UPDATE skills SET last_used_at = {clock.now() - DAY} WHERE skill = 'learned'")
    before = state(notebook)
    (archived,) = tidied(notebook, settings).made
    assert tidying.told(archived) == "agents, not used for 90 days"
    assert (folder / ".archive" / "agents" / "SKILL.md").exists()
    assert tidied(notebook, settings).made == []
    undone(notebook, Latest())
    skills.sync(store, folder)
    assert state(notebook) == before and (folder / "agents" / "SKILL.md").exists()
    assert tidied(notebook, settings).made == [], "who brought it back wants it"


def test_a_skill_behind_a_link_is_not_archived_and_keeps_no_other_from_it(
    notebook: Notebook, settings: Settings, tmp_path: Path
) -> None:
    store, folder = notebook.store, notebook.home.skills
    for name in ("linked", "old"):
        skills.create(store, folder, name, document(name), cause=Cause("agent"))
    (tmp_path / "checkout").mkdir()
    (folder / "linked").rename(tmp_path / "checkout" / "linked")
    (folder / "work").symlink_to(tmp_path / "checkout")
    with store.write() as connection:
        old = clock.now() - 91 * DAY
        connection.exec_driver_sql(f"UPDATE skills SET made_at = {old}, changed_at = {old}")
    (archived,) = tidied(notebook, settings).made
    assert tidying.told(archived) == "old, not used for 90 days"
    assert (tmp_path / "checkout" / "linked" / "SKILL.md").exists()
