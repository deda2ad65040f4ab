"""All of the memory in the dashboard: exported, imported, forgotten with a receipt, reset."""

import json
import tempfile
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.errors import ChangedMeanwhile
from hermes_agent.memory import facts, reflections
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.resetting import Target
from hermes_agent.ops.forgetting import resetting
from hermes_agent.ops.steps import finish
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.notes import Operation
from hermes_agent.store import journal, receipts
from hermes_agent.store.engine import Connection
from hermes_agent.store.sessions import Listing
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from hermes_agent.web.site import build
from tests.conftest import Hermes
from tests.recall.conversations import talk
from tests.web.conftest import ADDRESS, Doors
from tests.web.filled import fill
from tests.web.forms import HOSTILE, SHOWN, form, submit


def held(doors: Doors) -> list[str]:
    return [fact.text for fact in facts.recent(doors.app.store, 99)]


def looked(browser: TestClient, asked: Mapping[str, str]) -> Response:
    """Ask what would be forgotten, again as often as the page wants it."""
    while "Refresh" in (answer := browser.get("/data/forget", params=asked)).headers:
        assert '<form method="post" action="/data/forget"' not in answer.text
    return answer


@pytest.mark.parametrize("ending", ["json", "zst"])
def test_an_export_is_downloaded_and_comes_back(doors: Doors, ending: str) -> None:
    facts.add(doors.app.store, "The office is in Oslo")
    browser = doors.browser()
    file = browser.get(f"/data/export?form={ending}")
    assert "attachment" in file.headers["Content-Disposition"]
    assert int(file.headers["Content-Length"]) == len(file.content)
    if ending == "json":
        assert json.loads(file.content)["facts"]
    facts.delete(doors.app.store, facts.recent(doors.app.store, 1)[0].name)
    name = f"memory.json{'.zst' if ending == 'zst' else ''}"
    fields = form(browser.get("/data"), "/data/import").fields
    told = browser.post("/data/import", data={**fields, "own": "true"}, files={"file": (name, file.content)})
    assert told.status_code == 200
    assert "is here already" in told.text or "Came" in told.text or "as it was exported" in told.text


def test_conversations_of_another_program_come_in(doors: Doors) -> None:
    said = [{"role": "user", "content": f"I live in Oslo {HOSTILE}", "timestamp": 1_760_000_000}]
    chat = json.dumps({"id": "brought", "started_at": 1_760_000_000, "messages": said}).encode()
    told = doors.browser().post("/data/import", files={"file": ("chat.json", chat)})
    assert "Imported 1 session; 1 new message." in told.text
    assert "send it again, and say that it is your own" in told.text


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"{", b"[]", b"[" * 100_000, HOSTILE.encode()])
def test_what_cannot_be_read_is_refused_by_its_own_name(doors: Doors, content: bytes) -> None:
    refused = doors.browser().post("/data/import", files={"file": (f"{HOSTILE}.json", content)})
    assert refused.status_code == 422
    assert "/hermes-" not in refused.text
    assert SHOWN not in refused.text


def test_what_would_be_forgotten_is_shown_and_asked_for(doors: Doors) -> None:
    talk(doors.app.memory, "s1", "My cat is called Minka Zwieback.", "A fine name.")
    fact = facts.add(doors.app.store, "Minka Zwieback is my cat").fact
    browser = doors.browser()
    asked = looked(browser, {"what": "about", "value": "Minka Zwieback"})
    assert "Minka" in asked.text
    mistyped = submit(browser, asked, "/data/forget", word="yes")
    assert mistyped.status_code == 422 and "Nothing was forgotten" in mistyped.text
    assert "Minka Zwieback is my cat" in held(doors)
    gone = submit(browser, mistyped, "/data/forget", word="forget")
    assert gone.status_code == 303
    assert held(doors) == []
    receipt = browser.get(gone.headers["location"])
    assert "about" in receipt.text
    assert "Minka" not in receipt.text
    verified = submit(browser, receipt, gone.headers["location"] + "/verify")
    assert "Nothing is left of it" in verified.text
    assert fact.name not in verified.text
    assert "receipt:001" in browser.get("/data/receipts").text


