"""What the owner changes about facts, on both engines: edit, pin, expire, delete, and what is asked then."""

import pytest

from hermes_agent import clock
from hermes_agent.errors import UsageError
from hermes_agent.memory import facts as verbs
from hermes_agent.memory.fact_changes import edit, expire, pin
from hermes_agent.memory.fact_history import conflicts, history
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage
from hermes_agent.records.memory import Fact, NewFact
from hermes_agent.store import facts, jobs, journal
from hermes_agent.store.store import Store
from tests.learning import learn
from tests.recall.conversations import DAY, FIRST_DAY, talk
from tests.store.named import of_item


def said(memory: Memory, session: str, text: str, day: int) -> None:
    """Let somebody say something on a day, and learn from it."""
    talk(memory, session, text, day=day)
    learn(memory.store, session)


def texts(
    store: Store,
    *,
    with_ended: bool = False,
    about: str | None = None,
    as_of: int | None = None,
    believed: int | None = None,
) -> list[str]:
    found = verbs.recent(store, 50, with_ended=with_ended, about=about, as_of=as_of, believed=believed)
    return [fact.text for fact in reversed(found)]


def one(store: Store, typed: str) -> Fact:
    return verbs.get(store, typed)


def test_an_edit_puts_the_owners_sentence_in_the_facts_place(memory: Memory) -> None:
    store = memory.store
    said(memory, "a", "I live in Lyon.", day=1)
    pin(store, "1")
    made = edit(store, "fact:001", "  User lives in\nOslo ", cause="test").fact
    old = one(store, "1")
    assert (made.name, made.text, made.state, made.is_pinned) == (
        "fact:002",
        "User lives in Oslo",
        "current",
        True,
    )
    assert (made.subject, made.attribute, made.value, made.polarity) == ("user", "home", "Oslo", "is")
    assert (made.confidence, made.confidence_reason, made.trust) == (1.0, "corrected by the owner", "owner")
    assert (old.superseded_by, made.valid_from, made.source_message) == (made.uid, old.said_at, None)
    assert (old.state, old.ended_at, old.valid_to) == ("superseded", made.learned_at, None)
    assert texts(store) == ["User lives in Oslo"]
    with store.read() as connection:
        entry = journal.recent(connection, 1, kind="fact.edited")[0]
        assert "oslo" in {thing.key for thing in of_item(connection, "fact", made.id)}
        assert [job.key for job in jobs.recent(connection, 5, kind="embed")] == ["embed"]
    assert (entry.uid, entry.subject, entry.cause) == (made.source_entry, "fact:001", "test")
    assert isinstance(entry.before, dict) and isinstance(entry.after, dict)
    assert (entry.before["text"], entry.after["text"]) == ("User lives in Lyon", "User lives in Oslo")
    assert entry.after["fact"] == "fact:002"


def test_an_edit_that_speaks_of_something_else_has_no_slot(memory: Memory) -> None:
    said(memory, "a", "I live in Lyon.", day=1)
    made = edit(memory.store, "1", "Lyon is where the fair was").fact
    assert (made.subject, made.attribute, made.value) == (None, None, None)


def test_what_is_said_later_replaces_an_edited_fact_and_what_was_said_earlier_does_not(memory: Memory) -> None:
    said(memory, "a", "I live in Lyon.", day=1)
    edit(memory.store, "1", "User lives in Oslo")
    said(memory, "b", "I live in Lyon.", day=5)
    assert texts(memory.store) == ["User lives in Oslo"]
    memory.append("b", NewMessage("user", "I moved to Bern.", said_at=clock.now()))
    learn(memory.store, "b")
    assert texts(memory.store) == ["User lives in Bern"]


@pytest.mark.parametrize("new", ["User likes coffee", "Tea is for the guests"])
def test_what_an_edit_took_away_is_not_learned_again_from_older_messages(memory: Memory, new: str) -> None:
    said(memory, "a", "I like tea.", day=1)
    edit(memory.store, "1", new)
    said(memory, "b", "I like tea.", day=5)
    assert texts(memory.store) == [new]


def test_an_edit_that_says_nothing_new_is_refused(store: Store) -> None:
    verbs.add(store, "Deploys run on Fridays")
    verbs.add(store, "Atlas runs on docker")
    with pytest.raises(UsageError, match="fact:002 says so already"):
        edit(store, "2", "Atlas runs on docker")
    with pytest.raises(UsageError, match="fact:001 says so already") as refused:
        edit(store, "2", "deploys run on fridays")
    assert refused.value.hint == "Delete the wrong one: hermes memory fact delete fact:002"
    assert edit(store, "2", "Atlas runs on Docker").fact.text == "Atlas runs on Docker"


