"""What the journal keeps of what happened, on both engines: how it is found, and that it goes with its words."""

import pytest

from hermes_agent.errors import UsageError
from hermes_agent.memory import events
from hermes_agent.memory.events import Wanted, find
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.store import journal
from hermes_agent.store.store import Store
from tests.learning import learn
from tests.recall.conversations import DAY, FIRST_DAY, talk


def told(entries: list[Entry]) -> list[tuple[str, str, str | None]]:
    return [(entry.kind, entry.text, entry.cause) for entry in entries]


def write(store: Store, *entries: NewEntry) -> None:
    with store.write() as connection:
        for entry in entries:
            journal.write(connection, entry)


def test_decisions_and_outcomes_are_journalled_when_they_were_said(memory: Memory) -> None:
    talk(memory, "a", "We decided to use Postgres because SQLite locked up.", "Noted.", day=3)
    talk(memory, "b", "The deploy failed because the migration timed out.", "Oh.", "We fixed the deploy.", day=5)
    for session in "ba":
        learn(memory.store, session)
    found = find(memory.store, Wanted(), 9)
    assert told(found) == [
        ("result.reached", "“We fixed the deploy”", None),
        ("failure.met", "“The deploy failed”", "because the migration timed out"),
        ("decision.made", "“We decided to use Postgres”", "because SQLite locked up"),
    ]
    assert [entry.session_id for entry in found] == ["b", "b", "a"]
    assert [entry.when // DAY - FIRST_DAY // DAY for entry in found] == [5, 5, 3]
    assert all(entry.at > entry.when for entry in found)


def test_an_event_is_told_once_however_often_it_is_learned_or_said(memory: Memory) -> None:
    talk(memory, "a", "We decided to use Postgres.", "Noted.", "The deploy failed.", day=1)
    talk(memory, "b", "We decided to use Postgres.", day=2)
    for session in "aabb":
        learn(memory.store, session)
    assert told(find(memory.store, Wanted(), 9)) == [
        ("failure.met", "“The deploy failed”", None),
        ("decision.made", "“We decided to use Postgres”", None),
    ]


def test_a_decision_against_something_is_one_event(memory: Memory) -> None:
    talk(memory, "a", "We decided against Kafka because of the cost.")
    learn(memory.store, "a")
    ((kind, text, reason),) = told(find(memory.store, Wanted(), 9))
    assert (kind.split(".")[0], text, reason) == ("decision", "“We decided against Kafka”", "because of the cost")


def test_words_of_others_are_no_events(memory: Memory) -> None:
    talk(
        memory,
        "a",
        NewMessage("user", "The deploy failed. We decided to use Kafka.", source_class="web"),
        NewMessage("assistant", "The deploy failed. We decided to use Kafka."),
    )
    learn(memory.store, "a")
    assert find(memory.store, Wanted(), 9) == []


def test_events_are_found_by_time_kind_words_and_session(memory: Memory) -> None:
    write(
        memory.store,
        NewEntry("turn.answered", "a", "“Deploy it” was answered.", session_id="a", happened_at=FIRST_DAY),
        NewEntry("decision.made", "b", "“We chose Hetzner”", cause="because of the Größe", session_id="b"),
        NewEntry(
            "decision.dropped", "a", "“We dropped the Kafka plan”", session_id="a", happened_at=FIRST_DAY + DAY
        ),
        NewEntry("fact.added", "fact:001", "fact:001 was added."),
        NewEntry("decisions", "x", "Another kind, whose name only begins so."),
    )

    def subjects(wanted: Wanted, limit: int = 9) -> list[str]:
        return [entry.kind for entry in find(memory.store, wanted, limit)]

    assert subjects(Wanted()) == ["decision.made", "decision.dropped", "turn.answered"]
    assert subjects(Wanted(), 1) == ["decision.made"]
    assert len(subjects(Wanted(with_changes=True))) == 5
    assert subjects(Wanted(kind="decision")) == ["decision.made", "decision.dropped"]
    assert subjects(Wanted(kind="fact.added")) == ["fact.added"]
    assert subjects(Wanted(since=FIRST_DAY, until=FIRST_DAY + DAY)) == ["turn.answered"]
    assert subjects(Wanted(since=FIRST_DAY + 1, until=FIRST_DAY + 2 * DAY)) == ["decision.dropped"]
    assert subjects(Wanted(session_id="a")) == ["decision.dropped", "turn.answered"]
    assert subjects(Wanted(about="the plans for KAFKA")) == ["decision.dropped"]
    assert subjects(Wanted(about="grosse")) == subjects(Wanted(about="größe")) == ["decision.made"]
    assert subjects(Wanted(about="kafka hetzner")) == []
    many = " ".join(f"word{number}" for number in range(3_000))
    assert subjects(Wanted(about=f"kafka {many}")) == []
    assert subjects(Wanted(about="%")) == []
    with pytest.raises(UsageError, match="no kind 'deci%'"):
        subjects(Wanted(kind="deci%"))


def test_the_newest_of_very_many_are_found(memory: Memory) -> None:
    write(
        memory.store,
        NewEntry("remark.made", "s", "The needle", happened_at=FIRST_DAY),
        *(
            NewEntry("remark.made", "s", f"Straw {number}", happened_at=FIRST_DAY + number + 1)
            for number in range(999)
        ),
    )
    assert [entry.text for entry in find(memory.store, Wanted(), 2)] == ["Straw 998", "Straw 997"]
    assert [entry.text for entry in find(memory.store, Wanted(about="needle"), 5)] == ["The needle"]


def test_the_log_of_changes_has_no_events(memory: Memory) -> None:
    talk(memory, "a", "We decided to use Postgres.")
    learn(memory.store, "a")
    events.record(memory.store, "failure", "The build broke.", "It was started again.", "a")
    assert [entry.kind for entry in memory.log(9)] == ["fact.learned"]
    assert [entry.kind for entry in memory.log(9, kind="failure")] == ["failure.met"]


def test_events_go_with_their_session_and_the_sessions_it_delegated(memory: Memory) -> None:
    for session, parent in (("a", None), ("helper", "a"), ("b", None)):
        talk(memory, session, "We decided to use Postgres.", parent=parent, kind="delegation" if parent else None)
        events.record(memory.store, "remark", f"Words of {session}.", None, session)
    learn(memory.store, "a")
    memory.delete(["a"], cause="test")
    assert told(find(memory.store, Wanted(), 9)) == [("remark.made", "Words of b.", None)]
    assert "session.deleted" in [entry.kind for entry in memory.log(9)]


def test_what_was_taken_back_is_taken_back_from_the_journal_too(memory: Memory) -> None:
    ids = talk(memory, "a", "We decided to use Postgres.", "Noted.", "The deploy failed.", "Oh.")
    write(memory.store, NewEntry("tool.done", "shell", "Ran `make deploy`.", session_id="a"))
    learn(memory.store, "a")
    memory.rewind("a", ids[2])
    assert [entry.kind for entry in find(memory.store, Wanted(), 9)] == ["tool.done", "decision.made"]
