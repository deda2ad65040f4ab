"""Reflections in the dashboard: listed by type, opened to their task, changed, deleted, undone."""

from hermes_agent.memory import reflections
from hermes_agent.memory.reflections import reflect_on
from hermes_agent.records.archive import NewMessage
from hermes_agent.records.reflections import Reflection
from tests.memory.test_reflections import work
from tests.web.conftest import Doors
from tests.web.forms import HOSTILE, SHOWN, submit, take_back


def learned(doors: Doors, request: str = "Run the tests of the web app") -> Reflection:
    work(doors.app.memory, "w1", request)
    reflect_on(doors.app.store, "w1")
    (found,) = reflections.recent(doors.app.store, 9)
    return found


def test_an_empty_home_has_none(doors: Doors) -> None:
    assert "No task has taught anything yet" in doors.browser("read").get("/reflections").text


def test_one_is_listed_by_its_type_and_opens_to_its_task(doors: Doors) -> None:
    one = learned(doors)
    browser = doors.browser("read")
    assert one.task in browser.get(f"/reflections?type={one.task_type}").text
    other = "writing" if one.task_type != "writing" else "data"
    assert one.task not in browser.get(f"/reflections?type={other}").text
    page = browser.get(f"/reflections/{one.id}").text
    assert "/sessions/w1?message=" in page
    assert "npx jest" in page


def test_one_is_changed_and_taken_back(doors: Doors) -> None:
    one = learned(doors)
    browser, path = doors.browser("write"), f"/reflections/{one.id}"
    page = browser.get(path)
    changed = submit(browser, page, f"{path}/edit", outcome="failed", worked="Use npx.\r\n\r\nThen tag.")
    now = reflections.get(doors.app.store, one.name)
    assert (now.outcome, list(now.worked), now.written_by) == ("failed", ["Use npx.", "Then tag."], "owner")
    assert list(now.differently) == list(one.differently)
    late = submit(browser, page, f"{path}/edit", outcome="stopped", worked="Ask <Ana> first.")
    assert late.status_code == 412 and "Ask &lt;Ana&gt; first." in late.text and "Then tag." in late.text
    assert "still there, below" in late.text and "<option selected>stopped" in late.text
    again = submit(browser, late, f"{path}/edit", outcome="done", worked="x" * 5_000)
    assert again.status_code == 422 and "x" * 5_000 in again.text
    take_back(doors, browser, changed)
    assert reflections.get(doors.app.store, one.name).lesson == one.lesson


def test_learning_leaves_what_the_owner_changed(doors: Doors) -> None:
    one = learned(doors)
    reflections.edit(doors.app.store, one.name, outcome="done", worked=["Ask Ana first."], differently=[])
    memory = doors.app.memory
    memory.append("w1", NewMessage("user", "No, that is wrong."), NewMessage("assistant", "Sorry."))
    reflect_on(doors.app.store, "w1")
    assert reflections.get(doors.app.store, one.name).lesson == "Ask Ana first."


def test_one_that_says_nothing_is_refused(doors: Doors) -> None:
    one = learned(doors)
    browser, path = doors.browser("write"), f"/reflections/{one.id}"
    page = browser.get(path)
    assert submit(browser, page, f"{path}/edit", worked=" ", differently="").status_code == 422
    assert submit(browser, page, f"{path}/edit", worked="x" * 5_000).status_code == 422
    assert submit(browser, page, f"{path}/edit", outcome="never").status_code == 422
    assert reflections.get(doors.app.store, one.name) == one


def test_one_is_deleted_and_taken_back(doors: Doors) -> None:
    one = learned(doors)
    browser, path = doors.browser("write"), f"/reflections/{one.id}/delete"
    asked = browser.get(path)
    assert one.task in asked.text
    gone = submit(browser, asked, path)
    assert reflections.recent(doors.app.store, 9) == []
    assert submit(browser, asked, path).status_code == 412
    take_back(doors, browser, gone)
    assert [each.name for each in reflections.recent(doors.app.store, 9)] == [one.name]


def test_who_may_only_read_changes_nothing(doors: Doors) -> None:
    one = learned(doors)
    reader, path = doors.browser("read"), f"/reflections/{one.id}"
    offered = doors.browser("write").get(path)
    assert submit(reader, offered, f"{path}/edit", worked="x").status_code == 403
    assert reader.get(f"{path}/delete").status_code == 403
    assert reader.post(f"{path}/delete", data={"tag": "*"}).status_code == 403
    assert reflections.get(doors.app.store, one.name) == one


def test_hostile_text_is_shown_as_text(doors: Doors) -> None:
    one = learned(doors, f"Run the tests of {HOSTILE}")
    browser = doors.browser("write")
    for path in ("/reflections", f"/reflections/{one.id}", f"/reflections/{one.id}/delete"):
        page = browser.get(path)
        assert page.status_code == 200
        assert SHOWN not in page.text


def test_what_is_not_there_is_refused(doors: Doors) -> None:
    browser = doors.browser("read")
    for path in ("/reflections/99", "/reflections/x", "/reflections/%00", "/reflections?type=%3Cb%3E"):
        assert browser.get(path).status_code in (404, 422)
    assert browser.get("/reflections?offset=-1").status_code == 422