def test_an_export_comes_back_after_something_was_forgotten_by_its_name(doors: Doors) -> None:
    facts.add(doors.app.store, "Minka Zwieback is my cat")
    browser = doors.browser()
    asked = looked(browser, {"what": "about", "value": "Minka"})
    assert submit(browser, asked, "/data/forget", word="forget").status_code == 303
    file = browser.get("/data/export").content
    told = browser.post("/data/import", files={"file": ("memory.json", file)})
    assert "is here already" in told.text


def test_a_page_does_not_wait_for_what_would_be_forgotten(doors: Doors) -> None:
    facts.add(doors.app.store, "Minka Zwieback is my cat")
    browser, asked = doors.browser(), {"what": "about", "value": "Minka Zwieback"}
    with doors.app.store.write():  # looking waits for it
        answer = browser.get("/data/forget", params=asked)
        assert ("Refresh" in answer.headers, "Minka Zwieback is my cat" in answer.text) == (True, False)
        assert "nothing has been forgotten" in answer.text
    assert "Minka Zwieback is my cat" in looked(browser, asked).text


def test_what_was_looked_for_before_it_was_forgotten_is_not_shown_after(doors: Doors) -> None:
    facts.add(doors.app.store, "Minka Zwieback is my cat")
    browser, asked = doors.browser(), {"what": "about", "value": "Minka Zwieback"}
    with doors.app.store.write():  # looking waits for it
        assert "Refresh" in browser.get("/data/forget", params=asked).headers
    other = doors.browser()
    assert submit(other, looked(other, asked), "/data/forget", word="forget").status_code == 303
    assert "Minka Zwieback is my cat" not in looked(browser, asked).text


@pytest.mark.parametrize("target", ["facts", "notes", "sessions", "all"])
def test_a_reset_takes_what_was_shown(doors: Doors, target: Target) -> None:
    talk(doors.app.memory, "s1", "My cat is called Minka Zwieback.", "A fine name.")
    facts.add(doors.app.store, "Minka Zwieback is my cat")
    doors.app.notebook.change("user", [Operation("add", "Has a cat")], actor="owner")
    shown = resetting.preview(doors.app.forgetting, [target]).counts
    receipt = finish(resetting.carry_out(doors.app.forgetting, [target]))
    # Emptying a note is a change itself: a version of it, and an entry of the journal.
    assert all(receipt.counts[name] - count in (0, 1) for name, count in shown.items())
    assert receipt.counts.keys() == shown.keys()


def test_what_is_another_by_now_is_shown_again(doors: Doors) -> None:
    facts.add(doors.app.store, "Minka Zwieback is my cat")
    browser = doors.browser()
    asked = looked(browser, {"what": "about", "value": "Minka Zwieback"})
    facts.add(doors.app.store, "Minka Zwieback eats fish")
    assert submit(browser, asked, "/data/forget", word="forget").status_code == 412
    assert len(held(doors)) == 2


@pytest.mark.parametrize("door", ["page", "api"])
def test_as_much_of_something_else_is_not_what_was_shown(doors: Doors, door: str) -> None:
    memory = doors.app.memory
    talk(memory, "s0", *(f"Zebulon called {number} times." for number in range(6)))  # more than is shown of it
    talk(memory, "s1", "Zebulon owes me ten euros.")
    send = asked_to_forget(doors, door, "Zebulon")
    memory.delete(["s1"], "a test")
    talk(memory, "s2", "Zebulon gave me the key of the safe.")
    assert send().status_code == 412
    assert [one.content for one in memory.window("s2")] == ["Zebulon gave me the key of the safe."]
    assert asked_to_forget(doors, door, "Zebulon")().status_code in (200, 303)
    assert memory.window("s2") == []


@pytest.mark.parametrize("door", ["page", "api"])
def test_what_only_quotes_it_is_not_another_either(doors: Doors, door: str) -> None:
    memory = doors.app.memory
    talk(memory, "s1", "The vault of Zebulon opens with krzbtwf flmqvxd.")
    talk(memory, "s2", "What opens the door?", "It opens with krzbtwf flmqvxd.")
    send = asked_to_forget(doors, door, "Zebulon")
    memory.delete(["s2"], "a test")
    talk(memory, "s3", "What opens my bicycle?", "That opens with krzbtwf flmqvxd.")
    assert send().status_code == 412
    assert memory.window("s3")[1].content == "That opens with krzbtwf flmqvxd."
    assert asked_to_forget(doors, door, "Zebulon")().status_code in (200, 303)
    assert "krzbtwf" not in (memory.window("s3")[1].content or "")


