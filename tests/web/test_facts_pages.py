"""The facts, looked at on any day and one by one."""

from html import unescape

from hermes_agent.memory import facts
from tests.web.conftest import Doors
from tests.web.homes import talk


def test_a_day_is_a_date_that_the_script_gives_a_slider(doors: Doors) -> None:
    facts.add(doors.app.store, "Rex is a dog")
    browser = doors.browser("read")
    page = browser.get("/facts").text
    assert '<input type="date" name="as_of"' in page
    assert 'type="range"' not in page
    assert "Rex is a dog" in browser.get("/facts?as_of=today").text


def test_a_long_list_comes_in_parts(doors: Doors) -> None:
    for number in range(55):
        facts.add(doors.app.store, f"Room {number} is painted blue")
    browser = doors.browser()
    assert "Room 4 is" not in browser.get("/facts").text
    assert "Room 4 is" in browser.get("/facts?offset=50").text


def test_a_fact_leads_to_its_source_and_its_changes(doors: Doors) -> None:
    talk(doors.app, "Hello")
    fact = facts.add(doors.app.store, "Rex is a dog").fact
    page = doors.browser("read").get(f"/facts/{fact.id}").text
    assert 'href="/journal/' in page
    assert "Change it" not in page
    assert "Change it" in doors.browser("write").get(f"/facts/{fact.id}").text


def test_a_change_that_changed_nothing_offers_to_undo_nothing(doors: Doors) -> None:
    fact = facts.add(doors.app.store, "Rex is a dog").fact
    browser = doors.browser("write")
    tag = unescape(browser.get(f"/facts/{fact.id}").text.split('name="tag" value="')[1].split('"')[0])
    asked = {"is_pinned": "false", "tag": tag}
    assert browser.post(f"/facts/{fact.id}/pin", data=asked).headers["location"] == f"/facts/{fact.id}"
    asked["is_pinned"] = "true"
    assert "?done=" in browser.post(f"/facts/{fact.id}/pin", data=asked).headers["location"]
