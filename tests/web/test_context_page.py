"""The context inspector: what would be recalled for a task, as it is sent, and why."""

from html import unescape

import pytest

from hermes_agent.memory import facts
from hermes_agent.records.archive import NewMessage, NewSession
from tests.recall.conversations import talk
from tests.web.conftest import Doors
from tests.web.forms import HOSTILE, SHOWN


def test_an_empty_home_recalls_nothing(doors: Doors) -> None:
    browser = doors.browser("read")
    assert "As it is sent" not in browser.get("/context").text
    assert "Memory holds nothing that fits." in browser.get("/context?task=Which+database").text


def test_it_shows_the_block_as_it_is_sent_and_why(doors: Doors) -> None:
    fact = facts.add(doors.app.store, "Atlas uses PostgreSQL 16").fact
    talk(doors.app.memory, "s1", "What is the weather like?", "It rains.")
    page = doors.browser("read").get("/context", params={"task": "Which database does Atlas use?"}).text
    assert doors.app.memory.recall("Which database does Atlas use?").text.splitlines()[0].startswith("<")
    assert "&lt;memory-context&gt;" in page or "memory-context" in page
    assert f"/facts/{fact.id}" in page
    assert "a current fact that names Atlas" in page
    assert "relevance" in page
    assert "found by" in page


def test_what_the_budget_cuts_is_told(doors: Doors) -> None:
    facts.add(doors.app.store, "Atlas uses PostgreSQL 16")
    page = doors.browser("read").get("/context", params={"task": "Which database does Atlas use?", "budget": "1"})
    assert "over the budget" in page.text


def test_it_can_ask_for_an_earlier_day(doors: Doors) -> None:
    facts.add(doors.app.store, "Atlas uses PostgreSQL 16")
    params = {"task": "Which database does Atlas use?", "as_of": "2020-01-01"}
    assert "PostgreSQL 16" not in doors.browser("read").get("/context", params=params).text


@pytest.mark.parametrize(
    "query", ["task=x&as_of=yonder", "task=x&budget=-1", "task=x&budget=9e9", f"task={'x' * 5000}"]
)
def test_a_wrong_question_is_refused(doors: Doors, query: str) -> None:
    assert doors.browser("read").get(f"/context?{query}").status_code == 422


def test_a_task_that_is_too_long_is_neither_cut_nor_lost(doors: Doors) -> None:
    browser, task = doors.browser("read"), "x" * 5_000
    assert "maxlength" not in browser.get("/context").text
    refused = browser.get("/context", params={"task": task})
    assert refused.status_code == 422
    assert "A task has at most 4,000 characters here; this one has 5,000. Say it shorter." in refused.text
    assert f"{task}</textarea>" in refused.text


def test_hostile_text_is_shown_as_text(doors: Doors) -> None:
    facts.add(doors.app.store, f"Atlas is called {HOSTILE}")
    page = doors.browser("read").get("/context", params={"task": f"What is Atlas called? {HOSTILE}"})
    assert page.status_code == 200
    assert SHOWN not in page.text


def test_what_a_thing_is_marked_with_is_said_once(doors: Doors) -> None:
    memory = doors.app.memory
    memory.begin(NewSession(id="s1"))
    memory.append("s1", NewMessage("user", "Read the page on zeppelins."))
    memory.append("s1", NewMessage("tool", "Zeppelins fly on helium.", tool_name="web", source_class="web"))
    memory.append("s1", NewMessage("assistant", "Zeppelins fly on helium, says the page."))
    memory.end("s1", "done")
    task = {"task": "What do zeppelins fly on?"}
    marks = [hit.mark for hit in doors.app.memory.recall(task["task"]).hits if hit.mark]
    page = unescape(doors.browser("read").get("/context", params=task).text)
    listed = page[page.index('<ul class="rows">') :]
    assert marks
    for mark in marks:
        assert listed.count(mark) == marks.count(mark)