def test_a_secret_is_taken_out_of_an_edit(memory: Memory) -> None:
    said(memory, "a", "My door code is blue.", day=1)
    outcome = edit(memory.store, "1", "User's door code is sk-ant-api03-" + "Ab3dEf6hIj9k" * 7 + "-AAAAAAAA")
    assert outcome.redacted and "Ab3dEf6hIj9k" not in outcome.fact.text
    assert outcome.fact.value is None


def test_what_ended_is_not_changed_any_more(store: Store) -> None:
    verbs.add(store, "Atlas runs on docker")
    verbs.delete(store, "1")
    for change in (lambda: edit(store, "1", "x y"), lambda: pin(store, "1"), lambda: expire(store, "1", 1)):
        with pytest.raises(UsageError, match="fact:001 is not held to be true any more"):
            change()


def test_a_deleted_fact_comes_back_only_by_what_is_said_after(memory: Memory) -> None:
    said(memory, "a", "I live in Lyon.", day=1)
    verbs.delete(memory.store, "1")
    with memory.store.write() as connection:
        connection.exec_driver_sql("UPDATE sessions SET learned_to = 0")
    learn(memory.store, "a")
    said(memory, "b", "I live in lyon, as you know.", day=9)
    assert texts(memory.store) == []
    memory.append("b", NewMessage("user", "I live in Lyon.", said_at=clock.now()))
    learn(memory.store, "b")
    assert texts(memory.store) == ["User lives in Lyon"]


def test_a_fact_added_and_deleted_by_hand_is_not_learned_from_what_was_said_before(memory: Memory) -> None:
    verbs.add(memory.store, "User lives in Lyon")
    verbs.delete(memory.store, "1")
    said(memory, "a", "I live in Lyon. I speak French.", day=1)
    assert texts(memory.store) == ["User speaks French"]


def test_what_contradicts_a_pinned_fact_is_listed_until_one_of_them_goes(memory: Memory) -> None:
    store = memory.store
    said(memory, "a", "I live in Lyon.", day=1)
    assert pin(store, "1").is_pinned and pin(store, "1").is_pinned
    said(memory, "b", "I moved to Oslo.", day=5)
    (conflict,) = conflicts(store, 9)
    assert (conflict.rival.name, conflict.fact.name) == ("fact:001", "fact:002")
    assert "pinned" in conflict.reason
    edit(store, "1", "User lived in Lyon as a child")
    assert conflicts(store, 9) == []
    with store.read() as connection:
        kinds = [entry.kind for entry in journal.recent(connection, 9, subject="fact:001")]
    assert kinds == ["fact.edited", "fact.pinned", "fact.learned"], "pinned twice is pinned once"


def test_an_unpinned_fact_is_replaced_again(memory: Memory) -> None:
    said(memory, "a", "I live in Lyon.", day=1)
    pin(memory.store, "1")
    assert not pin(memory.store, "1", is_pinned=False).is_pinned
    said(memory, "b", "I moved to Oslo.", day=5)
    assert texts(memory.store) == ["User lives in Oslo"]


def test_a_day_to_come_leaves_a_fact_held_until_then(memory: Memory) -> None:
    store = memory.store
    said(memory, "a", "I live in Lyon.", day=1)
    end = clock.now() + 10 * DAY
    left = expire(store, "1", end)
    assert (left.state, left.valid_to, left.ended_at) == ("current", end, None)
    assert texts(store) == ["User lives in Lyon"]
    assert texts(store, as_of=end - 1) == ["User lives in Lyon"]
    assert texts(store, as_of=end) == []
    said(memory, "b", "I moved to Oslo.", day=5)
    assert one(store, "1").valid_to == FIRST_DAY + 5 * DAY + 1_000_000, "what ends it first counts"


def test_a_day_that_is_past_ends_a_fact_now(memory: Memory) -> None:
    store = memory.store
    said(memory, "a", "I live in Lyon.", day=1)
    end = FIRST_DAY + 3 * DAY
    gone = expire(store, "1", end)
    assert (gone.state, gone.valid_to, gone.ended_at is None) == ("superseded", end, False)
    assert texts(store) == []
    assert texts(store, as_of=end - 1) == ["User lives in Lyon"]
    said(memory, "b", "I live in Lyon.", day=2)
    assert texts(store) == [], "what was said before it ended does not bring it back"
    said(memory, "c", "I live in Lyon.", day=5)
    assert texts(store) == ["User lives in Lyon"]


