"""The search page."""

from hermes_agent.memory import facts
from tests.web.conftest import Doors
from tests.web.homes import talk


def test_hits_open_where_they_stand_with_their_words_marked(doors: Doors) -> None:
    session = talk(doors.app, "The marmalade recipe needs bitter oranges")
    fact = facts.add(doors.app.store, "Marmalade is made in January").fact
    page = doors.browser().get("/search", params={"q": "marmalade"}).text
    assert f'href="/facts/{fact.id}"' in page
    assert f'href="/sessions/{session}?message=1#m1"' in page
    assert "<mark>marmalade</mark>" in page.replace("<mark>Marmalade</mark>", "<mark>marmalade</mark>")


def test_a_type_alone_can_be_asked_for(doors: Doors) -> None:
    session = talk(doors.app, "The marmalade recipe needs bitter oranges")
    facts.add(doors.app.store, "Marmalade is made in January")
    page = doors.browser().get("/search", params={"q": "marmalade", "type": "facts"}).text
    assert "Marmalade" in page
    assert session not in page


def test_times_narrow_it(doors: Doors) -> None:
    talk(doors.app, "The marmalade recipe needs bitter oranges")
    browser = doors.browser()
    assert "bitter" in browser.get("/search", params={"q": "marmalade", "since": "yesterday"}).text
    for params in ({"until": "2020-01-01"}, {"as_of": "2020-01-01"}):
        assert "bitter" not in browser.get("/search", params={"q": "marmalade", **params}).text


def test_it_says_why(doors: Doors) -> None:
    talk(doors.app, "The marmalade recipe needs bitter oranges")
    assert "brought by" not in doors.browser().get("/search?q=marmalade").text
    page = doors.browser().get("/search?q=marmalade&explain=true").text
    assert "brought by" in page
    assert "compared, by" in page


def test_nothing_found_says_so(doors: Doors) -> None:
    talk(doors.app, "Good morning")
    assert "0 matches" in doors.browser().get("/search?q=zeppelin").text


def test_other_scripts_are_found(doors: Doors) -> None:
    session = talk(doors.app, "私の猫はタマといいます")
    assert session in doors.browser().get("/search", params={"q": "猫"}).text
