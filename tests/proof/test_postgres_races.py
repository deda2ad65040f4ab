"""What two transactions on one PostgreSQL server do to each other, step by step instead of by chance.

SQLite lets one transaction write at a time; PostgreSQL lets both look first and write then.
"""

import threading
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import Connection, text

from hermes_agent.errors import HermesError, UsageError
from hermes_agent.ids import new_uid
from hermes_agent.memory.memory import Memory
from hermes_agent.recall.looking import Request
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import jobs, messages, meta, removing, sessions
from hermes_agent.store.postgres import schema_name
from hermes_agent.store.store import Store
from tests.postgres import server_address
from tests.proof.ledger import wrong_counts
from tests.proof.places import open_at

Change = Callable[[Connection], object]
_WAITING = text("SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND wait_event_type = 'Lock'")


@pytest.fixture
def store() -> Iterator[Store]:
    store = open_at(f"{server_address()}#{schema_name(new_uid())}")
    with store.write() as connection:
        for name in ("a", "b"):
            sessions.create(connection, NewSession(id=name))
    yield store
    store.close()


def overlap(store: Store, first: Change, second: Change) -> HermesError | None:
    """Make two changes so that neither has seen the other's when it begins; return how the second failed."""
    failures: list[HermesError] = []

    def change() -> None:
        try:
            with store.write() as connection:
                second(connection)
        except HermesError as error:
            failures.append(error)

    thread = threading.Thread(target=change)
    with store.write() as connection:
        first(connection)
        thread.start()
        while thread.is_alive():
            with store.read() as watching:
                if watching.execute(_WAITING).scalar_one():
                    break
    thread.join()
    return failures[0] if failures else None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            lambda connection: sessions.create(connection, NewSession(id="same")),
            lambda connection: sessions.create(connection, NewSession(id="same")),
        ),
        (
            lambda connection: sessions.create(connection, NewSession(id="x", system_prompt="same")),
            lambda connection: sessions.create(connection, NewSession(id="y", system_prompt="same")),
        ),
        (
            lambda connection: jobs.add(connection, "upkeep", "same"),
            lambda connection: jobs.add(connection, "upkeep", "same"),
        ),
        (
            lambda connection: meta.put(connection, "key", "1"),
            lambda connection: meta.put(connection, "key", "2"),
        ),
    ],
    ids=["session", "prompt", "job", "meta"],
)
def test_the_same_thing_made_twice_at_once_is_made_once(store: Store, first: Change, second: Change) -> None:
    assert overlap(store, first, second) is None


def test_a_title_given_twice_at_once_is_refused_in_words(store: Store) -> None:
    failure = overlap(
        store,
        lambda connection: sessions.rename(connection, "a", "Plan"),
        lambda connection: sessions.rename(connection, "b", "Plan"),
    )
    assert isinstance(failure, UsageError)


def test_counts_stay_true_when_two_append_to_one_session(store: Store) -> None:
    def say(connection: Connection) -> object:
        return messages.append(connection, store.engine, "a", [NewMessage("user", "hello")])

    assert overlap(store, say, say) is None
    with store.read() as connection:
        assert sessions.require(connection, "a").message_count == 2


def test_counts_stay_true_when_one_rewinds_while_another_appends(store: Store) -> None:
    (taken_back,) = Memory(store, "default").append("a", NewMessage("user", "taken back"))
    failure = overlap(
        store,
        lambda connection: messages.append(connection, store.engine, "a", [NewMessage("user", "hello")]),
        lambda connection: messages.set_state(connection, store.engine, [taken_back], "rewound"),
    )
    assert failure is None
    assert wrong_counts(store) == []


def test_a_session_deleted_while_it_is_written_to_says_so(store: Store) -> None:
    failure = overlap(
        store,
        lambda connection: removing.remove(connection, store.engine, removing.going(connection, ["a"])),
        lambda connection: messages.append(connection, store.engine, "a", [NewMessage("user", "hello")]),
    )
    assert failure is not None
    with store.read() as connection:
        assert messages.count(connection) == 0


def test_a_reader_sees_one_moment(store: Store) -> None:
    memory = Memory(store, "default")
    with store.read() as connection:
        before = messages.count(connection)
        memory.append("a", NewMessage("user", "meanwhile"))
        assert messages.count(connection) == before


def test_search_survives_estimates_that_time_has_passed_by(store: Store) -> None:
    memory = Memory(store, "default")
    memory.append("a", *(NewMessage("user", f"common talk {n}") for n in range(60)))
    with store.bare() as connection:
        connection.execute(text("ANALYZE"))
    memory.append("b", *(NewMessage("user", f"common talk {n}") for n in range(600)))
    assert len(memory.discover(Request("common talk")).results) == 2
