"""After a kill: what was begun goes on, what was in doubt is not done twice, what was answered is sent."""

from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from hermes_agent.agent.taking_up import Answered, Gone, InDoubt, Open, Unheard, break_off, reached
from hermes_agent.app import App
from hermes_agent.config import files
from hermes_agent.config.gateway_settings import GATEWAYS_IDLE_MINUTES, GATEWAYS_RESET_POLICY
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.gateways import intake
from hermes_agent.gateways.gateway import Person, Place
from hermes_agent.gateways.intake import Words
from hermes_agent.ids import new_uid
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.arrivals import Chat, NewArrival
from hermes_agent.store import arrivals, chats
from hermes_agent.store.sessions import Listing
from tests.gateways.conftest import OWNER, at_work
from tests.gateways.telegram_server import TelegramServer

KEY = "agent:main:telegram:dm:1"
CALL = [
    {"id": "c1", "type": "function", "function": {"name": "shell", "arguments": '{"command": "touch made.txt"}'}}
]
SAID = NewMessage("user", "Make a file.")
WANTED = NewMessage("assistant", None, tool_calls=CALL)
RESULT = NewMessage("tool", "done", tool_call_id="c1", tool_name="shell")
ANSWER = NewMessage("assistant", "It is made.")


@pytest.mark.parametrize(
    ("kept", "kind"),
    [
        ((), Unheard),
        ((SAID,), Open),
        ((SAID, WANTED), InDoubt),
        ((SAID, WANTED, RESULT), Open),
        ((SAID, WANTED, RESULT, ANSWER), Answered),
        ((SAID, WANTED, NewMessage("user", "Another message.")), InDoubt),
        ((replace(SAID, state="rewound"),), Gone),
    ],
)
def test_how_far_a_turn_had_come(own_home: Home, kept: tuple[NewMessage, ...], kind: type) -> None:
    uid = new_uid()
    with closing(App(own_home, load(own_home))) as app:
        session_id = app.memory.begin(NewSession())
        for number, message in enumerate(kept):
            app.memory.append(session_id, replace(message, uid=uid) if number == 0 else message)
        found = reached(app.memory, uid)
        assert isinstance(found, kind)
        if isinstance(found, InDoubt):
            told = break_off(app.memory, found, "a-model")
            assert "`shell`" in told


def left_behind(home: Home, *kept: NewMessage, reply: str | None = None, parts_sent: int = 0) -> None:
    """Leave a home as a kill does: an arrival that was begun, its message in the archive with what followed."""
    words = intake.written(Words("Make a file.", Person("1"), Place("1")))
    with closing(App(home, load(home))) as app:
        session_id = app.memory.begin(NewSession(source="telegram"))
        place = intake.written_place(Place("1"))
        with app.store.write() as connection:
            chats.keep(connection, Chat(KEY, "telegram", "1", "default", session_id, place, 1, None))
            arrivals.keep(connection, [NewArrival("telegram", "5", KEY, 5, words)])
            arrival = arrivals.next_of(connection, KEY)
            assert arrival is not None
            arrivals.begin(connection, arrival.id)
            if reply is not None:
                arrivals.answer(connection, arrival.id, reply)
                arrivals.note_sent(connection, arrival.id, parts_sent)
        for number, message in enumerate(kept):
            app.memory.append(session_id, replace(message, uid=arrival.uid) if number == 0 else message)


def test_a_message_that_was_heard_and_not_answered_is_answered(
    server: TelegramServer, telegram_home: Home
) -> None:
    left_behind(telegram_home, NewMessage("user", "Good morning."))
    with at_work(telegram_home) as app:
        server.wait_for(lambda: server.texts(OWNER))
        (listed,) = app.memory.sessions(Listing(), 10)
        assert [one.role for one in app.memory.messages(listed.session.id)] == ["user", "assistant"]


def test_a_tool_that_was_running_is_not_run_again(server: TelegramServer, telegram_home: Home) -> None:
    left_behind(telegram_home, SAID, WANTED)
    with at_work(telegram_home):
        server.wait_for(lambda: server.texts(OWNER))
    (told,) = server.texts(OWNER)
    assert "cannot tell whether `shell` was done" in told
    assert not (telegram_home.workspace / "made.txt").exists()


def test_an_answer_that_was_committed_is_sent(server: TelegramServer, telegram_home: Home) -> None:
    left_behind(telegram_home, SAID, WANTED, RESULT, ANSWER)
    with at_work(telegram_home):
        server.wait_for(lambda: server.texts(OWNER))
    assert server.texts(OWNER) == ["It is made."]


def test_only_the_parts_that_were_not_sent_are_sent(server: TelegramServer, telegram_home: Home) -> None:
    paragraphs = [f"Paragraph {number}. " + "word " * 700 for number in range(3)]
    left_behind(telegram_home, SAID, reply="\n\n".join(paragraphs), parts_sent=2)
    with at_work(telegram_home):
        server.wait_for(lambda: server.texts(OWNER))
    assert [text.split(".")[0] for text in server.texts(OWNER)] == ["Paragraph 2"]


def test_a_chat_that_was_silent_for_long_begins_a_new_session(server: TelegramServer, telegram_home: Home) -> None:
    left_behind(telegram_home, SAID, ANSWER)
    files.write(telegram_home, GATEWAYS_RESET_POLICY, "idle")
    files.write(telegram_home, GATEWAYS_IDLE_MINUTES, 60)
    with at_work(telegram_home) as app:
        server.say(OWNER, "Good morning.")
        server.say(OWNER, "How are you?")
        server.wait_for(lambda: len(server.texts(OWNER)) == 3)
        listed = app.memory.sessions(Listing(), 10)
    assert sorted(one.session.message_count for one in listed) == [2, 4]


def test_in_a_thread_all_share_a_session_that_is_not_the_owners(
    server: TelegramServer, telegram_home: Home
) -> None:
    group = {"id": -5, "type": "supergroup", "title": "Team", "is_forum": True}
    thread: dict[str, Any] = {"chat": group, "message_thread_id": 3, "is_topic_message": True}
    with at_work(telegram_home) as app:
        server.say(OWNER, "@hermes_test_bot Good morning.", **thread)
        server.say(7, "@hermes_test_bot Good evening.", **thread)
        server.wait_for(lambda: len(server.texts(-5)) == 2)
        assert app.memory.sessions(Listing(), 10) == []
        with app.store.read() as connection:
            (chat,) = chats.every(connection)
    assert (chat.chat_key, chat.profile) == ("agent:main:telegram:group:-5:3", "telegram-chat--5")
