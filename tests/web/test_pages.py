"""What is true of every page that shows memory: empty, hostile, other scripts, without the script."""

import re

import pytest

from hermes_agent.memory import facts
from tests.web.conftest import Doors
from tests.web.homes import SCRIPT, SCRIPTS, talk

PAGES = (
    "/",
    "/search",
    "/search?q=Atlas&explain=true&far=true",
    "/sessions",
    "/sessions?q=Atlas",
    "/episodes",
    "/episodes/summaries",
    "/journal",
    "/journal/diff",
    "/map",
    "/facts",
)


@pytest.mark.parametrize("path", PAGES)
def test_an_empty_home_has_every_page(doors: Doors, path: str) -> None:
    answer = doors.browser("read").get(path)
    assert answer.status_code == 200
    assert answer.text.count("<h1>") == 1


@pytest.mark.parametrize("path", PAGES)
def test_stored_text_is_never_markup(doors: Doors, path: str) -> None:
    talk(doors.app, f"Tell Ana of project Atlas {SCRIPT} {SCRIPTS}", title=f"Atlas {SCRIPT}")
    facts.add(doors.app.store, f"Atlas is led by Ana {SCRIPT}")
    page = doors.browser().get(path).text
    assert SCRIPT not in page
    assert "style=" not in page
    assert "<script>" not in page


@pytest.mark.parametrize("path", [*PAGES, "/chat", "/context?task=Atlas"])
def test_a_conversation_that_no_address_can_name_breaks_no_page(doors: Doors, path: str) -> None:
    talk(doors.app, "Tell Ana of project Atlas", session="half \ud800 and \x00 nothing")
    answer = doors.browser().get(path)
    assert answer.status_code == 200
    assert "\0" not in answer.text


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_sees_no_page(doors: Doors, path: str) -> None:
    answer = doors.stranger().get(path, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.headers["location"][:6]) == (303, "/login")


@pytest.mark.parametrize("path", PAGES)
def test_forms_work_without_the_script(doors: Doors, path: str) -> None:
    page = doors.browser().get(path).text
    for form in re.findall(r"<form.*?</form>", page, re.DOTALL):
        is_get = 'method="get"' in form or 'class="quick"' in form
        assert is_get or 'name="csrf"' in form
        assert "<button" in form or 'class="quick"' in form


@pytest.mark.parametrize(
    "path",
    [
        "/search?q=a&type=nothing",
        "/search?q=" + "x" * 3_000,
        "/search?q=a&since=no-such-day",
        "/search?q=a&as_of=%00",
        "/sessions?since=%F0%9F%A6%8A",
        "/sessions?offset=-1",
        "/sessions/nobody",
        "/sessions/nobody?message=1",
        "/sessions/..%2f..%2fetc",
        "/episodes?offset=99999999999999999999",
        "/episodes/9",
        "/episodes/nine",
        "/episodes/summaries/9",
        "/journal?kind=nothing",
        "/journal?what=nothing",
        "/journal/99",
        "/journal/%00",
        "/journal/99/undo",
        "/journal/diff?one=no-such-day",
        "/map?count=1000000",
        "/map/thing?key=nothing",
        "/map/thing",
    ],
)
def test_what_cannot_be_is_refused_with_a_word(doors: Doors, path: str) -> None:
    assert 400 <= doors.browser().get(path).status_code < 500


@pytest.mark.parametrize(
    "path",
    [
        "/search?q=dogs&since=gibberish",
        "/sessions?q=dogs&until=gibberish",
        "/episodes?about=dogs&as_of=gibberish",
        "/journal?about=dogs&since=gibberish",
        "/journal/diff?one=dogs&other=gibberish",
        "/facts?about=dogs&as_of=gibberish",
        "/context?task=dogs&as_of=gibberish",
        "/episodes/summaries?as_of=gibberish",
    ],
)
def test_a_filter_that_is_refused_stays_as_it_was_typed(doors: Doors, path: str) -> None:
    answer = doors.browser("read").get(path)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    for typed in ("gibberish",) + ("dogs",) * ("dogs" in path):
        assert f'value="{typed}"' in answer.text or f"{typed}</textarea>" in answer.text


@pytest.mark.parametrize("word", ["%00", "%ff", "'\"%3b--", "%F0%9F%A6%8A", "NOT", "*", '"', "((", "%E3%81%93"])
def test_whatever_is_looked_for_gives_a_page(doors: Doors, word: str) -> None:
    talk(doors.app, SCRIPTS)
    browser = doors.browser()
    for path in (f"/search?q={word}", f"/sessions?q={word}", f"/journal?about={word}", f"/episodes?about={word}"):
        assert browser.get(path).status_code == 200, path
