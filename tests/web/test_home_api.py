"""The home over HTTP: jobs, backups, export and import, settings, tokens, profiles."""

import json
import threading
from contextlib import closing

from hermes_agent.app import App
from hermes_agent.config.paths import Home
from hermes_agent.handlers import every_handler
from hermes_agent.jobs import worker
from hermes_agent.memory import facts, tokens
from hermes_agent.web.at_length import at_length
from hermes_agent.web.server import Server
from hermes_agent.web.site import build
from tests.web.conftest import Doors
from tests.web.filled import fill
from tests.web.talking import PATIENCE_SECONDS, Program


def test_a_whole_memory_goes_out_and_comes_in(doors: Doors) -> None:
    fill(doors.app)
    admin = doors.program("admin")
    sent = admin.get("/api/export")
    assert sent.headers["Content-Disposition"] == 'attachment; filename="memory.json"'
    assert len(sent.content) == int(sent.headers["Content-Length"])
    assert json.loads(sent.content)["facts"][0]["text"] == "The office is in Oslo"
    again = admin.post("/api/import", params={"own": "true"}, content=sent.content)
    assert again.status_code == 200 and not any(again.json()["brought"]["new"].values())
    packed = admin.get("/api/export", params={"format": "zst"})
    assert packed.headers["Content-Disposition"] == 'attachment; filename="memory.json.zst"'
    assert len(packed.content) < len(sent.content)
    unpacked = admin.post("/api/import", params={"own": "true"}, content=packed.content)
    assert unpacked.json() == again.json()
    talk = admin.get("/api/export/sessions", params={"format": "markdown"})
    assert "My dog is called Rex" in talk.text
    lines = admin.get("/api/export/sessions")
    assert admin.post("/api/import/sessions", content=lines.content).json()["imported"] == []


def test_an_export_has_the_settings_as_they_are_now(doors: Doors) -> None:
    admin = doors.program("admin")
    body = {"value": 1_500}
    changed = admin.put("/api/settings/memory.userCharLimit", json=body, headers={"If-Match": "*"})
    assert changed.status_code == 200, changed.text
    assert admin.get("/api/export").json()["settings"] == {"memory.userCharLimit": 1_500}


