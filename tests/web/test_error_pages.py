"""What a person sees when something did not work: where they are, and what to do next."""

import pytest

from hermes_agent.memory import facts
from hermes_agent.memory.undo_choice import Latest
from hermes_agent.memory.undoing import undo
from hermes_agent.records.changes import Undone
from hermes_agent.records.tokens import Scope, Token
from hermes_agent.web.advice import linked
from hermes_agent.web.callers import Caller
from tests.web.conftest import Doors

OWNER = Caller(Token(1, "", "owner", "program", "admin", "", 0, None, None, None, None))


@pytest.mark.parametrize("path", ["/facts/999", "/no/such/page", "/settings", "/journal?what=nothing", "/logout"])
def test_a_mistake_leaves_the_menu_and_the_search_field(doors: Doors, path: str) -> None:
    answer = doors.browser("read").get(path)
    assert 400 <= answer.status_code < 500
    assert 'role="alert"' in answer.text
    assert 'role="search"' in answer.text
    assert 'aria-label="Pages"' in answer.text
    assert answer.text.count("<h1>") == 1


def test_a_form_without_its_word_is_told_so_within_the_site(doors: Doors) -> None:
    browser = doors.browser()
    answer = browser.post("/facts", data={"text": "Rex is a dog"}, headers={"X-CSRF-Token": "wrong"})
    assert answer.status_code == 403
    assert 'role="search"' in answer.text


def test_a_stranger_sees_nothing_of_the_home(doors: Doors) -> None:
    answer = doors.stranger().get("/no/such/page", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert 'aria-label="Pages"' not in answer.text
    assert 'role="alert"' in answer.text


def test_a_fact_that_was_undone_leads_to_the_way_back(doors: Doors) -> None:
    facts.add(doors.app.store, "Rex is a dog")
    undone = undo(doors.app.notebook, Latest())
    assert isinstance(undone, Undone)
    browser = doors.browser("write")
    answer = browser.get("/facts/1")
    assert answer.status_code == 404
    assert f'href="/journal/{undone.entry_uid}/undo"' in answer.text
    assert "hermes memory undo" not in answer.text
    assert browser.get(f"/journal/{undone.entry_uid}/undo").status_code == 200


@pytest.mark.parametrize(("scope", "of_program"), [("read", False), ("write", True)])
def test_an_error_leads_nobody_where_they_may_not_go(doors: Doors, scope: Scope, of_program: bool) -> None:
    facts.add(doors.app.store, "Rex is a dog")
    assert isinstance(undo(doors.app.notebook, Latest()), Undone)
    answer = doors.browser(scope, of_program=of_program).get("/facts/1")
    assert "hermes memory undo" in answer.text
    assert "/undo" not in answer.text


@pytest.mark.parametrize(
    ("hint", "path"),
    [
        ("List them: hermes memory facts list", "/facts"),
        ("See it: hermes memory fact show fact:012", "/facts/12"),
        ("To make it again: hermes memory undo 01a1e117-778a", "/journal/01a1e117-778a/undo"),
        ("Bring it back: hermes skills restore deploy-it.", "/skills/deploy-it"),
        ('Say it: hermes memory fact add "…"', "/facts#new-fact"),
    ],
)
def test_a_command_that_a_page_stands_for_is_a_link(hint: str, path: str) -> None:
    assert [one.path for one in linked(hint, OWNER) if one.path] == [path]
    assert "hermes" not in "".join(one.text for one in linked(hint, OWNER))


@pytest.mark.parametrize(
    "hint",
    ["Run: hermes db repair", "See why: hermes jobs list --state failed", "Then: hermes memory review accept 3"],
)
def test_what_no_page_does_stays_a_command(hint: str) -> None:
    assert linked(hint, OWNER) == [(hint, None)]