def test_a_fact_whose_last_day_is_past_is_not_held_any_more(memory: Memory) -> None:
    store = memory.store
    verbs.add(store, "The harbour fair is in Porto")
    with store.write() as connection:
        facts.set_valid_to(connection, 1, clock.now() - 1)
        assert facts.count(connection) == 0
    assert texts(store) == [] and texts(store, with_ended=True) == ["The harbour fair is in Porto"]
    assert "harbour fair" not in memory.recall("When is the harbour fair in Porto?").text
    assert expire(store, "1", None).valid_to is None
    assert texts(store) == ["The harbour fair is in Porto"]
    assert "harbour fair" in memory.recall("When is the harbour fair in Porto?").text


def test_a_fact_cannot_end_before_it_began(store: Store) -> None:
    with store.write() as connection:
        new = NewFact("User lives in Lyon", "user", 0.9, "said", said_at=20, valid_from=10)
        facts.add(connection, store.engine, new)
    with pytest.raises(UsageError, match="is true only from"):
        expire(store, "1", 10)


def test_the_history_of_a_fact_is_the_same_from_either_end(memory: Memory) -> None:
    store = memory.store
    said(memory, "a", "I live in Lyon.", day=1)
    said(memory, "b", "I moved to Oslo.", day=5)
    edit(store, "2", "User lives in Oslo, near the fjord")
    verbs.add(store, "Atlas runs on docker")
    told = [
        [(chapter.fact.name, [entry.kind for entry in chapter.entries]) for chapter in history(store, typed)]
        for typed in ("1", "2", "3")
    ]
    assert told[0] == told[1] == told[2]
    assert told[0] == [
        ("fact:001", ["fact.learned", "fact.superseded"]),
        ("fact:002", ["fact.learned", "fact.edited"]),
        ("fact:003", ["fact.edited"]),
    ]
    assert [chapter.fact.name for chapter in history(store, "4")] == ["fact:004"]


def test_what_was_true_and_what_was_believed_are_two_questions(memory: Memory) -> None:
    store = memory.store
    # Lived in Lyon from day 2 and in Oslo from day 20, which was learned on days 30 and 31; the rest was wrong.
    with store.write() as connection:
        for text, begun, learned in (("Lyon", 2, 30), ("Oslo", 20, 31), ("Mars", 3, 32), ("Pisa", 4, 33)):
            new = NewFact(text, "user", 0.9, "said", said_at=begun, learned_at=learned)
            facts.add(connection, store.engine, new)
        facts.end(connection, 1, "superseded", 31, valid_to=20)
        facts.end(connection, 3, "retracted", 40)
        facts.end(connection, 4, "superseded", 41)
    assert {moment: texts(store, as_of=moment) for moment in (1, 2, 19, 20, 99)} == {
        1: [],
        2: ["Lyon"],
        19: ["Lyon"],
        20: ["Oslo"],
        99: ["Oslo"],
    }, "what was deleted or corrected was never true"
    assert {moment: texts(store, believed=moment) for moment in (20, 30, 31, 33, 40, 41)} == {
        20: [],
        30: ["Lyon"],
        31: ["Oslo"],
        33: ["Oslo", "Mars", "Pisa"],
        40: ["Oslo", "Pisa"],
        41: ["Oslo"],
    }
    assert texts(store, as_of=25, believed=30) == ["Lyon"], "nobody knew of the move yet"
    assert texts(store, as_of=10, believed=33) == ["Mars", "Pisa"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("me", ["User speaks French"]),
        ("us", ["User's team uses Rust"]),
        ("Ana", ["User's sister Ana lives in Rome", "Ana sings in Atlas"]),
        ("my sister", ["User's sister Ana lives in Rome", "User's sister sings"]),
        ("atlas", ["Ana sings in Atlas"]),
        ("Bob", []),
    ],
)
def test_facts_are_listed_by_whom_or_what_they_are_about(store: Store, name: str, found: list[str]) -> None:
    with store.write() as connection:
        for subject, text in (
            ("user", "User speaks French"),
            ("we", "User's team uses Rust"),
            ("sister Ana", "User's sister Ana lives in Rome"),
            ("sister", "User's sister sings"),
        ):
            new = NewFact(text, "user", 0.9, "said", said_at=1, subject=subject)
            facts.add(connection, store.engine, new)
    verbs.add(store, "Ana sings in Atlas")
    assert texts(store, about=name) == found
