"""Telegram against a Bot API server on loopback, with the model that ships with us."""

from hermes_agent.app import App
from hermes_agent.store.sessions import Listing
from tests.gateways.conftest import OWNER, STRANGER
from tests.gateways.telegram_server import TelegramServer


def test_a_message_is_answered(server: TelegramServer, gateway: App) -> None:
    server.say(OWNER, "Remember that my bike is green.")
    server.wait_for(lambda: len(server.texts(OWNER)) == 1)
    server.say(OWNER, "What colour is my bike?")
    server.wait_for(lambda: len(server.texts(OWNER)) == 2)
    assert "green" in server.texts(OWNER)[1]
    (listed,) = gateway.memory.sessions(Listing(), 10)
    assert listed.session.source == "telegram"
    assert "sendChatAction" in server.calls


def test_strangers_are_told_once_and_nothing_of_theirs_is_kept(server: TelegramServer, gateway: App) -> None:
    server.say(STRANGER, "My secret is xylophone.")
    server.say(STRANGER, "Are you there?")
    server.say(OWNER, "hello")
    server.wait_for(lambda: server.texts(OWNER) and server.texts(STRANGER))
    assert len(server.texts(STRANGER)) == 1
    assert [entry.kind for entry in gateway.memory.log(10)].count("gateway.refused") == 1
