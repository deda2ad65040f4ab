"""The facts, looked at on any day and one by one."""

import re
from html import unescape

from httpx2 import Response
from starlette.testclient import TestClient

from hermes_agent.memory import fact_changes, facts
from hermes_agent.memory.undo_choice import Latest
from hermes_agent.memory.undoing import undo
from hermes_agent.records.changes import Undone
from tests.web.conftest import Doors
from tests.web.forms import form, submit
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


def corrected_meanwhile(doors: Doors) -> tuple[TestClient, Response]:
    """Open a fact in a browser, and let somebody else correct it."""
    facts.add(doors.app.store, "The office is in Oslo")
    browser = doors.browser("write")
    page = browser.get("/facts/1")
    fact_changes.edit(doors.app.store, "1", "The office is in Bergen")
    return browser, page


def test_a_correction_that_comes_too_late_keeps_what_was_typed_beside_the_fact_as_it_is(doors: Doors) -> None:
    browser, page = corrected_meanwhile(doors)
    late = submit(browser, page, "/facts/1/edit", text="The office is in Tromsø")
    assert late.status_code == 412
    assert "changed meanwhile" in late.text
    assert "The office is in Bergen" in late.text
    assert form(late, "/facts/2/edit").fields["text"] == "The office is in Tromsø"
    assert submit(browser, late, "/facts/2/edit").status_code == 303
    assert facts.get(doors.app.store, "3").text == "The office is in Tromsø"


def test_a_correction_of_what_was_deleted_meanwhile_can_become_a_fact(doors: Doors) -> None:
    browser, page = corrected_meanwhile(doors)
    facts.delete(doors.app.store, "2")
    late = submit(browser, page, "/facts/1/edit", text="The office is in Tromsø")
    assert late.status_code == 412
    assert form(late, "/facts").fields["text"] == "The office is in Tromsø"


def test_a_correction_of_what_was_undone_meanwhile_can_become_a_fact(doors: Doors) -> None:
    browser, _ = corrected_meanwhile(doors)
    page = browser.get("/facts/2")
    assert isinstance(undo(doors.app.notebook, Latest()), Undone)
    late = submit(browser, page, "/facts/2/edit", text="The office is in Tromsø")
    assert late.status_code == 404
    assert form(late, "/facts").fields["text"] == "The office is in Tromsø"


def contradict(doors: Doors, mine: str, theirs: str) -> None:
    """Let the owner tell a fact and then an undisputed one, and a program contradict the first."""
    fact = facts.add(doors.app.store, mine).fact
    facts.add(doors.app.store, "Rex is a dog")
    doors.program("write").patch(f"/api/facts/{fact.name}", json={"text": theirs}, headers={"If-Match": "*"})


def test_a_fact_names_what_contradicts_it(doors: Doors) -> None:
    contradict(doors, "The office is in Oslo", "It is in Rome")
    browser = doors.browser()
    for path in ("/facts", "/facts/1", "/facts/3"):
        assert "Conflicts" in browser.get(path).text and "It is in Rome" in browser.get(path).text, path
    assert "Conflicts" not in browser.get("/facts/2").text


def test_conflicts_are_those_of_the_facts_that_are_shown(doors: Doors) -> None:
    contradict(doors, "Ana lives in Oslo", "Ana lives in Rome")
    browser = doors.browser()
    for path in ("/facts?about=Ana", "/facts?about=rome"):
        assert "Conflicts" in browser.get(path).text, path
    for path in ("/facts?about=Rex", "/facts?about=nobody", "/facts?as_of=2020-01-01", "/facts?as_of=gibberish"):
        assert "Conflicts" not in browser.get(path).text, path


def test_facts_that_are_about_nothing_of_that_name_are_looked_for_by_the_words(doors: Doors) -> None:
    facts.add(doors.app.store, "The office is in Oslo")
    browser = doors.browser("read")
    page = browser.get("/facts?about=office%20%26%20more").text
    link = re.search(r'href="(/search[^"]*)"', page[page.index("No fact matches") :])
    assert link is not None
    assert browser.get(unescape(link[1])).status_code == 200


def test_a_long_text_is_refused_with_a_sentence_and_not_cut_by_the_browser(doors: Doors) -> None:
    fact = facts.add(doors.app.store, "Rex is a dog").fact
    browser = doors.browser("write")
    long = "Rex likes to walk. " * 120
    for page, action in (("/facts", "/facts"), (f"/facts/{fact.id}", f"/facts/{fact.id}/edit")):
        assert "maxlength" not in browser.get(page).text
        refused = submit(browser, browser.get(page), action, text=long)
        assert refused.status_code == 422
        assert f"A fact has at most 2,000 characters; this one has {len(long.strip()):,}." in refused.text
        assert form(refused, action).fields["text"] == long


def test_what_is_refused_stays_in_its_form(doors: Doors) -> None:
    fact = facts.add(doors.app.store, "Rex is a dog").fact
    browser = doors.browser("write")
    page = browser.get(f"/facts/{fact.id}")
    for typed in ("", "  ", "x" * 6_000):
        refused = submit(browser, page, f"/facts/{fact.id}/edit", text=typed)
        assert refused.status_code == 422
        assert 'role="alert"' in refused.text
        assert form(refused, f"/facts/{fact.id}/edit").fields["text"] == typed
        refused = submit(browser, browser.get("/facts"), "/facts", text=typed)
        assert refused.status_code == 422
        assert form(refused, "/facts").fields["text"] == typed
    refused = submit(browser, page, f"/facts/{fact.id}/expire", day="gibberish")
    assert refused.status_code == 422
    assert form(refused, f"/facts/{fact.id}/expire").fields["day"] == "gibberish"
