"""The webhook: signed requests, each message once, the answer in the response or called back."""

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

import pytest
from starlette.testclient import TestClient

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import files, paths
from hermes_agent.config.gateway_settings import GATEWAYS_WEBHOOK_CALLBACK_URL, WEBHOOK
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.config.settings import BASE_URL, MODEL
from hermes_agent.gateways import found
from hermes_agent.gateways.door import Door
from hermes_agent.gateways.running import Running, State
from hermes_agent.gateways.signing import SIGNATURE, TIMESTAMP, problem, sign
from hermes_agent.gateways.webhook import HALF, asked_seconds, read
from hermes_agent.store.sessions import Listing
from hermes_agent.web.behind import Mounted
from hermes_agent.web.site import build
from tests import openai_server
from tests.conftest import Hermes
from tests.loopback import QuietHandler, listening
from tests.openai_server import Say

SECRET = "a-secret-of-nobody"
PATH = "/gateways/webhook"


@contextmanager
def site(home: Home, callback_url: str | None = None) -> Iterator[tuple[TestClient, App]]:
    """Serve the site with the webhook in it."""
    paths.ensure(home)
    home.env_file.write_text(f"HERMES_WEBHOOK_SECRET={SECRET}\n")
    home.env_file.chmod(0o600)
    files.write(home, WEBHOOK.owners, ["me"])
    files.write(home, WEBHOOK.allowed, ["ann"])
    if callback_url is not None:
        files.write(home, GATEWAYS_WEBHOOK_CALLBACK_URL, callback_url)
    connected = threading.Event()

    def note(state: State) -> None:
        if state.condition == "connected":
            connected.set()

    with closing(App(home, load(home))) as app:
        running = Running(app, found.platform("webhook"), note)
        running.start()
        assert connected.wait(30)
        built = build(app, mounted=[Mounted(PATH, Door(running), is_signed=True)])
        with TestClient(built, base_url="http://127.0.0.1") as client:
            yield client, app
        running.stop()
        assert running.wait(60)


