"""The journal: its timeline, its entries, and the way back."""

from html import unescape

from hermes_agent.memory import fact_changes, facts
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import Operation
from hermes_agent.store import journal
from tests.web.conftest import Doors
from tests.web.forms import done_of, submit
from tests.web.homes import SCRIPT, talk


def test_the_timeline_is_filtered(doors: Doors) -> None:
    talk(doors.app, "Where is the zeppelin?")
    facts.add(doors.app.store, "The zeppelin is in Friedrichshafen")
    browser = doors.browser("read")
    everything = browser.get("/journal").text
    assert "turn.answered" in everything
    assert "fact.added" in everything
    assert "fact.added" not in browser.get("/journal?what=events").text
    assert "turn.answered" not in browser.get("/journal?what=changes").text
    assert "turn.answered" not in browser.get("/journal?kind=fact").text
    assert "fact.added" in browser.get("/journal?kind=fact").text
    assert "No entry matches" in browser.get("/journal?until=2020-01-01").text
    about = browser.get("/journal?about=zeppelin").text
    assert "Where is the zeppelin?" in about
    nothing = browser.get("/journal?about=submarine").text
    assert "No entry matches" in nothing and "90 days were looked through" in nothing
    assert "looked through" not in browser.get("/journal?about=zeppelin&until=gibberish").text


def test_an_entry_opens_to_before_and_after(doors: Doors) -> None:
    fact = facts.add(doors.app.store, f"Rex is a dog {SCRIPT}").fact
    fact_changes.pin(doors.app.store, fact.name, is_pinned=True)
    page = doors.browser("read").get("/journal/2").text
    assert f'<a href="/facts/{fact.id}">fact:001</a>' in page
    assert '<td>is pinned</td><td class="was">no</td><td class="now">yes</td>' in page
    assert "Undo" not in page


def test_a_change_is_undone_and_made_again(doors: Doors) -> None:
    fact = facts.add(doors.app.store, "Rex is a dog").fact
    facts.delete(doors.app.store, fact.name)
    browser = doors.browser("write")
    asked = browser.get("/journal/2/undo").text
    assert "Undone: fact:001 was deleted." in asked
    assert facts.get(doors.app.store, "1").state == "retracted"
    done = browser.post("/journal/2/undo")
    assert facts.get(doors.app.store, "1").state == "current"
    told = browser.get(done.headers["location"]).text
    assert "Undone: " in told
    assert "fact:001</a> (“Rex is a dog”) was deleted." in told
    assert "Make it again" in told
    browser.post(f"{done.headers['location'].partition('?')[0]}/undo")
    assert facts.get(doors.app.store, "1").state == "retracted"


def test_undoing_from_a_list_leads_back_to_it(doors: Doors) -> None:
    fact = facts.add(doors.app.store, "Rex is a dog").fact
    browser = doors.browser()
    tag = browser.get(f"/facts/{fact.id}/delete").text.split('name="tag" value="')[1].split('"')[0]
    gone = browser.post(f"/facts/{fact.id}/delete", data={"tag": tag.replace("&#34;", '"')})
    page = browser.get(gone.headers["location"]).text
    path = page.split('action="/journal/')[1].split('"')[0]
    back = browser.post(f"/journal/{path}", headers={"Referer": f"http://127.0.0.1{gone.headers['location']}"})
    assert back.headers["location"].startswith("/facts?done=")
    assert "Rex is a dog" in browser.get(back.headers["location"]).text
    name = "1"
    for strange in ("https://evil.example//evil", "http://["):
        other = browser.post(f"/journal/{name}/undo", headers={"Referer": strange})
        assert other.headers["location"].startswith("/journal/")
        name = other.headers["location"].partition("?done=")[2]


def test_what_something_builds_on_is_refused_and_told(doors: Doors) -> None:
    fact = facts.add(doors.app.store, "Rex is a dog").fact
    fact_changes.edit(doors.app.store, fact.name, "Rex is a cat")
    browser = doors.browser()
    assert 'role="alert"' in browser.get("/journal/1/undo").text
    assert browser.post("/journal/1/undo").status_code == 409
    assert "Rex is a cat" in browser.get("/facts").text


def test_a_reader_undoes_nothing(doors: Doors) -> None:
    facts.add(doors.app.store, "Rex is a dog")
    browser = doors.browser("read")
    assert browser.get("/journal/1/undo").status_code == 403
    assert browser.post("/journal/1/undo").status_code == 403
    assert facts.get(doors.app.store, "1").state == "current"


