"""A home that is moved or deleted under a server: what it would write nobody would ever find, so it refuses."""

import shutil
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from hermes_agent.config.paths import Home
from tests.conftest import Hermes
from tests.web.conftest import Doors


def test_nothing_is_acknowledged_that_is_written_into_a_deleted_home(doors: Doors, own_home: Home) -> None:
    program = doors.program()
    assert program.post("/api/facts", json={"text": "The key is under the mat."}).status_code == 201
    shutil.rmtree(own_home.root)
    answer = program.post("/api/facts", json={"text": "The mat is red."})
    assert answer.status_code == 503
    assert f"{own_home.state_db} is not the file any more that was opened" in answer.json()["detail"]
    assert "start it anew" in answer.json()["hint"]
    ready = doors.stranger().get("/health/ready")
    assert (ready.status_code, ready.json()["store"]) == (503, False)


def test_a_moved_home_takes_nothing_until_it_is_back(doors: Doors, own_home: Home, tmp_path: Path) -> None:
    program = doors.program()
    own_home.root.rename(tmp_path / "elsewhere")
    assert program.post("/api/facts", json={"text": "The mat is red."}).status_code == 503
    assert doors.stranger().get("/health/ready").status_code == 503
    (tmp_path / "elsewhere").rename(own_home.root)
    assert program.post("/api/facts", json={"text": "The mat is red."}).status_code == 201
    assert doors.stranger().get("/health/ready").status_code == 200


def test_the_status_of_a_moved_home_says_so_until_it_is_back(doors: Doors, own_home: Home, tmp_path: Path) -> None:
    program = doors.program()
    own_home.root.rename(tmp_path / "elsewhere")
    told = program.get("/api/status").json()
    (advice,) = [one for one in told["advice"] if one["about"] == "store"]
    assert told["is_well"] is False and "start it anew" in advice["advice"]
    assert f"{own_home.state_db} is not the file any more that was opened" in advice["trouble"]
    (tmp_path / "elsewhere").rename(own_home.root)
    assert program.get("/api/status").json()["is_well"] is True


CHANGES = {
    "a setting": ("PUT", "/api/settings/web.mostBodyMb", {"value": 60}),
    "a setting that is taken out": ("DELETE", "/api/settings/web.mostBodyMb", None),
    "a command": ("POST", "/api/run", {"arguments": ["memory", "fact", "add", "The mat is red."]}),
    "a backup": ("POST", "/api/backups", None),
    "something said": ("POST", "/api/chat", {"message": "The mat is red."}),
    "a line of a note": ("POST", "/api/notes/memory/entries", {"text": "The mat is red."}),
    "a skill": ("PUT", "/api/skills/mats", {"text": "---\nname: mats\ndescription: Mats.\n---\nRed."}),
    "something to forget": ("POST", "/api/forget", {"about": "mat"}),
}


@pytest.mark.parametrize(("method", "path", "body"), CHANGES.values(), ids=CHANGES)
def test_no_change_makes_a_moved_home_anew(
    doors: Doors, own_home: Home, tmp_path: Path, method: str, path: str, body: dict[str, object] | None
) -> None:
    program = doors.program()
    own_home.root.rename(tmp_path / "elsewhere")
    answer = program.request(method, path, json=body, headers={"If-Match": "*"})
    assert answer.status_code == 503
    assert f"{own_home.state_db} is not the file any more that was opened" in answer.json()["detail"]
    assert not own_home.root.exists()


def test_no_setting_of_a_moved_home_is_changed_on_its_page(doors: Doors, own_home: Home, tmp_path: Path) -> None:
    browser = doors.browser()
    own_home.root.rename(tmp_path / "elsewhere")
    answer = browser.post("/settings/web.mostBodyMb", data={"value": "60", "tag": "-"})
    assert answer.status_code == 503
    assert "is not the file any more that was opened" in answer.text
    assert not own_home.root.exists()


def test_no_page_makes_a_moved_home_anew(doors: Doors, own_home: Home, tmp_path: Path) -> None:
    browser, program = doors.browser(), doors.program()
    own_home.root.rename(tmp_path / "elsewhere")
    site = doors.site.app
    assert isinstance(site, FastAPI)
    for one in iter_route_contexts(site.routes):
        path = (one.path or "/").replace("{note}", "memory")
        if "GET" in (one.methods or ()) and "{" not in path:
            (program if path.startswith("/api/") else browser).get(path)
            assert not own_home.root.exists(), path


def test_what_would_be_forgotten_in_a_moved_home_is_not_shown(
    doors: Doors, own_home: Home, tmp_path: Path
) -> None:
    browser = doors.browser()
    own_home.root.rename(tmp_path / "elsewhere")
    answer = browser.get("/data/forget", params={"what": "about", "value": "mat"})
    assert answer.status_code == 503
    assert "is not the file any more that was opened" in answer.text
    assert not own_home.root.exists()


def test_another_home_at_the_old_place_is_not_taken_for_it(
    doors: Doors, own_home: Home, tmp_path: Path, hermes: Hermes
) -> None:
    program = doors.program()
    own_home.root.rename(tmp_path / "elsewhere")
    assert hermes("memory", "fact", "add", "The mat is blue.").exit_code == 0
    assert program.post("/api/facts", json={"text": "The mat is red."}).status_code == 503
    assert doors.stranger().get("/health/ready").status_code == 503
    assert "red" not in hermes("memory", "facts").stdout


def test_a_writer_that_only_takes_its_time_leaves_the_server_ready(doors: Doors) -> None:
    doors.program()
    with doors.app.store.write():
        assert doors.stranger().get("/health/ready").status_code == 200
