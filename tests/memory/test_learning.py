"""What is learned of a session, on both engines: facts with their source, once, and never half."""

from datetime import UTC

import pytest

from hermes_agent.errors import UsageError
from hermes_agent.jobs import learning as job
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory.fact_splitting import split
from hermes_agent.memory.learning import JOB
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import facts, journal, messages
from tests.learning import learn
from tests.memory.held import held, texts
from tests.recall.conversations import DAY, FIRST_DAY, put, talk


def test_a_fact_names_its_message_and_the_words_that_say_it(memory: Memory) -> None:
    ids = talk(memory, "a", "Morning! My name is Ada, by the way.", "Hello Ada.", day=1)
    learn(memory.store, "a")
    (fact,) = held(memory)
    with memory.store.read() as connection:
        message = messages.get(connection, ids[0])
        entries = journal.recent(connection, 9, kind="fact")
    assert message is not None and message.content is not None
    assert (fact.text, fact.subject, fact.attribute, fact.value) == ("User's name is Ada", "user", "name", "Ada")
    assert (fact.source_message, fact.source_class, fact.said_at) == (message.uid, "user", message.said_at)
    assert "My name is Ada" in message.content[fact.span_start : fact.span_end]
    (entry,) = entries
    assert (entry.kind, entry.subject, entry.session_id) == ("fact.learned", "fact:001", "a")


