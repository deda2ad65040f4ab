"""Talking in the browser, with a model that follows a script: streamed, stopped, asked before it uses a tool."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from hermes_agent.app import App
from tests import openai_server
from tests.browser.conftest import Visit, Visiting, press, serving
from tests.openai_server import Call, Hang, Plain, Received, Say, Use

MAKE, TELL = "Make a file.", "Tell me a story."


def _answer(request: Received) -> Plain:
    """Answer by what was said last."""
    said = request.json["messages"]
    assert isinstance(said, list)
    last = said[-1]
    text = str(last["content"]).strip()
    if last["role"] == "tool":
        return Say("The file is ", "not made." if "allow" in text else "made.")
    # Memories stand around what was said.
    if text.startswith(MAKE) or text.endswith(MAKE):
        return Use(Call("shell", json.dumps({"command": "touch made"})))
    if text.startswith(TELL) or text.endswith(TELL):
        return Hang("Once upon a time")
    return Say("Your dog ", "is called ", "Rex.")


@pytest.fixture(scope="module")
def served(
    chromium: Browser, lived_in: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[App, str]]:
    """Serve a home whose model follows the script."""
    with (
        openai_server.serve(_answer) as model,
        serving(lived_in, tmp_path_factory.mktemp("chat"), HERMES_BASE_URL=model.url) as found,
    ):
        yield found


@pytest.fixture
def visit(visiting: Visiting) -> Visit:
    """Return somebody at the chat."""
    visit = visiting()
    visit.open("/chat")
    return visit


def say(page: Page, text: str) -> None:
    """Say something with the keyboard."""
    page.get_by_label("Message").fill(text)
    page.get_by_label("Message").press("Enter")


def test_an_answer_streams_with_the_memories_that_were_recalled(visit: Visit) -> None:
    page = visit.page
    say(page, "What is the name of my dog?")
    expect(page.locator(".said.user .words")).to_have_text("What is the name of my dog?")
    expect(page.locator(".said.assistant .words")).to_have_text("Your dog is called Rex.")
    expect(page.get_by_label("Message")).to_be_focused()
    page.locator(".recalled summary").click()
    expect(page.locator(".recalled pre")).to_contain_text("Rex")
    visit.check()
    say(page, "And of my dog?")
    expect(page.locator(".said.assistant")).to_have_count(2)
    page.reload()
    expect(page.locator(".said.user")).to_have_count(2)
    visit.check()


def test_a_new_conversation_ends_the_one_that_was_begun_on_the_page(served: tuple[App, str], visit: Visit) -> None:
    page, memory = visit.page, served[0].memory
    say(page, "What is the name of my dog?")
    expect(page.locator(".said.assistant .words")).to_have_text("Your dog is called Rex.")
    session = page.url.partition("session=")[2]
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".said")).to_have_count(0)
    assert memory.session(session).ended_at is not None
    visit.check()


def test_an_answer_is_stopped(visit: Visit) -> None:
    page = visit.page
    say(page, TELL)
    expect(page.locator(".said.assistant .words")).to_have_text("Once upon a time")
    press(page, "Stop")
    expect(page.get_by_text("Stopped. What was said is kept.")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    page.reload()
    expect(page.locator(".said.assistant")).to_contain_text("Once upon a time")
    visit.check()


@pytest.mark.parametrize(("button", "outcome"), [("Allow", "made."), ("Do not allow", "not made.")])
def test_a_tool_waits_for_a_yes(visit: Visit, button: str, outcome: str) -> None:
    page = visit.page
    say(page, MAKE)
    expect(page.get_by_role("alert")).to_contain_text("touch made")
    expect(page.get_by_role("button", name="Do not allow")).to_be_focused()
    visit.check()
    press(page, button)
    expect(page.locator(".said.assistant").last).to_contain_text(f"The file is {outcome}")
    expect(page.get_by_role("alert")).to_have_count(0)
    visit.check()


def test_whoever_is_logged_out_meanwhile_is_led_to_the_login(visit: Visit) -> None:
    page = visit.page
    page.context.clear_cookies()
    say(page, "What is the name of my dog?")
    expect(page.get_by_role("alert")).to_contain_text("Your login has ended")
    expect(page.get_by_label("Message")).to_have_value("What is the name of my dog?")
    page.get_by_role("link", name="log in again").click()
    expect(page).to_have_url(re.compile(r"/login\?next=%2Fchat$"))


def test_without_the_script_a_form_does(visiting: Visiting) -> None:
    page = (visit := visiting(has_script=False)).page
    visit.open("/chat")
    page.get_by_label("Message").fill("What is the name of my dog?")
    press(page, "Send")
    expect(page.locator(".said.assistant")).to_contain_text("Your dog is called Rex.")
    page.get_by_label("Message").fill(MAKE)
    press(page, "Send")
    press(page, "Allow")
    expect(page.locator(".said.assistant").last).to_contain_text("The file is made.")
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