def signed(body: bytes, *, age: int = 0, secret: str = SECRET) -> dict[str, str]:
    timestamp = str(clock.now() // clock.MICROSECONDS - age)
    return {TIMESTAMP: timestamp, SIGNATURE: sign(secret, timestamp, body)}


def message(id: str = "m1", text: str = "Good morning.", user: str = "me", **more: str) -> bytes:
    return json.dumps({"id": id, "user": user, "text": text, **more}).encode()


def post(client: TestClient, body: bytes) -> dict[str, str]:
    """Bring a message; return what is answered."""
    answer: dict[str, str] = client.post(PATH, content=body, headers=signed(body)).json()
    return answer


def said(app: App) -> list[str]:
    sessions = app.memory.sessions(Listing(), 100)
    found = [one for listed in sessions for one in app.memory.messages(listed.session.id)]
    return [one.content or "" for one in found if one.role == "user"]


def test_a_signed_message_is_answered_in_the_response(own_home: Home) -> None:
    with site(own_home) as (client, app):
        body = message(text="Remember that my bike is green.")
        answer = client.post(PATH, content=body, headers=signed(body))
        assert answer.status_code == 200
        assert answer.json()["state"] == "answered"
        assert "green" in answer.json()["text"]
        assert said(app) == ["Remember that my bike is green."]


def test_the_same_id_again_is_the_same_message_and_gets_the_same_answer(own_home: Home) -> None:
    with site(own_home) as (client, app):
        body = message()
        first = client.post(PATH, content=body, headers=signed(body)).json()
        assert client.post(PATH, content=body, headers=signed(body)).json() == first
        assert said(app) == ["Good morning."]


def test_the_id_of_one_is_no_id_of_another(own_home: Home) -> None:
    with site(own_home) as (client, app):
        assert post(client, message(user="eve")) == {"id": "m1", "state": "known"}
        answered = post(client, message(text="Remember that my bike is green."))
        assert (answered["state"], said(app)) == ("answered", ["Remember that my bike is green."])
        assert post(client, message(user="eve")) == {"id": "m1", "state": "known"}
        guest = post(client, message(user="ann"))
        assert guest["state"] == "answered" and "green" not in guest["text"]


def test_in_one_chat_each_has_ids_of_their_own_and_each_chat_has_its_own(own_home: Home) -> None:
    with site(own_home) as (client, app):
        for text, user, chat in (("one", "me", "team"), ("two", "ann", "team"), ("three", "me", "other")):
            answer = post(client, message("m1", f"Good morning {text}.", user, chat=chat))
            assert (answer["id"], answer["state"]) == ("m1", "answered")
        assert sorted(said(app)) == ["Good morning one.", "Good morning three."]


def test_a_key_has_no_more_than_so_many_characters() -> None:
    body = message("i" * 200, user="u" * 200, chat="c" * 200)
    assert len(read(body, 1).key) < 100


def test_an_answer_is_given_again_after_a_restart(own_home: Home) -> None:
    with site(own_home) as (client, _):
        first = {user: post(client, message(user=user)) for user in ("me", "ann")}
    with site(own_home) as (client, app):
        assert {user: post(client, message(user=user)) for user in ("me", "ann")} == first
        assert said(app) == ["Good morning."]


def test_what_was_forgotten_is_not_answered_again(own_home: Home, hermes: Hermes) -> None:
    with site(own_home) as (client, _):
        first = post(client, message(text="Remember that the plan is called Xylophonia."))
        assert "Xylophonia" in first["text"]
        assert hermes("memory", "forget", "--about", "Xylophonia", "--yes").exit_code == 0
        assert post(client, message()) == {"id": "m1", "state": "known"}


def test_what_was_deleted_is_not_answered_again(own_home: Home) -> None:
    with site(own_home) as (client, app):
        assert post(client, message())["state"] == "answered"
        (listed,) = app.memory.sessions(Listing(), 10)
        app.memory.delete([listed.session.id], "a test")
        assert post(client, message()) == {"id": "m1", "state": "known"}


def test_who_asks_again_while_it_is_being_answered_waits_for_the_same_answer(own_home: Home) -> None:
    def slowly(_: openai_server.Received) -> Say:
        time.sleep(1)
        return Say("It is green.")

    with openai_server.serve(slowly) as model:
        paths.ensure(own_home)
        files.write(own_home, MODEL, "openai:test")
        files.write(own_home, BASE_URL, model.url)
        with site(own_home) as (client, app), ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(post, [client] * 2, [message()] * 2))
            assert [one["text"] for one in answers] == ["It is green."] * 2
            assert said(app) == ["Good morning."]


@pytest.mark.parametrize(
    ("headers", "detail"),
    [
        ({}, "The signature does not fit."),
        (signed(b"another body"), "The signature does not fit."),
        (signed(message(), secret="another secret"), "The signature does not fit."),
        (signed(message(), age=1_000_000), "The request is too old, or a clock is wrong."),
        (signed(message(), age=-1_000_000), "The request is too old, or a clock is wrong."),
        ({SIGNATURE: "sha256=ü", TIMESTAMP: "1"}, "The signature does not fit."),
    ],
)
def test_what_is_not_signed_as_it_should_be_is_refused(
    own_home: Home, headers: dict[str, str], detail: str
) -> None:
    with site(own_home) as (client, app):
        encoded = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
        answer = client.post(PATH, content=message(), headers=encoded)
        assert (answer.status_code, answer.json()["detail"]) == (401, detail)
        assert said(app) == []


def test_a_time_that_is_no_number_is_refused_though_it_is_signed() -> None:
    assert problem(SECRET, "now", sign(SECRET, "now", b""), b"", 0) is not None
    assert problem(SECRET, "1", sign(SECRET, "1", b""), b"", 0) is None


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"id": "1"}', b'{"id": 1, "user": "me", "text": "x"}'])
def test_what_is_no_message_is_refused(own_home: Home, body: bytes) -> None:
    with site(own_home) as (client, _):
        assert client.post(PATH, content=body, headers=signed(body)).status_code == 422
        assert client.get(PATH).status_code == 405


