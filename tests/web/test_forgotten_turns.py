"""What was told in a turn is told again for ten minutes, and no more once something was forgotten."""

from contextlib import closing

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.errors import NotFound
from hermes_agent.memory import tokens
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.steps import finish
from hermes_agent.web.chats import Chats, Message
from tests.openai_server import Call, Hang, Say, Use
from tests.web.conftest import serving
from tests.web.talking import PATIENCE_SECONDS
from tests.web.test_chat_api import program, talking

NAME = "Xylvorena"
SAID = f"My dentist is called {NAME} Pumpernickelova."


def forget(app: App) -> None:
    """Forget, as another process would."""
    with closing(App(app.home, load(app.home))) as other:
        finish(carrying_out.carry_out(other.forgetting, carrying_out.seek(Asked(about=NAME))))


def test_a_turn_is_not_told_again_after_something_was_forgotten(app: App) -> None:
    with serving(app) as address:
        laptop = program(app, address)
        with laptop.say(SAID) as talk:
            talk.rest()
        assert NAME in laptop.get(f"/api/chat/{talk.turn}").text
        forget(app)
        again = laptop.get(f"/api/chat/{talk.turn}")
    assert again.status_code == 404
    assert NAME not in again.text


def test_a_turn_under_way_keeps_no_word_of_what_was_told_before(app: App) -> None:
    look = Use(Call("session_search", f'{{"query": "{NAME} Pumpernickelova"}}'), text=f"I look for {NAME}. ")
    with (
        talking(app, look, Hang("Half an answer")) as (served, laptop, _),
        laptop.say("Who looks after my teeth?") as talk,
    ):
        talk.until("result")
        talk.until("text")
        forget(served)
        with laptop._client() as client, client.stream("GET", f"/api/chat/{talk.turn}") as again:
            assert laptop.post(f"/api/chat/{talk.turn}/stop", {}).status_code == 200
            again.read()
        finished = talk.until("finished")
    assert finished["ending"] == "interrupted"
    assert again.text.count("event: ") == len(talk.seen)
    assert NAME not in again.text


def test_a_question_that_waits_can_still_be_read(app: App) -> None:
    asking = Use(Call("shell", f'{{"command": "echo {NAME}"}}'))
    with talking(app, asking, Say("Then not.")) as (served, laptop, _), laptop.say("Say the name.") as talk:
        asked = talk.until("approval")
        forget(served)
        with laptop._client() as client, client.stream("GET", f"/api/chat/{talk.turn}") as again:
            place = f"/api/chat/{talk.turn}/approval"
            assert laptop.post(place, {"id": asked["id"], "is_allowed": False}).status_code == 200
            again.read()
        talk.rest()
    assert f"echo {NAME}" in again.text


def test_a_turn_is_known_for_ten_minutes_though_nobody_says_anything(app: App) -> None:
    chats, token = Chats(app), tokens.create(app.store, "laptop", "write").token
    turn = chats.say(Message("Good morning."), token, is_left=True)
    turn.wait(PATIENCE_SECONDS)
    assert chats.find(turn.id, token) is turn
    assert chats.latest(turn.session_id, token) is turn
    turn.ended_at = clock.monotonic() - 601
    with pytest.raises(NotFound):
        chats.find(turn.id, token)
    assert chats.latest(turn.session_id, token) is None