def test_nothing_is_learned_twice_and_what_comes_later_is_learned_too(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.", "Noted.")
    for _ in range(2):
        learn(memory.store, "a")
    assert [fact.corroborations for fact in held(memory)] == [0]
    memory.append("a", NewMessage("user", "No, I meant Oslo.", said_at=FIRST_DAY + DAY))
    learn(memory.store, "a")
    assert texts(memory) == ["User lives in Oslo"]


def test_somebody_is_one_person_by_whatever_name(memory: Memory) -> None:
    talk(memory, "a", "My daughter Ida lives in Oslo. Tomas Berg likes tea.", day=1)
    talk(memory, "b", "Ida moved to Bergen. Tomas lives in Lyon.", day=5)
    for session in "ab":
        learn(memory.store, session)
    assert {(fact.subject, fact.value) for fact in held(memory)} == {
        ("daughter Ida", "Bergen"),
        ("Tomas Berg", "tea"),
        ("Tomas Berg", "Lyon"),
    }


def test_a_name_that_may_mean_two_people_stays_as_it_was_said(memory: Memory) -> None:
    talk(memory, "a", "Tomas Berg likes tea. Tomas Holm likes coffee.", day=1)
    talk(memory, "b", "Tomas lives in Lyon.", day=5)
    for session in "ab":
        learn(memory.store, session)
    assert {fact.subject for fact in held(memory)} == {"Tomas Berg", "Tomas Holm", "Tomas"}


def test_a_plan_that_was_dropped_is_over(memory: Memory) -> None:
    talk(memory, "a", "We plan to move Harbor to Kubernetes in April.", day=1)
    talk(memory, "b", "We dropped the Kubernetes plan for Harbor. We dropped the idea of a party.", day=5)
    learn(memory.store, "a")
    (plan,) = held(memory)
    learn(memory.store, "b")
    assert (plan.attribute, held(memory)) == ("plan", [])
    (ended,) = held(memory, with_ended=True)
    assert (ended.state, ended.superseded_by) == ("superseded", None)


def test_what_was_taken_back_is_not_held_to_be_true(memory: Memory) -> None:
    talk(memory, "a", "I like tea.", "I see.", "I live in Lyon.", day=1)
    learn(memory.store, "a")
    with memory.store.read() as connection:
        last = [one for one in messages.of_session(connection, "a") if one.role == "user"][-1]
    memory.rewind("a", last.id)
    assert texts(memory) == ["User likes tea"]
    assert [fact.state for fact in held(memory, with_ended=True)] == ["current", "retracted"]


def test_a_wrong_merge_is_taken_apart(memory: Memory) -> None:
    talk(memory, "a", "Ana likes tea.", day=1)
    talk(memory, "b", "Ana likes tea.", day=5)
    for session in "ab":
        learn(memory.store, session)
    assert [fact.corroborations for fact in held(memory)] == [1]
    made = split(memory.store, "1")
    first, second = held(memory)
    assert (first.corroborations, second.id, second.text) == (0, made.id, "Ana likes tea")
    assert (second.said_at - first.said_at) // DAY == 4
    with pytest.raises(UsageError, match="Nothing else was taken for fact:001"):
        split(memory.store, "1")


def test_what_was_replaced_keeps_its_time(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.", day=1)
    talk(memory, "b", "I moved to Oslo.", day=5)
    for session in "ab":
        learn(memory.store, session)
    old, new = held(memory, with_ended=True)
    assert (old.text, old.state, old.valid_to) == ("User lives in Lyon", "superseded", new.said_at)
    assert (new.text, new.state, old.superseded_by) == ("User lives in Oslo", "current", new.uid)


def test_a_fact_is_true_since_the_day_the_words_name(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.", day=1)
    talk(memory, "b", "I moved to Oslo two days ago.", day=5)
    for session in "ab":
        learn(memory.store, session, zone=UTC)
    old, new = held(memory, with_ended=True)
    assert old.valid_to == new.valid_from == FIRST_DAY + 3 * DAY


def test_what_is_so_only_from_a_day_to_come_leaves_the_former_fact_until_then(memory: Memory) -> None:
    session = memory.begin(NewSession())
    memory.append(session, NewMessage("user", "I work at Siemens."))
    memory.append(session, NewMessage("user", "I'm working at Bosch from 1 June 2090."))
    learn(memory.store, session, zone=UTC)
    now, then = held(memory)
    assert (now.text, then.text) == ("User works at Siemens", "User works at Bosch")
    assert (now.state, now.ended_at, now.superseded_by) == ("current", None, then.uid)
    assert now.valid_to == then.valid_from


def test_what_comes_between_two_facts_later_ends_the_first(memory: Memory) -> None:
    for session, town, day in (("a", "Lyon", 1), ("c", "Oslo", 5), ("b", "Bern", 3)):
        talk(memory, session, f"I live in {town}.", day=day)
        learn(memory.store, session)
    every = {fact.value: fact for fact in held(memory, with_ended=True)}
    assert [fact.value for fact in held(memory)] == ["Oslo"]
    assert every["Lyon"].valid_to == every["Bern"].said_at
    assert every["Bern"].valid_to == every["Oslo"].said_at
    assert every["Lyon"].superseded_by == every["Bern"].uid


def test_the_order_in_which_sessions_are_learned_does_not_matter(memory: Memory) -> None:
    talk(memory, "late", "I live in Oslo.", day=5)
    talk(memory, "early", "I live in Lyon.", day=1)
    for session in ("late", "early"):
        learn(memory.store, session)
    assert texts(memory) == ["User lives in Oslo"]


def test_what_was_taken_back_and_what_was_answered_is_not_learned(memory: Memory) -> None:
    ids = talk(memory, "a", "I live in Lyon.", "I live in a computer.", "I speak French.", "My name is Hermes.")
    put(memory, ids[2:], "rewound")
    learn(memory.store, "a")
    assert texts(memory) == ["User lives in Lyon"]


def test_a_contradiction_with_what_is_pinned_is_kept_and_listed(memory: Memory) -> None:
    talk(memory, "a", "I live in Lyon.", day=1)
    learn(memory.store, "a")
    (home,) = held(memory)
    with memory.store.write() as connection:
        facts.pin(connection, home.id, is_pinned=True)
    talk(memory, "b", "I moved to Oslo.", day=5)
    learn(memory.store, "b")
    assert texts(memory) == ["User lives in Lyon", "User lives in Oslo"]
    with memory.store.write() as connection:
        (dispute,) = facts.open_disputes(connection, 9)
        assert (dispute.rival_id, "pinned" in dispute.reason) == (home.id, True)
        facts.end(connection, home.id, "retracted", FIRST_DAY)
        assert facts.open_disputes(connection, 9) == []


def test_the_job_learns_from_sessions_that_are_over_or_idle(memory: Memory) -> None:
    talk(memory, "ended", "My name is Ada.", day=1, ended="user_exit")
    talk(memory, "idle", "I live in Lyon.", day=1)
    talk(memory, "agents", "I live in Oslo.", day=1, source="subagent")
    job.enqueue_due(memory)
    job.enqueue_due(memory)
    outcomes = list(run_due(memory.store, {JOB: lambda _: job.run(memory)}, slice_seconds=60))
    assert [outcome.ending for outcome in outcomes] == ["done"]
    assert texts(memory) == ["User's name is Ada", "User lives in Lyon"]
    job.enqueue_due(memory)
    assert not list(run_due(memory.store, {JOB: lambda _: job.run(memory)}, slice_seconds=60))


def test_a_session_whose_last_words_were_taken_back_is_done_with(memory: Memory) -> None:
    ids = talk(memory, "a", "I live in Lyon.", "Noted.", "I live in Oslo.", day=1, ended="user_exit")
    put(memory, ids[2:], "rewound")
    job.enqueue_due(memory)
    assert [one.ending for one in run_due(memory.store, {JOB: lambda _: job.run(memory)}, slice_seconds=60)] == [
        "done"
    ]
    assert texts(memory) == ["User lives in Lyon"]


def test_a_conversation_that_goes_on_is_left_until_it_rests(memory: Memory) -> None:
    session = memory.begin(NewSession())
    memory.append(session, NewMessage("user", "I live in Lyon."))
    job.enqueue_due(memory)
    assert not list(run_due(memory.store, {JOB: lambda _: job.run(memory)}, slice_seconds=60))


def test_a_session_that_cannot_be_read_keeps_no_other_from_being_learned_from(memory: Memory) -> None:
    for session, said in (("a", "I live in Lyon."), ("b", "I like tea.")):
        talk(memory, session, said, "Noted.")
        memory.end(session, "done")
    with memory.store.write() as connection:
        connection.exec_driver_sql("UPDATE messages SET metadata = '{broken' WHERE session_id = 'a'")
    job.enqueue_due(memory)
    (outcome,) = run_due(memory.store, {JOB: lambda _: job.run(memory)})
    assert outcome.reason is not None
    assert texts(memory) == ["User likes tea"]