@pytest.mark.parametrize("field", ["id", "user", "chat", "name"])
def test_half_a_character_in_a_name_is_refused(own_home: Home, field: str) -> None:
    with site(own_home) as (client, app):
        body = json.dumps({"id": "m1", "user": "me", "text": "hello", field: "\ud800"}).encode()
        answer = client.post(PATH, content=body, headers=signed(body))
        assert (answer.status_code, answer.json()["detail"]) == (400, HALF)
        assert said(app) == []


def test_half_a_character_in_what_is_said_is_answered(own_home: Home) -> None:
    with site(own_home) as (client, _):
        assert post(client, message(text="Remember that my bike is called \ud800."))["state"] == "answered"


def test_guests_have_a_memory_of_their_own_and_strangers_are_not_answered(own_home: Home) -> None:
    with site(own_home) as (client, app):
        for user, state in (("ann", "answered"), ("eve", "known")):
            body = message(f"m-{user}", user=user)
            assert client.post(PATH, content=body, headers=signed(body)).json()["state"] == state
        assert said(app) == []
    assert paths.home_of("webhook-ann").root.is_dir()
    assert not paths.home_of("webhook-eve").root.exists()


@dataclass
class Callback:
    """An address that is called back: it answers with the statuses one after the other, then with the last."""

    statuses: list[int]
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    came: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Listen until the block ends; yield the address. `came` is set with the last status."""
        own = self

        class Handler(QuietHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                own.received.append(({name.lower(): value for name, value in self.headers.items()}, body))
                status = own.statuses[min(len(own.received), len(own.statuses)) - 1]
                self.send_response(status)
                self.send_header("location", "/elsewhere")
                self.send_header("content-length", "0")
                self.end_headers()
                if len(own.received) == len(own.statuses):
                    own.came.set()

        with listening(Handler) as port:
            yield f"http://127.0.0.1:{port}/answers"


@pytest.mark.parametrize("status", [503, 302, 307, 408, 425, 429])
def test_the_answer_is_called_back_and_again_when_it_was_not_taken(own_home: Home, status: int) -> None:
    callback = Callback([status, 200])
    with callback.serve() as url, site(own_home, url) as (client, app):
        body = message()
        answer = client.post(PATH, content=body, headers=signed(body))
        assert (answer.status_code, answer.json()) == (202, {"id": "m1", "state": "accepted"})
        assert callback.came.wait(60)
        assert not unsent(app)
    headers, sent = callback.received[1]
    told = json.loads(sent)
    assert (told["id"], told["chat"]) == ("m1", "me")
    assert told["text"]
    assert headers[SIGNATURE] == sign(SECRET, headers[TIMESTAMP], sent)


@pytest.mark.parametrize("status", [400, 401, 404, 410])
def test_an_answer_that_the_callback_address_refuses_is_journalled(own_home: Home, status: int) -> None:
    callback = Callback([status])
    with callback.serve() as url, site(own_home, url) as (client, app):
        post(client, message())
        assert callback.came.wait(60)
        end = time.monotonic() + 30
        while not (found := unsent(app)) and time.monotonic() < end:
            time.sleep(0.05)
        assert found == [f"The callback address answered {status}."]
    assert len(callback.received) == 1


def test_who_asks_to_wait_is_heeded_for_an_hour_at_most() -> None:
    assert [asked_seconds(given) for given in ("", "soon", "7", "9" * 400)] == [None, None, 7, 3600]


def unsent(app: App) -> list[str | None]:
    """Return why answers were not sent, as the journal tells."""
    return [entry.cause for entry in app.memory.log(20) if entry.kind == "gateway.unsent"]