def test_a_damaged_file_is_refused_whole(doors: Doors) -> None:
    fill(doors.app)
    admin = doors.program("admin")
    whole = admin.get("/api/export").content
    for broken in (whole[: len(whole) // 2], whole.replace(b"Oslo", b"Rome"), b"", b"\xff\x00", b"[" * 50_000):
        answer = admin.post("/api/import", content=broken)
        assert answer.status_code == 422, answer.text
        assert "/tmp" not in answer.text
    assert [one.text for one in facts.recent(doors.app.store, 10)] == ["The office is in Oslo"]


def test_a_backup_is_made_and_checked(doors: Doors) -> None:
    facts.add(doors.app.store, "The office is in Oslo")
    admin = doors.program("admin")
    job = admin.post("/api/backups")
    assert (job.status_code, job.json()["kind"]) == (202, "backup")
    list(worker.run_due(doors.app.store, {"backup": every_handler(doors.app)["backup"]}))
    assert admin.get(f"/api/jobs/{job.json()['id']}").json()["state"] == "done"
    (backup,) = admin.get("/api/backups").json()["items"]
    assert admin.post(f"/api/backups/{backup['name']}/verify").json()["problems"] == []
    for name in ("..", "other.hermes.age", "%2e%2e%2fconfig.yaml"):
        assert admin.post(f"/api/backups/{name}/verify").status_code in (404, 405)


def test_jobs_are_seen_and_run(doors: Doors) -> None:
    facts.add(doors.app.store, "The office is in Oslo")
    admin = doors.program("admin")
    (job, *_) = admin.get("/api/jobs").json()["items"]
    assert admin.post(f"/api/jobs/{job['id']}/retry").json()["state"] == "waiting"
    assert admin.post("/api/jobs/99999/retry").status_code == 404
    assert admin.post("/api/jobs/run", params={"limit": 1}).json()["jobs"][0]["ending"] == "done"


def test_settings_are_set_without_a_secret_being_told(doors: Doors, own_home: Home) -> None:
    admin = doors.program("admin")
    shown = admin.get("/api/settings/display.timeZone")
    tag = {"If-Match": shown.headers["ETag"]}
    put = admin.put("/api/settings/display.timeZone", json={"value": "Europe/Oslo"}, headers=tag)
    assert (put.json()["value"], put.json()["origin"]) == ("Europe/Oslo", "file")
    late = admin.put("/api/settings/display.timeZone", json={"value": "Asia/Tokyo"}, headers=tag)
    assert late.status_code == 412
    gone = admin.delete("/api/settings/display.timeZone", headers={"If-Match": put.headers["ETag"]})
    assert gone.json()["origin"] == "default"
    any_tag = {"If-Match": "*"}
    secret = "postgres://me:secret@db/hermes"
    told = admin.put("/api/settings/memory.connectionString", json={"value": secret}, headers=any_tag)
    assert told.json()["value"] == "********"
    assert "secret@db" not in admin.get("/api/settings").text
    servers = {"value": {"hub": {"command": "hub", "env": {"KEY": "sk-12345"}}}}
    assert admin.put("/api/settings/mcpServers", json=servers, headers=any_tag).status_code == 200
    assert "sk-12345" not in admin.get("/api/settings").text
    read = admin.put("/api/settings/memory.path", json={"value": "${HOME}"}, headers=any_tag)
    assert read.status_code == 422
    assert admin.put("/api/settings/nothing", json={"value": 1}, headers=any_tag).status_code == 404
    assert admin.put("/api/settings/web.port", json={"value": -1}, headers=any_tag).status_code == 422


def test_a_token_is_told_once_and_opens_nothing_once_revoked(doors: Doors) -> None:
    admin = doors.program("admin")
    made = admin.post("/api/tokens", json={"name": "laptop", "scope": "read"})
    assert made.status_code == 201
    shown = made.json()["token"]
    assert shown not in admin.get("/api/tokens?all=true").text
    asked = {"Authorization": f"Bearer {shown}"}
    assert doors.stranger().get("/api/facts", headers=asked).status_code == 200
    assert admin.delete("/api/tokens/laptop").json()["revoked_at"] is not None
    assert doors.stranger().get("/api/facts", headers=asked).status_code == 401
    assert admin.delete("/api/tokens/laptop").status_code == 404
    assert admin.post("/api/tokens", json={"name": "old", "expires": "2001-01-01"}).status_code == 422


def test_profiles_are_named_and_no_more(doors: Doors, app: App) -> None:
    listed = doors.program("admin").get("/api/profiles").json()
    assert listed == {"items": [{"name": "default", "is_served": True}]}


def test_what_takes_long_leaves_threads_for_everybody_else(app: App) -> None:
    released, begun = threading.Event(), threading.Semaphore(0)

    @at_length
    def slow() -> dict[str, str]:
        begun.release()
        released.wait(PATIENCE_SECONDS)
        return {}

    site = build(app)
    site.get("/slow")(slow)
    shown = tokens.create(app.store, "laptop", "read").shown
    with closing(Server(site, app.settings)) as server:
        server.start()
        laptop = Program(server.address, shown)
        waiting = [threading.Thread(target=laptop.get, args=("/slow",)) for _ in range(40)]
        for one in waiting:
            one.start()
        try:
            assert begun.acquire(timeout=PATIENCE_SECONDS)
            assert laptop.get("/api/facts").status_code == 200
        finally:
            released.set()
            for one in waiting:
                one.join()


def test_what_was_masked_is_never_written_in_the_place_of_a_key(doors: Doors, own_home: Home) -> None:
    admin = doors.program("admin")
    servers = {"value": {"files": {"command": "files", "env": {"KEY": "sk-12345"}}}}
    assert admin.put("/api/settings/mcpServers", json=servers, headers={"If-Match": "*"}).status_code == 200
    shown = admin.get("/api/settings/mcpServers")
    sent = {"value": shown.json()["value"]}
    back = admin.put("/api/settings/mcpServers", json=sent, headers={"If-Match": shown.headers["ETag"]})
    assert back.status_code == 422
    assert "sk-12345" in own_home.config_yaml.read_text()
