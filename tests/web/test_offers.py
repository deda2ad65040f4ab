"""A page offers a browser only what it may do: every link opens, and no form is refused for want of a right."""

import re
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest
from starlette.testclient import TestClient

from hermes_agent.memory import facts
from hermes_agent.records.tokens import Scope
from tests.web.conftest import Doors
from tests.web.filled import fill
from tests.web.forms import forms

_MOST_PAGES = 600


@pytest.fixture
def no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a browser ask as often as it likes."""
    monkeypatch.setenv("HERMES_WEB_REQUESTS_PER_MINUTE", "0")


def walk(browser: TestClient) -> dict[str, str]:
    """Follow every link from the overview on; return where each form is sent, and the page it is on."""
    waiting, seen, found = ["/"], {"/"}, {}
    while waiting:
        path = waiting.pop()
        answer = browser.get(path)
        # Some links are of what was forgotten.
        assert answer.status_code in (200, 404), (path, answer.text[-800:])
        for one in forms(answer):
            if one.method == "post":
                found[one.action] = path
        for link in re.findall(r'<a [^>]*href="([^"#]*)', answer.text):
            there = urlsplit(urljoin(path, unescape(link)))
            to = there.path + (f"?{there.query}" if there.query else "")
            if to not in seen:
                seen.add(to)
                waiting.append(to)
    assert len(seen) < _MOST_PAGES
    return found


@pytest.mark.parametrize("of_program", [False, True], ids=["let in by a link", "let in by a token"])
@pytest.mark.parametrize("scope", ["read", "write"])
def test_a_page_offers_only_what_the_browser_may_do(
    no_limit: None, doors: Doors, scope: Scope, of_program: bool
) -> None:
    fill(doors.app)
    facts.add(doors.app.store, "I live in Oslo")
    browser = doors.browser(scope, of_program=of_program)
    sent = walk(browser)
    assert (len(sent) > 1) == (scope == "write")
    assert ("/facts" in sent) == (scope == "write" and not of_program)
    for action, page in sent.items():
        if action != "/logout":
            assert browser.post(action, data={"tag": "none"}).status_code != 403, (page, action)


def test_what_was_done_is_told_without_an_undo_to_who_may_not(doors: Doors) -> None:
    facts.add(doors.app.store, "The office is in Oslo")
    reader = doors.program("read")
    (entry,) = reader.get("/api/journal", params={"kind": "fact"}).json()["items"]
    path = f"/facts?done={entry['uid']}"
    assert f"/journal/{entry['uid']}/undo" in doors.browser("write").get(path).text
    for browser in (doors.browser("read"), doors.browser("write", of_program=True)):
        page = browser.get(path).text
        assert "was added." in page
        assert "/undo" not in page
