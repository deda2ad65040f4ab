"""Whose word it is: a program's never takes the place of the owner's; browsers and `admin` tokens are."""

from hermes_agent.memory import facts
from tests.web.conftest import Doors
from tests.web.filled import ATTACK, SESSION, fill

ANY = {"If-Match": "*"}


def test_a_program_that_may_write_speaks_for_itself(doors: Doors) -> None:
    program, owner = doors.program("write"), doors.program("admin")
    assert program.post("/api/facts", json={"text": "Rex is a dog"}).json()["trust"] != "owner"
    assert owner.post("/api/facts", json={"text": "Ana likes tea"}).json()["trust"] == "owner"
    (entry, *_) = doors.app.memory.log(1, subject="fact:001")
    assert entry.actor == "token test write 0"


def test_a_program_corrects_beside_the_owner_and_deletes_nothing_of_theirs(doors: Doors) -> None:
    mine = facts.add(doors.app.store, "The office is in Oslo").fact
    program = doors.program("write")
    path = f"/api/facts/{mine.name}"
    beside = program.patch(path, json={"text": "The office is in Rome"}, headers=ANY)
    assert beside.status_code == 200 and beside.json()["supersedes"] == []
    assert program.delete(path, headers=ANY).status_code == 422
    assert program.patch(path, json={"is_pinned": True}, headers=ANY).status_code == 403
    assert program.patch(path, json={"valid_to": "2020-01-01"}, headers=ANY).status_code == 403
    assert facts.get(doors.app.store, mine.name) == mine


def test_what_a_program_would_write_into_a_note_waits(doors: Doors) -> None:
    program = doors.program("write")
    add = {"operations": [{"action": "add", "content": "Likes cheese"}]}
    assert program.put("/api/notes/user", json={"text": "Likes cheese"}, headers=ANY).status_code == 403
    waits = program.post("/api/notes/user/entries", json=add)
    assert waits.status_code == 202 and "review" in waits.json()["waiting"]
    assert doors.app.notebook.entries("user") == []
    remove = {"operations": [{"action": "remove", "old_text": "cheese"}]}
    assert program.post("/api/notes/user/entries", json=remove).status_code == 403


def test_a_program_does_not_accept_what_waits_for_its_owner(doors: Doors) -> None:
    fill(doors.app)
    program = doors.program("write")
    assert program.post("/api/facts", json={"text": ATTACK}).status_code == 202
    (one, *_) = program.get("/api/review").json()["items"]
    assert program.post(f"/api/review/{one['id']}/accept").status_code == 403
    assert doors.program("admin").post(f"/api/review/{one['id']}/accept").status_code == 200


def test_a_program_deletes_no_conversation_whichever_way_it_asks(doors: Doors) -> None:
    fill(doors.app)
    for program in (doors.program("write"), doors.browser("write", of_program=True)):
        assert program.get(f"/sessions/{SESSION}/delete").status_code == 403
        assert program.post(f"/sessions/{SESSION}/delete", data={"tag": "*"}).status_code == 403
        refused = program.delete(f"/api/sessions/{SESSION}", headers=ANY)
        assert (refused.status_code, "deletes a conversation" in refused.json()["detail"]) == (403, True)
        for line in (["sessions", "delete", SESSION, "--yes"], ["memory", "reflections", "delete", "1"]):
            assert program.post("/api/run", json={"arguments": line}).status_code == 403
        title = program.patch(f"/api/sessions/{SESSION}", json={"title": "Atlas"}, headers=ANY).json()["title"]
        assert title == "Atlas"
    assert doors.app.memory.session(SESSION).message_count == 5
    owner = doors.browser("write")
    assert owner.delete(f"/api/sessions/{SESSION}", headers=ANY).json() == {"deleted": 1}


def test_a_program_offers_no_deleting_of_conversations_in_the_dashboard(doors: Doors) -> None:
    fill(doors.app)
    link = f'href="/sessions/{SESSION}/delete"'
    assert link in doors.browser("write").get(f"/sessions/{SESSION}").text
    page = doors.browser("write", of_program=True).get(f"/sessions/{SESSION}").text
    assert link not in page and "Rename" in page


def test_a_program_rejects_nothing_and_deletes_no_reflection(doors: Doors) -> None:
    fill(doors.app)
    program, owner = doors.program("write"), doors.program("admin")
    (one, *_) = program.get("/api/review").json()["items"]
    asked = [("POST", f"/api/review/{one['id']}/reject"), ("DELETE", "/api/reflections/1")]
    for method, path in asked:
        assert program.request(method, path, headers=ANY).status_code == 403
    assert program.post("/api/run", json={"arguments": ["memory", "review", "reject", "1"]}).status_code == 403
    for method, path in asked:
        assert owner.request(method, path, headers=ANY).status_code == 200


def test_a_program_is_not_its_owner_in_the_dashboard_either(doors: Doors) -> None:
    mine = facts.add(doors.app.store, "The office is in Oslo").fact
    for program in (doors.program("write"), doors.browser("write", of_program=True)):
        for act in ("pin", "delete", "edit", "expire"):
            form = {"tag": "*", "is_pinned": "true", "text": "Rome", "until": "2020-01-01"}
            assert program.post(f"/facts/{mine.id}/{act}", data=form).status_code == 403
        assert program.patch(f"/api/facts/{mine.name}", json={"is_pinned": True}, headers=ANY).status_code == 403
        assert program.get(f"/facts/{mine.id}").status_code == 200
    assert facts.get(doors.app.store, mine.name) == mine
