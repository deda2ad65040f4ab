"""Two editors who looked at the same thing: one of them writes, the other is told to look again."""

import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from threading import Barrier

import pytest
from starlette.testclient import TestClient

from hermes_agent.app import App
from hermes_agent.errors import ChangedMeanwhile
from hermes_agent.memory import fact_changes, facts, reflections, skills, trait_changes
from hermes_agent.memory.skill_reading import kept
from hermes_agent.records.user_model import Trait
from tests.web.conftest import Doors
from tests.web.filled import SESSION, SKILL, fill
from tests.web.forms import submit

ROUNDS = 6
Sent = Mapping[str, str]


def raced(doors: Doors, ask: Callable[[TestClient, int], int]) -> list[int]:
    """Let two browsers ask at the same moment; return what they were answered."""
    start = Barrier(2)
    browsers = [doors.browser("admin") for _ in range(2)]

    def one(number: int) -> int:
        start.wait()
        return ask(browsers[number], number)

    with ThreadPoolExecutor(2) as pool:
        return sorted(pool.map(one, range(2)))


def tag_on(doors: Doors, path: str) -> str:
    found = re.search(r'name="tag" value="([^"]*)"', doors.browser("admin").get(path).text)
    assert found is not None
    return unescape(found[1])


@pytest.mark.parametrize(
    ("looked_at", "path", "typed"),
    [
        (f"/sessions/{SESSION}", f"/sessions/{SESSION}/rename", {"title": "Plan {round} of {editor}"}),
        ("/facts/1", "/facts/1/expire", {"day": "203{round}-0{editor}-01"}),
        ("/settings/display.timeZone", "/settings/display.timeZone", {"value": "Etc/GMT{sign}{round}"}),
    ],
)
def test_of_two_who_change_the_same_at_once_one_is_refused(
    doors: Doors, looked_at: str, path: str, typed: Sent
) -> None:
    fill(doors.app)
    for number in range(1, ROUNDS):
        tag = tag_on(doors, looked_at)

        def ask(browser: TestClient, editor: int, tag: str = tag, number: int = number) -> int:
            said = {
                name: text.format(round=number, editor=editor + 1, sign="+-"[editor])
                for name, text in typed.items()
            }
            return browser.post(path, data={**said, "tag": tag}).status_code

        assert raced(doors, ask) == [303, 412], number


def test_the_api_refuses_the_second_of_two_programs(doors: Doors) -> None:
    fill(doors.app)
    start = Barrier(2)
    programs = [doors.program("write") for _ in range(2)]
    for number in range(ROUNDS):
        tag = programs[0].get(f"/api/sessions/{SESSION}").headers["etag"]

        def ask(editor: int, tag: str = tag, number: int = number) -> int:
            start.wait()
            title = {"title": f"Plan {number} of {editor}"}
            return (
                programs[editor]
                .patch(f"/api/sessions/{SESSION}", json=title, headers={"If-Match": tag})
                .status_code
            )

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(ask, range(2))) == [200, 412]


@pytest.mark.parametrize("which", [0, -1])
def test_a_line_that_stands_on_something_else_by_now_is_not_deleted(doors: Doors, which: int) -> None:
    for tool in ("PostgreSQL", "Neovim", "Django"):
        facts.add(doors.app.store, f"I use {tool}")
    browser, line = doors.browser(), told_line(doors.app)
    path = f"/user/{trait_changes.key_of(line)}/delete"
    asked = browser.get(path)
    fact_changes.pin(doors.app.store, line.facts[which].name)
    assert submit(browser, asked, path).status_code == 412
    assert len(facts.recent(doors.app.store, 9)) == 3
    assert submit(browser, browser.get(path), path).status_code == 303
    assert facts.recent(doors.app.store, 9) == []


def test_a_line_is_deleted_whole_or_not_at_all(doors: Doors) -> None:
    for tool in ("PostgreSQL", "Neovim", "Django"):
        facts.add(doors.app.store, f"I use {tool}")
    line = told_line(doors.app)
    fact_changes.pin(doors.app.store, line.facts[-1].name)
    with pytest.raises(ChangedMeanwhile):
        trait_changes.delete(doors.app.notebook, line)
    assert len(facts.recent(doors.app.store, 9)) == 3


def told_line(app: App) -> Trait:
    """Return a line of what was told that stands on several facts."""
    return next(one for one in trait_changes.every(app.store, app.zone) if len(one.facts) == 3)


def test_what_was_seen_is_compared_where_it_is_changed(doors: Doors) -> None:
    app = doors.app
    fill(app)
    session, fact = app.memory.session(SESSION), facts.get(app.store, "1")
    lesson, skill = reflections.get(app.store, "1"), kept(app.store)["deploy"]
    change_all(app)
    stale: list[Callable[[], object]] = [
        lambda: app.memory.rename(SESSION, "Mine", seen=session),
        lambda: app.memory.delete([SESSION], "a test", seen=session),
        lambda: fact_changes.pin(app.store, "1", is_pinned=False, seen=fact),
        lambda: fact_changes.expire(app.store, "1", None, seen=fact),
        lambda: fact_changes.edit(app.store, "1", "The office is in Rome", seen=fact),
        lambda: facts.delete(app.store, "1", seen=fact),
        lambda: reflections.delete(app.store, "1", seen=lesson),
        lambda: reflections.edit(app.store, "1", outcome="done", worked=["Mine."], differently=[], seen=lesson),
        lambda: skills.edit(app.store, app.home.skills, "deploy", SKILL, seen=skill),
        lambda: skills.set_state(app.store, app.home.skills, "deploy", "archived", seen=skill),
    ]
    for change in stale:
        with pytest.raises(ChangedMeanwhile):
            change()


def change_all(app: App) -> None:
    """Change each thing as somebody else."""
    app.memory.rename(SESSION, "Theirs")
    fact_changes.pin(app.store, "1")
    reflections.edit(app.store, "1", outcome="done", worked=["Theirs."], differently=[])
    skills.edit(app.store, app.home.skills, "deploy", SKILL + "2. Deploy.\n")
