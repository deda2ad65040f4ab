"""Forgetting in a daemon that works meanwhile: its worker is waited for, and a preview holds up nobody."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial

import pytest
from starlette.testclient import TestClient

from hermes_agent.app import App
from hermes_agent.config import paths
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.memory import facts
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from hermes_agent.web.site import build
from tests.held import held_at
from tests.locks import has_lost_locks
from tests.web.conftest import ADDRESS, Doors
from tests.web.talking import PATIENCE_SECONDS

_LONG_SECONDS = 7.0
"""Longer than one try to fold the log waits."""


@contextmanager
def long_read(store: Store) -> Iterator[None]:
    """Read in another thread, from before the block."""
    begun, over = threading.Event(), threading.Event()

    def look() -> None:
        with store.read() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM facts").one()
            begun.set()
            over.wait(_LONG_SECONDS)

    thread = threading.Thread(target=look)
    thread.start()
    assert begun.wait(PATIENCE_SECONDS)
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.fixture
def doors(own_home: Home) -> Iterator[Doors]:
    """The site of a store that hardly waits: as when another folds its log, and SQLite does not wait at all."""
    paths.ensure(own_home)
    store = Store(Sqlite(own_home.state_db, cache=own_home.cache, busy_seconds=0.2), "default")
    with closing(App(own_home, load(own_home), store=store)) as app:
        yield Doors(app, TestClient(build(app), base_url=ADDRESS))


def test_what_the_worker_reads_does_not_keep_it_from_being_done(doors: Doors) -> None:
    facts.add(doors.app.store, "The key is under the mat")
    admin = doors.program("admin")
    wanted = {"id": "fact:001"}
    tag = admin.post("/api/forget/preview", json=wanted).headers["ETag"]
    with long_read(doors.app.store):
        answer = admin.post("/api/forget", json=wanted, headers={"If-Match": tag})
    assert answer.status_code == 200 and answer.json()["state"] == "done", answer.text
    assert b"under the mat" not in b"".join(one.read_bytes() for one in doors.app.home.root.glob("state.db*"))


@pytest.mark.parametrize("memory_path", ["state.db", "elsewhere.bin"])
def test_who_comes_afterwards_works_in_the_same_store(
    own_home: Home, monkeypatch: pytest.MonkeyPatch, memory_path: str
) -> None:
    monkeypatch.setenv("HERMES_MEMORY_PATH", str(own_home.root / memory_path))
    with closing(App(own_home, load(own_home))) as app:
        doors = Doors(app, TestClient(build(app), base_url=ADDRESS))
        facts.add(app.store, "The key is under the mat")
        admin = doors.program("admin")
        tag = admin.post("/api/forget/preview", json={"id": "fact:001"}).headers["ETag"]
        done = admin.post("/api/forget", json={"id": "fact:001"}, headers={"If-Match": tag})
        assert done.status_code == 200 and done.json()["found"] == []
        assert admin.post("/api/receipts/1/verify").status_code == 200
        # As the only one who has it open, the command would fold the log and delete it at its end.
        hermes("memory", "fact", "add", "The boat is blue")
        assert not has_lost_locks(own_home.root / memory_path)
        admin.post("/api/facts", json={"text": "The cat is white"})
        told = [fact["text"] for fact in admin.get("/api/facts").json()["items"]]
    listed = hermes("memory", "facts", "list")
    assert told == ["The cat is white", "The boat is blue"]
    assert all(text in listed for text in told)


def test_a_preview_holds_up_nobody_who_writes(doors: Doors) -> None:
    facts.add(doors.app.store, "The key is under the mat")
    admin, other = doors.program("admin"), doors.program("admin")
    looking = partial(admin.post, "/api/forget/preview", json={"id": "fact:001"})
    with held_at("INSERT INTO receipts (", looking) as preview:
        # The store of this site hardly waits, so it would fail at once.
        assert other.post("/api/facts", json={"text": "The cat is white"}).status_code == 201
        hermes("memory", "fact", "add", "The boat is blue")
        assert other.post("/api/forget/preview", json={"id": "fact:002"}).status_code == 200
    assert preview.result().status_code == 200 and preview.result().json()["counts"]["facts"] == 1
    tag = looking().headers["ETag"]  # what was written meanwhile made a vector of it
    done = admin.post("/api/forget", json={"id": "fact:001"}, headers={"If-Match": tag})
    assert done.status_code == 200 and done.json()["found"] == []
    assert {one["text"] for one in admin.get("/api/facts").json()["items"]} == {
        "The cat is white",
        "The boat is blue",
    }


def hermes(*arguments: str) -> str:
    """Run a command in a process of its own; return what it printed."""
    command = [sys.executable, "-m", "hermes_agent", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
