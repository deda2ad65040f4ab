"""Episodes and the summaries that stand for old ones."""

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.errors import UsageError
from hermes_agent.memory import compressing, summary_changes
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import learned
from tests.web.conftest import Doors
from tests.web.forms import HOSTILE, SHOWN, submit, take_back
from tests.web.homes import SCRIPT, talk

_PAGE = "/episodes/summaries/1"


def compress(app: App) -> None:
    """Let summaries stand for everything that was said."""
    assert any(compressing.compress(app.store, compressing.Wanted(clock.now() + 1, actor="owner")))


def test_episodes_are_listed_and_open(doors: Doors) -> None:
    session = talk(doors.app, "The zeppelin lands at noon", f"It is called Albatross {SCRIPT}")
    browser = doors.browser("read")
    page = browser.get("/episodes").text
    assert page.index("Albatross") < page.index("zeppelin")
    assert f'href="/sessions/{session}?message=1#m1"' in page
    one = browser.get("/episodes/1").text
    assert "The zeppelin lands at noon" in one
    assert "That has 26 letters." in one


def test_they_are_narrowed_by_time_and_by_what_they_name(doors: Doors) -> None:
    talk(doors.app, "Ana leads Project Atlas", "The weather is fine today")
    browser = doors.browser()
    assert "weather" not in browser.get("/episodes?about=Atlas").text
    assert "Ana leads" in browser.get("/episodes?about=Atlas").text
    for params in ("until=2020-01-01", "as_of=2020-01-01", "since=2999-01-01", "about=Zeppelin"):
        assert "No episode matches" in browser.get(f"/episodes?{params}").text


def test_many_episodes_come_in_parts(doors: Doors) -> None:
    talk(doors.app, *(f"Thought number {number} of the day" for number in range(35)))
    browser = doors.browser()
    first, rest = browser.get("/episodes").text, browser.get("/episodes?offset=30").text
    assert "number 34 " in first
    assert "number 4 " not in first
    assert "number 4 " in rest
    assert "number 0 " in rest


def summarize(app: App) -> str:
    """Let a summary stand for a conversation; return that."""
    session = talk(app, "We deploy the website with rsync", "The website is deployed every Friday with rsync")
    app.memory.end(session, "done")
    with app.store.write() as connection:
        learned.set_reached(connection, session, 10**6)
    compress(app)
    return session


def test_a_summary_opens_to_its_messages_and_is_taken_apart(doors: Doors) -> None:
    session = summarize(doors.app)
    browser = doors.browser("write")
    assert "summary:001" in browser.get("/episodes/summaries").text
    assert "There are no summaries" in browser.get("/episodes/summaries?as_of=2020-01-01").text
    page = browser.get("/episodes/summaries/1").text
    assert f'href="/sessions/{session}?message=1#m1"' in page
    path = page.split('class="button" href="')[1].split('"')[0]
    assert "Memory will be as it was before" in browser.get(path).text
    assert browser.post(path).status_code == 303
    assert "There are no summaries yet" in browser.get("/episodes/summaries").text


def test_a_summary_without_a_line_offers_none_to_be_put_right(doors: Doors) -> None:
    session = doors.app.memory.begin(NewSession())
    doors.app.memory.append(session, NewMessage("user", "I like figs."), NewMessage("assistant", "Noted."))
    doors.app.memory.end(session, "done")
    compress(doors.app)
    browser = doors.browser("write")
    page = browser.get(_PAGE).text
    assert "Nothing that was said is told again in it." in page and "Say it in your words" not in page
    assert "Take it apart" in page
    with pytest.raises(UsageError, match="no line to put right"):
        summary_changes.edit(doors.app.store, "1", topic="figs", lines=[])


def test_a_summary_is_put_right_line_by_line_and_taken_back(doors: Doors) -> None:
    summarize(doors.app)
    browser = doors.browser("write")
    page = browser.get(_PAGE)
    (before,) = compressing.recent(doors.app.store, 9)
    right = [f"The website is deployed with {HOSTILE}", *("" for _ in before.lines[1:])]
    changed = submit(browser, page, f"{_PAGE}/edit", topic="The site", line=right)
    (now,) = compressing.recent(doors.app.store, 9)
    assert (now.topic, [one["text"] for one in now.lines]) == ("The site", [right[0]])
    shown = browser.get(changed.headers["location"])
    assert "summary:001 was changed." in shown.text and SHOWN not in shown.text
    late = submit(browser, page, f"{_PAGE}/edit", topic="Late", line=right)
    assert late.status_code == 412
    take_back(doors, browser, changed)
    assert compressing.recent(doors.app.store, 9) == [before]


def test_what_a_summary_cannot_say_stays_in_the_form(doors: Doors) -> None:
    summarize(doors.app)
    browser = doors.browser("write")
    (before,) = compressing.recent(doors.app.store, 9)
    nothing = [""] * len(before.lines)
    for topic, lines in (
        ("Typed", nothing),
        ("Typed", []),
        (" ", nothing),
        ("Typed", ["x" * 5_000, *nothing[1:]]),
        ("Typed" * 60, ["Said", *nothing[1:]]),
    ):
        assert "maxlength" not in browser.get(_PAGE).text
        refused = submit(browser, browser.get(_PAGE), f"{_PAGE}/edit", topic=topic, line=lines)
        assert refused.status_code == 422
        assert 'role="alert"' in refused.text and (not topic.strip() or f'value="{topic}"' in refused.text)
    assert compressing.recent(doors.app.store, 9) == [before]


def test_who_may_only_read_is_offered_no_change_of_a_summary(doors: Doors) -> None:
    summarize(doors.app)
    reader = doors.browser("read")
    assert f"{_PAGE}/edit" not in reader.get(_PAGE).text
    offered = doors.browser("write").get(_PAGE)
    assert submit(reader, offered, f"{_PAGE}/edit", topic="x").status_code == 403