def test_a_change_of_a_note_shows_its_lines(doors: Doors) -> None:
    doors.app.notebook.change("memory", [Operation("add", f"The server is called Hestia {SCRIPT}")], actor="owner")
    page = doors.browser().get("/journal?kind=note").text
    path = page.split('class="main" href="')[1].split('"')[0]
    entry = doors.browser().get(path).text
    assert "<ins>+The server is called Hestia" in entry
    assert SCRIPT not in entry


def test_two_moments_are_compared(doors: Doors) -> None:
    store = doors.app.store
    fact = facts.add(store, "Rex is a dog").fact
    facts.add(store, "Minka is a cat")
    facts.delete(store, fact.name)
    browser = doors.browser("read")
    page = browser.get("/journal/diff", params={"one": "entry:1", "other": ""}).text
    assert '<h2 id="came">Came</h2>' in page
    assert "Minka is a cat" in page
    assert '<h2 id="went">Ended</h2>' in page
    assert "Nothing differs" in browser.get("/journal/diff", params={"one": "entry:3"}).text


def test_an_undo_says_in_words_what_holds_again_and_what_goes(doors: Doors) -> None:
    facts.add(doors.app.store, "User lives in Oslo")
    fact_changes.edit(doors.app.store, "1", "I live in Trondheim")
    browser = doors.browser("write")
    asked = unescape(browser.get("/journal/2/undo").text)
    assert "“User lives in Oslo” holds again." in asked
    assert "“I live in Trondheim” goes." in asked
    undone = submit(browser, browser.get("/journal/2/undo"), browser_action(doors, 2))
    again = unescape(browser.get(f"/journal/{done_of(undone)}/undo").text)
    assert "“User lives in Oslo” does not hold any more." in again
    assert "“I live in Trondheim” is there again." in again


def browser_action(doors: Doors, number: int) -> str:
    return f"/journal/{doors.program('read').get(f'/api/journal/{number}').json()['uid']}/undo"


def test_an_undo_of_a_note_shows_its_lines(doors: Doors) -> None:
    doors.app.notebook.change("memory", [Operation("add", "Water the ficus")], actor="owner")
    asked = unescape(doors.browser("write").get("/journal/1/undo").text)
    assert "-Water the ficus" in asked


def test_a_line_of_a_note_that_looks_like_the_name_of_a_file_is_shown(doors: Doors) -> None:
    for entry in ("++ always ask", "-- never lie"):
        doors.app.notebook.change("memory", [Operation("add", entry)], actor="owner")
    doors.app.notebook.change("memory", [Operation("remove", old_text="++ always ask")], actor="owner")
    browser = doors.browser("write")
    assert "--- never lie" in unescape(browser.get("/journal/2/undo").text)
    assert "+++ always ask" in unescape(browser.get("/journal/3/undo").text)


def test_what_is_told_of_facts_has_their_words_beside_their_numbers(doors: Doors) -> None:
    facts.add(doors.app.store, "User lives in Oslo")
    fact_changes.edit(doors.app.store, "1", "I live in Trondheim")
    uid = doors.program("read").get("/api/journal/2").json()["uid"]
    browser = doors.browser("read")
    for path in (f"/facts/2?done={uid}", "/facts/1", "/journal/2"):
        page = unescape(browser.get(path).text)
        assert '<a href="/facts/2">fact:002</a> (“I live in Trondheim”)' in page, path


def test_an_entry_that_follows_from_another_shows_its_sentence(doors: Doors) -> None:
    facts.add(doors.app.store, "User lives in Oslo")
    with doors.app.store.write() as connection:
        (first,) = journal.recent(connection, 1)
        journal.write(connection, NewEntry("fact.learned", "fact:001", "It was learned.", cause=first.uid))
    page = doors.browser("read").get("/journal/2").text
    assert f'<dt>Because</dt><dd><a href="/journal/{first.id}">{first.name}</a>: ' in page
    assert f"<dd>{first.uid}" not in page


def test_a_change_made_in_the_dashboard_says_so(doors: Doors) -> None:
    browser = doors.browser("write")
    uid = done_of(submit(browser, browser.get("/facts"), "/facts", text="Rex is a dog"))
    assert "<dt>Because</dt><dd>dashboard</dd>" in browser.get(f"/journal/{uid}").text
