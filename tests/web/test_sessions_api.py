"""Conversations over HTTP: listed, searched, read around a message, named, deleted."""

import pytest

from hermes_agent.records.archive import NewMessage, NewSession
from tests.web.conftest import Doors


@pytest.fixture
def session(doors: Doors) -> str:
    """Return a session of ten messages about a lighthouse."""
    name = doors.app.memory.begin(NewSession(source="cli", title="The lighthouse"))
    said = [NewMessage("user" if at % 2 == 0 else "assistant", f"Lighthouse, line {at}") for at in range(10)]
    doors.app.memory.append(name, *said)
    return name


def lines(items: list[dict[str, str]]) -> list[int]:
    return [int(one["content"].rpartition(" ")[2]) for one in items]


def test_a_session_is_read_from_its_beginning_and_around_a_message(doors: Doors, session: str) -> None:
    program = doors.program("read")
    path = f"/api/sessions/{session}/messages"
    first = program.get(path, params={"limit": 4}).json()
    assert (lines(first["items"]), first["earlier"]) == ([0, 1, 2, 3], None)
    rest = program.get(path, params={"limit": 10, "after": first["later"]}).json()
    assert (lines(rest["items"]), rest["later"]) == ([4, 5, 6, 7, 8, 9], None)
    middle = rest["items"][1]
    around = program.get(path, params={"limit": 4, "around": middle["uid"]}).json()
    assert lines(around["items"]) == [3, 4, 5, 6]
    before = program.get(path, params={"limit": 2, "before": around["earlier"]}).json()
    assert lines(before["items"]) == [1, 2]
    alone = program.get(path, params={"limit": 1, "around": middle["id"]}).json()
    assert lines(alone["items"]) == [5]
    assert program.get(f"/api/messages/{middle['uid']}").json() == middle


def test_a_message_of_another_session_is_not_around(doors: Doors, session: str) -> None:
    other = doors.app.memory.begin(NewSession(source="cli"))
    (number,) = doors.app.memory.append(other, NewMessage("user", "Elsewhere"))
    answer = doors.program("read").get(f"/api/sessions/{session}/messages", params={"around": str(number)})
    assert answer.status_code == 404


def test_a_session_is_found_named_and_deleted(doors: Doors, session: str) -> None:
    program = doors.program("admin")
    assert program.get("/api/sessions/search", params={"q": "lighthouse"}).json()["count"] == 1
    shown = program.get(f"/api/sessions/{session}")
    same = program.get(f"/api/sessions/{session}", headers={"If-None-Match": shown.headers["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    tag = {"If-Match": shown.headers["ETag"]}
    renamed = program.patch(f"/api/sessions/{session}", json={"title": "The tower"}, headers=tag)
    assert renamed.json()["title"] == "The tower"
    assert program.delete(f"/api/sessions/{session}").status_code == 428
    assert program.delete(f"/api/sessions/{session}", headers=tag).status_code == 412
    gone = program.delete(f"/api/sessions/{session}", headers={"If-Match": renamed.headers["ETag"]})
    assert gone.json() == {"deleted": 1}
    assert program.get("/api/sessions").json() == {"items": [], "next": None}


def test_lists_keep_to_a_source_and_a_time(doors: Doors, session: str) -> None:
    program = doors.program("read")
    assert len(program.get("/api/sessions", params={"source": "cli"}).json()["items"]) == 1
    assert program.get("/api/sessions", params={"source": "telegram"}).json()["items"] == []
    assert program.get("/api/sessions", params={"until": "2001-01-01"}).json()["items"] == []
    assert program.get("/api/sessions", params={"since": "no date"}).status_code == 422