def asked_to_forget(doors: Doors, door: str, name: str) -> Callable[[], Response]:
    """Look at what would be forgotten of somebody; return what forgets that."""
    if door == "page":
        browser = doors.browser()
        asked = looked(browser, {"what": "about", "value": name})
        return lambda: submit(browser, asked, "/data/forget", word="forget")
    program, wanted = doors.program(), {"about": name}
    tag = {"If-Match": program.post("/api/forget/preview", json=wanted).headers["ETag"]}
    return lambda: program.post("/api/forget", json=wanted, headers=tag)


def test_what_was_forgotten_may_be_learned_again(doors: Doors) -> None:
    facts.add(doors.app.store, "Minka Zwieback is my cat")
    browser = doors.browser()
    asked = looked(browser, {"what": "id", "value": "fact:001"})
    place = submit(browser, asked, "/data/forget", word="forget").headers["location"]
    refused = browser.post("/facts", data={"text": "Minka Zwieback is my cat"})
    assert refused.status_code == 422
    page = browser.get(place)
    assert submit(browser, page, f"{place}/unblock").status_code == 303
    assert submit(browser, page, f"{place}/unblock").status_code == 412
    assert browser.post("/facts", data={"text": "Minka Zwieback is my cat"}).status_code == 303


def test_backups_are_made_anew_without_it(doors: Doors) -> None:
    browser = doors.browser()
    assert "No backup holds anything" in browser.post("/data/receipts/backups").text


@pytest.mark.parametrize(
    ("what", "value"),
    [("id", "fact:99"), ("id", "\x00"), ("about", "x"), ("session", "nowhere"), ("before", "yonder"), ("id", " ")],
)
def test_what_is_not_there_is_not_forgotten(doors: Doors, what: str, value: str) -> None:
    answer = looked(doors.browser(), {"what": what, "value": value})
    assert answer.status_code in (404, 422)
    assert doors.browser().get("/data/forget?what=all&value=x").status_code == 422


def test_an_entry_is_shown_by_its_own_words_or_told_to_have_none(doors: Doors) -> None:
    facts.add(doors.app.store, "The office is in Oslo")
    with doors.app.store.write() as connection:
        rebuilt = journal.write(connection, NewEntry("index.rebuilt", "index", "The text index was rebuilt."))
        (added,) = journal.recent(connection, 1, subject="fact:001")
    shown, empty = (looked(doors.browser(), {"what": "id", "value": one}).text for one in (added.name, rebuilt))
    words = shown.split("Some of its words")[1]
    assert "<li>The office is in Oslo</li>" in words and words.count("<li>") == 1
    assert "Some of its words" not in empty and "only the entry goes" in empty


def test_a_reset_shows_what_goes_and_wants_the_profiles_name(doors: Doors) -> None:
    facts.add(doors.app.store, "The office is in Oslo")
    browser = doors.browser()
    asked = browser.get("/data/reset?target=facts&target=notes")
    assert "facts" in asked.text and "undone" not in asked.text.split("</dl>")[1]
    assert "nothing from before can be undone or compared" in browser.get("/data/reset?target=journal").text
    assert submit(browser, asked, "/data/reset", word="yes").status_code == 422
    assert held(doors) == ["The office is in Oslo"]
    fields = form(asked, "/data/reset").fields
    assert fields["backup"] == "true"
    body = {**fields, "target": ["facts", "notes"], "word": "default"}
    facts.add(doors.app.store, "Rex is a dog")
    assert browser.post("/data/reset", data=body).status_code == 412
    fresh = form(browser.get("/data/reset?target=facts&target=notes"), "/data/reset").fields
    gone = browser.post("/data/reset", data={**fresh, "target": ["facts", "notes"], "word": "default"})
    assert gone.status_code == 303
    assert held(doors) == []
    assert "reset" in browser.get(gone.headers["location"]).text
    assert list(doors.app.home.backups.glob("*.age")), "a backup was made first"


class Overheard(Sqlite):
    """A store in which something is said as soon as a backup has copied it."""

    def copy_to(self, connection: Connection, target: Path) -> None:
        super().copy_to(connection, target)
        with closing(Store(Sqlite(self.path, cache=self.cache), "default")) as other:
            talk(Memory(other, "default"), "s2", "The key is under the mat.")


