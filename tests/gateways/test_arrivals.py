"""The inbox on either engine: kept once, taken in order, emptied of words."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from hermes_agent import clock
from hermes_agent.gateways.gateway import Place
from hermes_agent.gateways.intake import newest
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.arrivals import Chat, NewArrival
from hermes_agent.store import arrivals, chats, sole
from hermes_agent.store.store import Store
from tests.engines import ENGINES, opened

CHAT = Chat("agent:main:telegram:dm:7", "telegram", "7", "default", None, {"chat_id": "7"}, 1, None)


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from opened(request.param, tmp_path)


def update(number: int, text: str = "hello", chat: str = CHAT.chat_key) -> NewArrival:
    return NewArrival("telegram", str(number), chat, number, {"text": text}, message_key=f"m{number}")


def keep(store: Store, *new: NewArrival) -> list[str]:
    with store.write() as connection:
        return [one.update_key for one in arrivals.keep(connection, new)]


def take_all(store: Store, chat: str = CHAT.chat_key) -> list[str]:
    """Handle everything of a chat; return the order."""
    order = []
    with store.write() as connection:
        while (found := arrivals.next_of(connection, chat)) is not None:
            assert arrivals.begin(connection, found.id)
            arrivals.finish(connection, found.id)
            order.append(found.update_key)
    return order


def test_the_same_update_twice_is_one(store: Store) -> None:
    assert keep(store, update(1), update(2), update(1)) == ["1", "2"]
    assert keep(store, update(2), update(3)) == ["3"]
    assert take_all(store) == ["1", "2", "3"]
    assert keep(store, update(1)) == []


def test_what_came_out_of_order_is_taken_in_order_per_chat(store: Store) -> None:
    keep(store, update(30), update(10), update(25, chat="other"), update(20))
    with store.read() as connection:
        assert sorted(arrivals.open_chats(connection, "telegram")) == [CHAT.chat_key, "other"]
    assert take_all(store) == ["10", "20", "30"]
    assert take_all(store, "other") == ["25"]


def test_what_was_begun_goes_on_before_what_was_said_earlier_but_came_later(store: Store) -> None:
    keep(store, update(5))
    with store.write() as connection:
        first = arrivals.next_of(connection, CHAT.chat_key)
        assert first is not None and arrivals.begin(connection, first.id)
        assert not arrivals.begin(connection, first.id)
    keep(store, update(4))
    with store.read() as connection:
        found = arrivals.next_of(connection, CHAT.chat_key)
    assert found is not None and (found.update_key, found.state) == ("5", "begun")


def test_an_edit_replaces_what_was_not_begun(store: Store) -> None:
    keep(store, update(1, "hallo"))
    with store.write() as connection:
        found = arrivals.of_message(connection, CHAT.chat_key, "m1")
        assert found is not None and arrivals.set_payload(connection, found.id, {"text": "hello"})
        arrivals.begin(connection, found.id)
        assert not arrivals.set_payload(connection, found.id, {"text": "too late"})
        kept = arrivals.next_of(connection, CHAT.chat_key)
    assert kept is not None and kept.payload == {"text": "hello"}


def test_words_are_dropped_as_soon_as_others_have_them(store: Store) -> None:
    keep(store, update(1, "a secret plan"))
    with store.write() as connection:
        found = arrivals.next_of(connection, CHAT.chat_key)
        assert found is not None
        arrivals.begin(connection, found.id)
        arrivals.drop_payload(connection, found.id)
        arrivals.answer(connection, found.id, "an answer")
        arrivals.note_sent(connection, found.id, 1)
        answered = arrivals.next_of(connection, CHAT.chat_key)
        assert answered is not None
        assert (answered.payload, answered.reply, answered.parts_sent) == (None, "an answer", 1)
        assert arrivals.counts(connection) == {"telegram": {"answered": 1}}
        arrivals.finish(connection, found.id)
        over = arrivals.of_message(connection, CHAT.chat_key, "m1")
        assert arrivals.counts(connection) == {}
    assert over is not None and (over.state, over.payload, over.reply) == ("done", None, None)


def test_old_ones_are_swept_and_open_ones_stay(store: Store) -> None:
    keep(store, update(1), update(2))
    with store.write() as connection:
        found = arrivals.next_of(connection, CHAT.chat_key)
        assert found is not None
        arrivals.finish(connection, found.id)
        assert arrivals.sweep(connection, clock.now() + 1) == 1
    assert take_all(store) == ["2"]


def test_the_last_of_each_chat_stays_and_tells_how_far_it_was_heard(store: Store) -> None:
    other = replace(CHAT, chat_key="other", place={"chat_id": "8"})
    foreign = replace(CHAT, chat_key="foreign", platform="discord")
    keep(store, update(3), update(1), update(2), update(9, chat="other"), update(20, chat="foreign"))
    for chat in (CHAT, other, foreign):
        take_all(store, chat.chat_key)
    with store.write() as connection:
        for chat in (CHAT, other, foreign):
            chats.keep(connection, chat)
        assert arrivals.sweep(connection, clock.now() + 1) == 2
        found = arrivals.last_positions(connection, "telegram")
    assert sorted(newest(found).items(), key=lambda one: one[1]) == [(Place("7"), 3), (Place("8"), 9)]


def test_a_chat_is_known_by_its_key_and_goes_on_with_a_session(store: Store) -> None:
    with store.write() as connection:
        assert chats.keep(connection, CHAT)
        assert not chats.keep(connection, replace(CHAT, user_id="8"))
        chats.put_session(connection, CHAT.chat_key, "default", "s1")
        chats.put_place(connection, CHAT.chat_key, {"chat_id": "9"})
        chats.note_heard(connection, CHAT.chat_key, 5)
        chats.note_told(connection, CHAT.chat_key, 6)
        kept = chats.get(connection, CHAT.chat_key)
        assert chats.get(connection, "another") is None
        assert chats.every(connection) == [kept]
    assert kept == replace(CHAT, session_id="s1", place={"chat_id": "9"}, heard_at=5, told_at=6)


def test_deleting_a_session_drops_an_answer_that_was_not_sent(store: Store) -> None:
    memory = Memory(store, "default")
    session_id = memory.begin(NewSession(source="telegram"))
    memory.append(session_id, NewMessage("user", "the word is xylophone"))
    keep(store, update(1, "the word is xylophone"))
    with store.write() as connection:
        chats.keep(connection, replace(CHAT, session_id=session_id))
        found = arrivals.next_of(connection, CHAT.chat_key)
        assert found is not None
        arrivals.begin(connection, found.id)
        arrivals.answer(connection, found.id, "xylophone it is")
    memory.delete([session_id], "a test")
    with store.read() as connection:
        over = arrivals.of_message(connection, CHAT.chat_key, "m1")
        chat = chats.get(connection, CHAT.chat_key)
    assert over is not None and (over.state, over.reply) == ("done", None)
    assert chat is not None and chat.session_id is None


def test_on_a_shared_store_one_process_runs_a_gateway(tmp_path: Path) -> None:
    for one in opened("postgres", tmp_path):
        other = Store(one.engine, "default")
        what = "gateway telegram"
        with sole.alone(one, what) as first, sole.alone(other, what) as second, sole.alone(other, "x") as third:
            assert first is not None and second is None and third is not None
            assert not first.is_lost()
        with sole.alone(other, "gateway telegram") as free:
            assert free is not None
        other.close()


def test_a_connection_that_breaks_loses_the_hold(tmp_path: Path) -> None:
    for one in opened("postgres", tmp_path):
        with sole.alone(one, "gateway telegram") as hold:
            assert hold is not None and hold.connection is not None
            own = hold.connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
            with one.bare() as connection:
                connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": own})
            assert hold.is_lost()
        with sole.alone(one, "gateway telegram") as again:
            assert again is not None and not again.is_lost()
