"""The chat page without the script: a form, the answer when it is there, and questions with buttons."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from starlette.testclient import TestClient

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.store.sessions import Listing
from hermes_agent.web.site import build
from tests import openai_server
from tests.openai_server import Call, Fail, Hang, Say, Use
from tests.web.conftest import ADDRESS, Doors
from tests.web.forms import submit
from tests.web.homes import talk
from tests.web.talking import PATIENCE_SECONDS


@contextmanager
def doors_with(app: App, *script: openai_server.Step) -> Iterator[Doors]:
    """Return doors to the home with a model that follows a script."""
    with openai_server.serve(*script) as model, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HERMES_BASE_URL", model.url)
        served = App(app.home, load(app.home))
        site = build(served)
        try:
            yield Doors(served, TestClient(site, base_url=ADDRESS))
        finally:
            site.state.chats.close(PATIENCE_SECONDS)
            served.close()


def test_a_message_is_answered_on_the_page_that_follows(doors: Doors) -> None:
    browser = doors.browser()
    assert "Message" in browser.get("/chat").text
    sent = browser.post("/chat", data={"message": "My name is <b>Ada</b>."})
    assert sent.status_code == 303
    page = browser.get(sent.headers["location"]).text
    assert "My name is &lt;b&gt;Ada&lt;/b&gt;." in page and "Hermes" in page
    session = re.search(r'name="session" value="([^"]+)"', page)
    assert session is not None
    again = browser.post("/chat", data={"message": "What is my name?", "session": session[1]})
    assert session[1] in again.headers["location"]
    assert browser.get(f"/chat?session={session[1]}").text.count("said user") == 2


def test_every_conversation_is_gone_on_with_however_old(doors: Doors) -> None:
    sessions = [f"s{number}" for number in range(15)]
    for session in sessions:
        talk(doors.app, f"Where is {session}?", session=session)
    browser = doors.browser()
    for session in sessions:
        assert f'href="/chat?session={session}"' in browser.get(f"/sessions/{session}").text
        answer = browser.get(f"/chat?session={session}")
        assert answer.status_code == 200 and f"Where is {session}?" in answer.text


def test_a_new_conversation_ends_the_one_it_is_begun_from(doors: Doors) -> None:
    browser, memory = doors.browser(), doors.app.memory
    page = browser.get(browser.post("/chat", data={"message": "I live in Oslo."}).headers["location"])
    (shown,) = memory.sessions(Listing(), 9)
    assert shown.session.ended_at is None
    assert browser.get("/chat").status_code == 200 and memory.session(shown.session.id).ended_at is None
    begun = submit(browser, page, "/chat/new")
    assert (begun.status_code, begun.headers["location"]) == (303, "/chat")
    assert memory.session(shown.session.id).ended_at is not None
    assert submit(browser, browser.get("/chat"), "/chat/new").status_code == 303, "nothing is there to end"


def test_a_new_conversation_does_not_wait_for_one_that_is_gone(doors: Doors) -> None:
    browser = doors.browser()
    page = browser.get(browser.post("/chat", data={"message": "I live in Oslo."}).headers["location"])
    (shown,) = doors.app.memory.sessions(Listing(), 9)
    doors.app.memory.delete([shown.session.id], "a test")
    assert submit(browser, page, "/chat/new").headers["location"] == "/chat"


def test_what_is_sent_twice_from_one_page_is_said_once(doors: Doors) -> None:
    browser = doors.browser()
    page = browser.get("/chat")
    first, second = (submit(browser, page, "/chat", message="My name is Ada.") for _ in range(2))
    assert first.headers["location"] == second.headers["location"]
    assert len(doors.app.memory.sessions(Listing(), 9)) == 1
    answered = browser.get(first.headers["location"])
    assert answered.text.count("said user") == 1
    # The same words from the next page are said again, and so are others from the first one.
    assert submit(browser, answered, "/chat", message="My name is Ada.").status_code == 303
    assert browser.get(first.headers["location"]).text.count("said user") == 2
    assert submit(browser, page, "/chat", message="My name is Eda.").status_code == 303
    assert len(doors.app.memory.sessions(Listing(), 9)) == 2


def test_a_question_has_buttons_and_waits(app: App) -> None:
    command = Use(Call("shell", json.dumps({"command": "echo <made>"})))
    with doors_with(app, command, Say("It is made.")) as doors:
        browser = doors.browser()
        page = browser.get(browser.post("/chat", data={"message": "Make it."}).headers["location"]).text
        assert "Do not allow" in page and "echo &lt;made&gt;" in page
        action = re.search(r'action="(/chat/[^/]+/approval)"', page)
        question = re.search(r'name="id" value="([^"]+)"', page)
        assert action is not None and question is not None
        answered = browser.post(action[1], data={"id": question[1], "is_allowed": "true"})
        page = browser.get(answered.headers["location"]).text
        assert "It is made." in page and "Do not allow" not in page
        assert doors.browser().post(action[1], data={"id": question[1], "is_allowed": "true"}).status_code == 404


def test_what_failed_says_why(app: App) -> None:
    with doors_with(app, Fail(401, "bad key")) as doors:
        browser = doors.browser()
        page = browser.get(browser.post("/chat", data={"message": "Hello."}).headers["location"]).text
        assert 'role="alert"' in page and "[No answer:" in page


def test_an_answer_under_way_can_be_stopped(app: App) -> None:
    with doors_with(app, Hang("Half")) as doors:
        browser = doors.browser()
        place = browser.post("/chat", data={"message": "Tell me."}).headers["location"]
        while "Half" not in (page := browser.get(place).text):
            assert "on its way" in page
        action = re.search(r'action="(/chat/[^/]+/stop)"', page)
        assert action is not None
        page = browser.get(browser.post(action[1]).headers["location"]).text
        assert "Half" in page and "Stopped here." in page


def test_who_may_only_look_cannot_talk(doors: Doors) -> None:
    session = talk(doors.app, "Where is the zeppelin?")
    browser, writer = doors.browser("read"), doors.browser("write")
    for path in ("/chat", f"/chat?session={session}"):
        page = browser.get(path).text
        assert "may look, not talk" in page and "Where is the zeppelin?" in page
        for offer in ("New conversation", "Go on with"):
            assert offer not in page and offer in writer.get(path).text
    assert "Go on with" not in browser.get(f"/sessions/{session}").text
    assert browser.post("/chat", data={"message": "Hi."}).status_code == 403
    assert doors.browser().get("/chat?session=nowhere").status_code == 404
    assert doors.browser().post("/chat", data={"message": " "}).status_code == 422


def test_a_conversation_without_a_title_is_called_by_its_first_words(doors: Doors) -> None:
    session = talk(doors.app, "Where is the zeppelin?")
    page = doors.browser("write").get("/chat", params={"session": session}).text
    head = page[: page.index('id="talk"')]
    assert '<span class="dim">Where is the zeppelin?</span>' in head