@pytest.mark.parametrize("target", ["sessions", "all"])
def test_what_is_said_while_the_backup_is_made_is_not_reset(own_home: Home, target: Target) -> None:
    paths.ensure(own_home)
    store = Store(Overheard(own_home.state_db, cache=own_home.cache), "default")
    with closing(App(own_home, load(own_home), store=store)) as app:
        talk(app.memory, "s1", "My cat is called Minka Zwieback.", "A fine name.")
        app.notebook.change("user", [Operation("add", "Has a cat")], actor="owner")
        browser = Doors(app, TestClient(build(app), base_url=ADDRESS)).browser()
        asked = browser.get(f"/data/reset?target={target}")
        refused = submit(browser, asked, "/data/reset", word="default")
        assert refused.status_code == 412
        assert "nothing was reset" in refused.text
        assert app.memory.window("s2")[0].content == "The key is under the mat."
        assert "Has a cat" in app.notebook.text("user")
        assert list(own_home.backups.glob("*.age"))
        fresh = form(browser.get(f"/data/reset?target={target}"), "/data/reset").fields
        del fresh["backup"]
        assert browser.post("/data/reset", data={**fresh, "word": "default"}).status_code == 303
        assert app.memory.sessions(Listing(), 9) == []


def test_what_came_before_a_reset_begins_but_was_not_shown_is_not_reset(doors: Doors) -> None:
    place = doors.app.forgetting
    fill(doors.app)
    seen = resetting.preview(place, ["reflections"])
    reflections.edit(doors.app.store, "1", outcome="done", worked=["Mine."], differently=[])
    with pytest.raises(ChangedMeanwhile, match="nothing was reset"):
        finish(resetting.carry_out(place, ["reflections"], seen))
    seen = resetting.preview(place, ["reflections"])
    facts.add(doors.app.store, "Rex is a dog")  # is not reset, so it may come
    finish(resetting.carry_out(place, ["reflections"], seen))
    assert resetting.preview(place, ["all"]).counts["reflections"] == 0
    assert "Rex is a dog" in held(doors)


def test_a_reset_of_nothing_is_refused(doors: Doors) -> None:
    browser = doors.browser()
    assert browser.get("/data/reset").status_code == 422
    assert browser.get("/data/reset?target=everything").status_code == 422


def test_only_admins_take_all_or_destroy(doors: Doors) -> None:
    facts.add(doors.app.store, "The office is in Oslo")
    writer = doors.browser("write")
    for path in ("/data/export", "/data/forget?what=id&value=fact:1", "/data/reset?target=all", "/data/receipts"):
        assert writer.get(path).status_code == 403
    forget = {"what": "id", "value": "fact:1", "word": "forget", "tag": "*"}
    assert writer.post("/data/forget", data=forget).status_code == 403
    assert writer.post("/data/reset", data={"target": "all", "word": "default", "tag": "*"}).status_code == 403
    assert writer.post("/data/import", files={"file": ("x.json", b"[]")}).status_code == 403
    assert held(doors) == ["The office is in Oslo"]
    with doors.app.store.read() as connection:
        assert receipts.every(connection) == []


def test_an_empty_home_has_nothing_to_show(doors: Doors) -> None:
    browser = doors.browser()
    assert "Nothing was forgotten yet" in browser.get("/data/receipts").text
    assert browser.get("/data/export").status_code == 200
    for path in ("/data/receipts/1", "/data/receipts/x", "/data/receipts/%00"):
        assert browser.get(path).status_code in (404, 422)


def test_an_upload_to_an_encrypted_home_waits_in_no_plain_file(
    hermes: Hermes, own_home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HERMES_PASSPHRASE", "a long way to the harbour")
    hermes("memory", "fact", "add", "Rex is a dog")
    assert hermes("encrypt", "--yes").exit_code == 0
    with closing(App(own_home, load(own_home))) as app:
        browser = Doors(app, TestClient(build(app), base_url=ADDRESS)).browser()
        # Whatever would be put there fails.
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
        answer = browser.post("/data/import", files={"file": ("large.json", b"x" * 3_000_000)})
    assert answer.status_code == 422
