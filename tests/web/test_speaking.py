"""Whose word it is: a program's never takes the place of the owner's; browsers and `admin` tokens are."""

from hermes_agent.memory import facts, tokens
from hermes_agent.web.callers import cookie_at, csrf_word
from tests.web.conftest import Doors
from tests.web.filled import ATTACK, fill

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


def test_a_program_is_not_its_owner_in_the_dashboard_either(doors: Doors) -> None:
    mine = facts.add(doors.app.store, "The office is in Oslo").fact
    shown = tokens.create(doors.app.store, "a program", "write").shown
    made = tokens.log_in(doors.app.store, shown, "its browser")
    assert made is not None
    logged_in = doors.stranger()
    logged_in.headers["X-CSRF-Token"] = csrf_word(made.shown)
    logged_in.cookies.set(cookie_at(None), made.shown)
    for program in (doors.program("write"), logged_in):
        for act in ("pin", "delete", "edit", "expire"):
            form = {"tag": "*", "is_pinned": "true", "text": "Rome", "until": "2020-01-01"}
            assert program.post(f"/facts/{mine.id}/{act}", data=form).status_code == 403
        assert program.patch(f"/api/facts/{mine.name}", json={"is_pinned": True}, headers=ANY).status_code == 403
        assert program.get(f"/facts/{mine.id}").status_code == 200
    assert facts.get(doors.app.store, mine.name) == mine
