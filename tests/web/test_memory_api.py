"""What is remembered over HTTP: searched, previewed, learned, journalled, undone, reviewed, forgotten."""

import pytest

from hermes_agent.memory import facts
from tests.web.conftest import Doors
from tests.web.filled import SESSION, fill


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch, doors: Doors) -> Doors:
    """Return doors to a home with something of everything."""
    fill(doors.app)
    return doors


def test_a_search_tells_what_and_why(filled: Doors) -> None:
    program = filled.program("read")
    found = program.get("/api/search", params={"q": "Where is the office?", "explain": "true"}).json()
    assert found["results"][0]["id"] == "fact:001"
    assert found["results"][0]["explain"]["passes"]
    only = program.get("/api/search", params={"q": "metric", "type": "notes"}).json()
    assert {one["type"] for one in only["results"]} == {"notes"}
    past = program.get("/api/search", params={"q": "office", "type": "facts", "as_of": "2001-01-01"}).json()
    assert past["results"] == []
    assert program.get("/api/search", params={"q": "x", "type": "notes", "since": "today"}).status_code == 422


def test_a_context_is_previewed_as_memory_stands_and_stood(filled: Doors) -> None:
    facts.add(filled.app.store, "The Atlas office is in Bergen")
    program = filled.program("read")
    task = "Plan a visit to the Atlas office"
    now = program.post("/api/context", json={"task": task}).json()
    assert "Bergen" in now["text"] and now["items"][0]["reason"]
    then = program.post("/api/context", json={"task": task, "as_of": "2001-01-01"}).json()
    assert "Bergen" not in then["text"]
    assert program.post("/api/context", json={"task": "x", "as_of": "no date"}).status_code == 422


def test_episodes_and_summaries_open_to_their_messages(filled: Doors) -> None:
    program = filled.program("read")
    listed = program.get("/api/episodes", params={"session": SESSION}).json()["items"]
    opened = program.get(f"/api/episodes/{listed[0]['id']}").json()
    assert opened["messages"]
    (summary,) = program.get("/api/summaries").json()["items"]
    assert program.get(f"/api/summaries/{summary['id']}/messages").json() == {"items": [], "next": None}


def test_a_reflection_is_deleted_and_brought_back(filled: Doors) -> None:
    program = filled.program("admin")
    (one,) = program.get("/api/reflections").json()["items"]
    shown = program.get(f"/api/reflections/{one['id']}")
    gone = program.delete(f"/api/reflections/{one['id']}", headers={"If-Match": shown.headers["ETag"]})
    assert gone.json()["state"] == "deleted"
    entry = program.get("/api/journal", params={"kind": "reflection"}).json()["items"][0]
    assert program.post(f"/api/journal/{entry['uid']}/undo").status_code == 200
    assert program.get("/api/reflections").json()["items"] == [one]


def test_the_user_model_names_its_evidence(filled: Doors) -> None:
    facts.add(filled.app.store, "My favourite editor is Vim")
    items = filled.program("read").get("/api/user").json()["items"]
    assert items and items[0]["evidence"][0]["id"].startswith("fact:")


def test_a_change_is_undone_once_and_made_again(filled: Doors) -> None:
    program = filled.program("admin")
    made = program.post("/api/facts", json={"text": "The tea is green"}).json()
    (entry,) = program.get("/api/journal", params={"subject": made["id"]}).json()["items"]
    assert program.get(f"/api/journal/{entry['uid']}").json()["can_be_undone"]
    undone = program.post(f"/api/journal/{entry['uid']}/undo").json()
    assert program.get(f"/api/facts/{made['id']}").status_code == 404
    assert program.post(f"/api/journal/{undone['uid']}/undo").status_code == 200
    assert program.get(f"/api/facts/{made['id']}").json()["text"] == "The tea is green"
    assert program.post("/api/journal/999999/undo").status_code == 404
    told = program.get("/api/journal/diff", params={"from": "yesterday"}).json()
    assert "The tea is green" in [one["text"] for one in told["facts"]["added"]]


def test_what_contradicts_is_listed(filled: Doors) -> None:
    program = filled.program("admin")
    program.patch("/api/facts/1", json={"is_pinned": True}, headers={"If-Match": "*"})
    program.post("/api/facts", json={"text": "The office is in Bergen"})
    listed = program.get("/api/facts/conflicts").json()["items"]
    assert [len(one["facts"]) for one in listed] == [2] * len(listed)


def test_what_waits_is_decided_once(filled: Doors) -> None:
    program = filled.program("admin")
    (one, *_) = program.get("/api/review").json()["items"]
    assert program.post(f"/api/review/{one['id']}/reject").json()["state"] == "rejected"
    assert program.post(f"/api/review/{one['id']}/reject").status_code == 422
    assert one["id"] in [each["id"] for each in program.get("/api/review?state=rejected").json()["items"]]


def test_forgetting_is_shown_first_and_proved_after(filled: Doors) -> None:
    admin = filled.program("admin")
    wanted = {"id": "fact:001"}
    assert admin.post("/api/forget", json=wanted).status_code == 428
    shown = admin.post("/api/forget/preview", json=wanted)
    assert shown.json()["counts"]["facts"] == 1
    assert admin.get("/api/facts/1").status_code == 200
    facts.add(filled.app.store, "The office is in Oslo, by the sea")
    stale = admin.post("/api/forget", json={"about": "Oslo"}, headers={"If-Match": shown.headers["ETag"]})
    assert stale.status_code == 412
    again = admin.post("/api/forget/preview", json=wanted)
    receipt = admin.post("/api/forget", json=wanted, headers={"If-Match": again.headers["ETag"]}).json()
    assert receipt["state"] == "done" and admin.get("/api/facts/1").status_code == 404
    assert admin.get(f"/api/receipts/{receipt['uid']}").json() == receipt
    assert admin.post(f"/api/receipts/{receipt['uid']}/unblock").json()["lifted_at"]
    assert admin.post(f"/api/receipts/{receipt['uid']}/unblock").status_code == 422
    assert admin.post("/api/forget/preview", json={"id": "fact:1", "about": "x"}).status_code == 422


def test_status_cost_and_selftests_are_told(filled: Doors) -> None:
    program = filled.program("read")
    assert "advice" in program.get("/api/status").json()
    assert program.get("/api/status/counts").json()["facts"] == 1
    assert program.get("/api/cost", params={"by": "item"}).json()["cap"]["is_reached"] is False
    assert len(program.get("/api/selftests").json()["items"]) == 1
