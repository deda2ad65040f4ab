"""What is forgotten while a conversation is open is neither sent to the model again nor written back."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from hermes_agent.agent.conversation import Conversation, Opening
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.errors import ForgottenMeanwhile, HermesError
from hermes_agent.memory import forget_all
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops.forgetting import carrying_out
from hermes_agent.ops.steps import finish
from hermes_agent.records.receipts import Receipt
from hermes_agent.store import receipts
from tests.forgetting.homes import opened
from tests.openai_server import Call, Fail, Received, Say, Server, Step, Use, serve

NAME = "Xylvorena"
NOTE = f"Dentist: {NAME} Pumpernickelova"
QUOTE = f"Your dentist is {NAME} Pumpernickelova. All is well."


class Talking:
    """An open home whose model follows a script, and in which something is forgotten elsewhere."""

    def __init__(self, app: App, model: Server) -> None:
        self.app = app
        self.model = model

    def open(self, *, is_incognito: bool = False) -> Conversation:
        return Conversation(self.app.desk, Opening("cli", self.app.home.workspace, is_incognito=is_incognito))

    def forget(self, asked: Asked | None = None) -> Receipt:
        """Forget, as another process would."""
        with closing(App(self.app.home, load(self.app.home))) as other:
            seek = carrying_out.seek(asked or Asked(about=NAME))
            return finish(carrying_out.carry_out(other.forgetting, seek))

    def left(self, receipt: Receipt) -> list[str]:
        """Return where something of it is."""
        return finish(carrying_out.verify(self.app.forgetting, receipt))

    def sent(self) -> list[str]:
        """Return what the model was sent, request by request."""
        return [json.dumps(one.json["messages"]) for one in self.model.requests]


Begin = Callable[..., Talking]


@pytest.fixture
def begin(own_home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Begin with a note about the dentist, and a model that follows a script."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    monkeypatch.setenv("HERMES_MODEL", "scripted")
    ensure(own_home)
    with ExitStack() as stack:

        def made(*script: Step) -> Talking:
            server = stack.enter_context(serve(*script))
            monkeypatch.setenv("HERMES_BASE_URL", server.url)
            app = stack.enter_context(closing(App(own_home, load(own_home))))
            app.notebook.kept("user").file.write(NOTE)
            app.notebook.reconcile()
            return Talking(app, server)

        yield made


def test_an_open_conversation_sends_what_was_forgotten_no_more(begin: Begin) -> None:
    talking = begin(Say("Good morning."), Say("Still fine."))
    chat = talking.open()
    chat.ask("Good morning, how are things?")
    receipt = talking.forget()
    chat.ask("And now, how are things?")
    first, second = talking.sent()
    assert NAME in first
    assert NAME not in second
    assert talking.left(receipt) == []


def test_a_prompt_without_a_word_of_it_stays_as_it_is(begin: Begin) -> None:
    talking = begin(Say("Fine."))
    chat = talking.open()
    chat.ask("My cat is called Minkalotta Zwiebel.")
    chat.ask("How are things?")
    talking.forget(Asked(about="Minkalotta"))
    chat.ask("And now?")
    first, *_, last = ([line["content"] for line in one.json["messages"]][0] for one in talking.model.requests)
    assert NAME in first
    assert last == first


def test_an_incognito_conversation_lets_go_of_it_too(begin: Begin) -> None:
    talking = begin(Say(QUOTE), Say("Still fine."))
    chat = talking.open(is_incognito=True)
    chat.ask("Good morning, how are things?")
    talking.forget()
    chat.ask("And now, how are things?")
    assert NAME not in talking.sent()[-1]
    assert "All is well." in talking.sent()[-1]
    assert "how are things?" in talking.sent()[-1]


def test_the_list_of_things_to_do_loses_it(begin: Begin) -> None:
    wanted = json.dumps({"items": [{"text": f"Call {NAME} Pumpernickelova"}, {"text": "Buy bread"}]})
    talking = begin(Use(Call("todo", wanted)), Say("Noted."), Use(Call("todo", "{}")), Say("That is all."))
    chat = talking.open()
    chat.ask("Make a list.")
    receipt = talking.forget()
    chat.ask("What is on the list?")
    *_, last = talking.sent()
    assert "Buy bread" in last
    assert NAME not in last
    assert talking.left(receipt) == []


def test_what_is_forgotten_while_a_turn_goes_on_is_not_in_its_next_request(begin: Begin) -> None:
    def forgotten_meanwhile(request: Received) -> Use:
        talking.forget()
        return Use(Call("todo", "{}"))

    talking = begin(forgotten_meanwhile, Say("Nothing to do."))
    talking.open().ask("What is on the list?")
    first, second = talking.sent()
    assert NAME in first
    assert NAME not in second


def test_an_answer_that_comes_after_a_forgetting_does_not_bring_it_back(begin: Begin) -> None:
    made: list[Receipt] = []

    def forgotten_meanwhile(request: Received) -> Say:
        made.append(talking.forget())
        return Say(QUOTE, thinking=f"The dentist is {NAME} Pumpernickelova.")

    talking = begin(forgotten_meanwhile)
    chat = talking.open()
    chat.ask("Who looks after my teeth?")
    answer = talking.app.memory.window(chat.session_id or "")[-1]
    assert answer.content == "[forgotten] All is well."
    assert talking.left(made[0]) == []


def test_calls_and_results_that_come_after_a_forgetting_do_not_bring_it_back(begin: Begin) -> None:
    made: list[Receipt] = []

    def forgotten_meanwhile(request: Received) -> Use:
        made.append(talking.forget())
        plan = json.dumps({"items": [{"text": f"Call {NAME} Pumpernickelova"}]})
        search = json.dumps({"query": f"{NAME} Pumpernickelova"})
        return Use(Call("todo", plan, id="1"), Call("session_search", search, id="2"), text=QUOTE)

    talking = begin(forgotten_meanwhile, Say("All done."))
    chat = talking.open()
    chat.ask("Plan my day.")
    assert NAME not in talking.sent()[-1]
    assert talking.left(made[0]) == []


def test_what_is_asked_is_forgotten_while_it_is_answered_and_so_is_the_answer(begin: Begin) -> None:
    made: list[Receipt] = []

    def forgotten_meanwhile(request: Received) -> Say:
        made.append(talking.forget())
        return Say(f"I shall tell {NAME} Pumpernickelova that you come on Tuesday.")

    talking = begin(Say("Good morning."), forgotten_meanwhile, Say("Still here."))
    chat = talking.open()
    chat.ask("Good morning to you.")
    with pytest.raises(ForgottenMeanwhile):
        chat.ask(f"Tell {NAME} Pumpernickelova that I come on Tuesday.")
    assert [one.content for one in talking.app.memory.window(chat.session_id or "")] == [
        *["Good morning to you.", "Good morning."]
    ]
    assert talking.left(made[0]) == []
    assert chat.ask("Are you there?").text == "Still here."


def test_the_only_thing_that_was_said_is_forgotten_while_it_is_answered(begin: Begin) -> None:
    made: list[Receipt] = []

    def forgotten_meanwhile(request: Received) -> Say:
        made.append(talking.forget())
        return Say(QUOTE)

    talking = begin(forgotten_meanwhile, Say("Still here."))
    chat = talking.open()
    with pytest.raises(ForgottenMeanwhile):
        chat.ask(f"Tell {NAME} Pumpernickelova that I come on Tuesday.")
    assert talking.left(made[0]) == []
    assert chat.ask("Are you there?").text == "Still here."


def test_a_turn_that_fails_or_is_stopped_after_a_forgetting_does_not_bring_it_back(begin: Begin) -> None:
    made: list[Receipt] = []

    def forgotten_meanwhile(request: Received) -> Fail:
        made.append(talking.forget())
        return Fail(401, f"{NAME} Pumpernickelova may not ask.")

    talking = begin(forgotten_meanwhile)
    with pytest.raises(HermesError):
        talking.open().ask(f"Tell {NAME} Pumpernickelova that I come on Tuesday.")
    assert talking.left(made[0]) == []


@pytest.mark.parametrize("kind", ["plain", "postgres"])
def test_nothing_is_forgotten_while_a_turn_is_being_written(kind: str, tmp_path: Path) -> None:
    order: list[str] = []

    def forget() -> None:
        with app.store.write() as connection:
            forget_all.lock(connection)
            order.append("forgotten")

    with opened(kind, tmp_path) as app:
        forgetting = threading.Thread(target=forget)
        with app.store.write() as connection:
            assert receipts.hold_last(connection) == 0
            forgetting.start()
            forgetting.join(0.3)
            order.append("written")
        forgetting.join()
    assert order == ["written", "forgotten"]
