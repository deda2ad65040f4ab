"""A server that ends while something long is under way: whoever asked is told, and what was begun is not lost."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from functools import partial
from threading import Event, Thread

import httpx2
import pytest
from starlette.types import Receive, Scope
from starlette.types import Send as AsgiSend

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.memory import facts, tokens
from hermes_agent.store import receipts
from hermes_agent.web.callers import cookie_at, csrf_word
from hermes_agent.web.server import Server
from hermes_agent.web.site import build, stop
from tests.web.forms import form
from tests.web.talking import PATIENCE_SECONDS

Send = Callable[[], httpx2.Response]
Asker = Callable[[ExitStack, App, str], Send]


def client(address: str, headers: dict[str, str]) -> httpx2.Client:
    """Return a client of the server."""
    return httpx2.Client(base_url=address, headers=headers, trust_env=False, timeout=PATIENCE_SECONDS)


def by_program(held: ExitStack, app: App, address: str) -> Send:
    """Return what forgets the fact over the API."""
    shown = tokens.create(app.store, "a program", "admin").shown
    headers = {"Authorization": f"Bearer {shown}"}
    laptop = held.enter_context(client(address, headers))
    wanted = {"id": "fact:001"}
    tag = laptop.post("/api/forget/preview", json=wanted).headers["ETag"]
    return lambda: laptop.post("/api/forget", json=wanted, headers={"If-Match": tag})


def by_browser(held: ExitStack, app: App, address: str) -> Send:
    """Return what forgets the fact on its page."""
    made = tokens.log_in(app.store, tokens.create_link(app.store, "admin").shown, "a test")
    assert made is not None
    headers = {"Accept": "text/html", "X-CSRF-Token": csrf_word(made.shown)}
    browser = held.enter_context(client(address, headers))
    browser.cookies.set(cookie_at(httpx2.URL(address).port), made.shown)
    page = browser.get("/data/forget", params={"what": "id", "value": "fact:001"})
    while "Refresh" in page.headers:
        page = browser.get("/data/forget", params={"what": "id", "value": "fact:001"})
    fields = {**form(page, "/data/forget").fields, "word": "forget"}
    return lambda: browser.post("/data/forget", data=fields)


@pytest.mark.parametrize(("asker", "kind"), [(by_program, "application/problem+json"), (by_browser, "text/html")])
def test_whoever_forgets_while_the_server_ends_is_told_where_to_look(
    app: App, asker: Asker, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    facts.add(app.store, "The mat is red.")
    site = build(app)
    answers: list[httpx2.Response] = []
    has_begun = Event()

    async def noting(scope: Scope, receive: Receive, send: AsgiSend) -> None:
        if scope["type"] == "http" and scope["method"] == "POST" and scope["path"].endswith("/forget"):
            has_begun.set()
        await site(scope, receive, send)

    server = Server(noting, app.settings, on_stop=partial(stop, site), drain_seconds=1)
    with closing(server), ExitStack() as held:
        server.start()
        send = asker(held, app, server.address)
        asking = Thread(target=lambda: answers.append(send()))
        with app.store.write():  # forgetting waits for its turn to write
            asking.start()
            assert has_begun.wait(PATIENCE_SECONDS)
            server.close()
            asking.join()
        (answer,) = answers
        assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (503, kind)
        assert "may have been done all the same" in answer.text
        assert "hermes memory receipts" in answer.text
        assert "Not waited for, since the server ends: POST " in caplog.text
        wait_until_forgotten(app)


def wait_until_forgotten(app: App) -> None:
    """Wait until what was begun is done: nobody waits for it any more, and it goes on."""
    deadline = clock.monotonic() + PATIENCE_SECONDS
    while True:
        with app.store.read() as connection:
            found = [one.state for one in receipts.every(connection)]
        if found == ["done"]:
            return
        assert clock.monotonic() < deadline
        clock.sleep(0.05)
