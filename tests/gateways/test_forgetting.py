"""What was forgotten or deleted leaves no word in the tables of the gateways."""

from dataclasses import replace

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.records.arrivals import Chat, NewArrival
from hermes_agent.store import arrivals, chats, sweeping
from hermes_agent.text.runs import Look
from tests.conftest import Hermes
from tests.gateways.conftest import OWNER, at_work
from tests.gateways.telegram_server import TelegramServer

CHAT = Chat("agent:main:telegram:dm:1", "telegram", "1", "default", None, {"chat_id": "1"}, 1, None)


def places(app: App, word: str) -> list[str]:
    """Return where in the store a word stands."""
    look: Look = lambda data: [(at, len(word)) for at in [data.find(word.encode())] if at >= 0]  # noqa: E731
    with app.store.read() as connection:
        return list(sweeping.places(connection, look))


def test_words_leave_the_inbox_with_the_answer(server: TelegramServer, telegram_home: Home) -> None:
    with at_work(telegram_home) as app:
        server.say(OWNER, "The plan is called Xylophonia.")
        server.wait_for(lambda: server.texts(OWNER))
        found = places(app, "Xylophonia")
    assert found
    assert not [place for place in found if place.startswith(("arrivals", "chats"))]


def test_a_message_that_waits_loses_what_is_forgotten(own_home: Home, hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "The plan is called Xylophonia")
    app = App(own_home, load(own_home))
    payload = {"text": "Tell me more of Xylophonia please.", "person": {"id": "1", "name": ""}}
    with app.store.write() as connection:
        chats.keep(connection, CHAT)
        one = NewArrival("telegram", "1", CHAT.chat_key, 1, payload)
        arrivals.keep(connection, [one, replace(one, update_key="2", position=2)])
        second = arrivals.next_of(connection, CHAT.chat_key)
        assert second is not None
        arrivals.answer(connection, second.id, "Xylophonia is a fine plan.")
    assert places(app, "Xylophonia")
    outcome = hermes("memory", "forget", "--about", "Xylophonia", "--yes")
    assert outcome.exit_code == 0, outcome
    assert places(app, "Xylophonia") == []
    with app.store.read() as connection:
        assert arrivals.counts(connection) == {"telegram": {"answered": 1, "waiting": 1}}
    app.close()


def test_an_answer_that_waits_for_the_platform_is_not_sent_when_it_was_forgotten(
    server: TelegramServer, telegram_home: Home, hermes: Hermes
) -> None:
    hermes("memory", "fact", "add", "The plan is called Xylophonia")
    with at_work(telegram_home) as app:
        server.ask_to_wait(1, times=10_000)
        server.say(OWNER, "What is the plan called?")
        server.wait_for(lambda: [place for place in places(app, "Xylophonia") if place.startswith("arrivals")])
        outcome = hermes("memory", "forget", "--about", "Xylophonia", "--yes")
        assert outcome.exit_code == 0, outcome
        server.ask_to_wait(0, times=0)
        server.wait_for(lambda: not open_arrivals(app))
    assert "Xylophonia" not in "".join(server.texts(OWNER))


def open_arrivals(app: App) -> object:
    """Return what is not over yet, by platform."""
    with app.store.read() as connection:
        return arrivals.counts(connection)
