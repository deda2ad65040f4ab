"""Notes and skills over HTTP: two editors never overwrite each other, and everything can be undone."""

from tests.web.conftest import Doors
from tests.web.filled import SKILL


def test_a_note_is_written_whole_by_whoever_saw_it(doors: Doors) -> None:
    program = doors.program("admin")
    seen = program.get("/api/notes/memory")
    first = program.put(
        "/api/notes/memory", json={"text": "Deploys run on Fridays"}, headers={"If-Match": seen.headers["ETag"]}
    )
    assert first.json()["entries"] == ["Deploys run on Fridays"]
    assert first.headers["ETag"] == program.get("/api/notes/memory").headers["ETag"]
    late = program.put("/api/notes/memory", json={"text": "Gone"}, headers={"If-Match": seen.headers["ETag"]})
    assert late.status_code == 412
    assert program.put("/api/notes/memory", json={"text": "Gone"}).status_code == 428
    full = program.put("/api/notes/memory", json={"text": "x" * 100_000}, headers={"If-Match": "*"})
    assert full.status_code == 422 and "characters" in full.json()["detail"]
    unseen = program.put("/api/notes/soul", json={"text": "a\x00b"}, headers={"If-Match": "*"})
    assert unseen.status_code == 422


def test_the_owners_free_texts_are_written_too(doors: Doors) -> None:
    program = doors.program("admin")
    for note in ("soul", "workspace"):
        written = program.put(f"/api/notes/{note}", json={"text": f"I am {note}.\n"}, headers={"If-Match": "*"})
        assert written.json()["text"] == f"I am {note}.\n"
    assert "I am soul." in program.get("/api/notes/prompt").json()["soul"]


def test_entries_are_changed_all_or_none(doors: Doors) -> None:
    program = doors.program("admin")
    path = "/api/notes/user/entries"
    added = program.post(path, json={"operations": [{"action": "add", "content": "Prefers metric units"}]})
    assert added.json()["entries"] == ["Prefers metric units"]
    both = [
        {"action": "replace", "old_text": "metric", "content": "Prefers imperial units"},
        {"action": "remove", "old_text": "no such entry"},
    ]
    assert program.post(path, json={"operations": both}).status_code == 409
    assert program.get("/api/notes/user").json()["entries"] == ["Prefers metric units"]
    program.post(path, json={"operations": both[:1]})
    (version, *_) = program.get("/api/notes/user/history").json()["items"]
    assert program.post(f"/api/journal/{version['entry_uid']}/undo").status_code == 200
    assert program.get("/api/notes/user").json()["entries"] == ["Prefers metric units"]
    assert program.post("/api/notes/soul/entries", json={"operations": both}).status_code == 422


def test_a_skill_is_made_changed_put_away_and_brought_back(doors: Doors) -> None:
    program = doors.program("admin")
    assert program.post("/api/skills", json={"name": "deploy", "content": SKILL}).status_code == 201
    assert program.post("/api/skills", json={"name": "deploy", "content": SKILL}).status_code == 422
    shown = program.get("/api/skills/deploy")
    tag = {"If-Match": shown.headers["ETag"]}
    changed = program.put("/api/skills/deploy", json={"content": SKILL + "2. Deploy.\n"}, headers=tag)
    assert "2. Deploy." in changed.json()["content"]
    assert program.put("/api/skills/deploy", json={"content": SKILL}, headers=tag).status_code == 412
    assert "+2. Deploy." in program.get("/api/skills/deploy/diff").json()["lines"]
    assert [one["version"] for one in program.get("/api/skills/deploy/history").json()["items"]] == [2, 1]
    assert program.post("/api/skills/deploy/archive").json()["state"] == "archived"
    assert program.get("/api/skills").json()["items"] == []
    assert program.post("/api/skills/deploy/restore").json()["state"] == "live"
    gone = program.delete("/api/skills/deploy", headers={"If-Match": changed.headers["ETag"]})
    assert gone.json()["state"] == "deleted"
    assert [one["state"] for one in program.get("/api/skills?all=true").json()["items"]] == ["deleted"]


def test_no_text_of_a_skill_is_overwritten_unseen(doors: Doors) -> None:
    program = doors.program("admin")
    program.post("/api/skills", json={"name": "deploy", "content": SKILL})
    program.put("/api/skills/deploy", json={"content": "Ask Ana.\n", "file": "references/who.md"})
    stale = program.get("/api/skills/deploy").headers["ETag"]
    program.put("/api/skills/deploy", json={"content": SKILL + "2. Deploy.\n"}, headers={"If-Match": stale})
    for file in ("SKILL.md", "references/who.md"):
        mine = {"content": SKILL + "3. Mine.\n", "file": file}
        assert program.put("/api/skills/deploy", json=mine).status_code == 428
        assert program.put("/api/skills/deploy", json=mine, headers={"If-Match": stale}).status_code == 412
        assert "3. Mine." not in program.get("/api/skills/deploy", params={"file": file}).text
    assert program.put("/api/skills/deploy", json={"content": "x", "file": "references/new.md"}).status_code == 200
    tag = {"If-Match": program.get("/api/skills/deploy").headers["ETag"]}
    assert program.put("/api/skills/deploy", json={"content": SKILL, "file": "SKILL.md"}, headers=tag).is_success


def test_a_skill_keeps_within_its_folder(doors: Doors) -> None:
    program = doors.program("admin")
    program.post("/api/skills", json={"name": "deploy", "content": SKILL})
    for file in ("../../config.yaml", "/etc/passwd", "a\x00b"):
        assert program.get("/api/skills/deploy", params={"file": file}).status_code == 422
        written = program.put("/api/skills/deploy", json={"content": "x", "file": file})
        assert written.status_code == 422
