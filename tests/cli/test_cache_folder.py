"""The cache folder is derived: whatever happens to it, memory is found all the same, and what is wrong is said."""

import json
import os
from itertools import count
from pathlib import Path

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home, ensure
from hermes_agent.embedders.local import Local
from hermes_agent.handlers import stepwise_handlers
from hermes_agent.jobs import embedding as job
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import episodes
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import messages, sessions
from tests.conftest import Hermes
from tests.postgres import server_address

SCHEMAS = count()
QUESTION = ("memory", "search", "--json", "harbour number 17")


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HERMES_NO_JOBS", "1")


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "postgres":
        monkeypatch.setenv("HERMES_MEMORY_BACKEND", "postgres")
        monkeypatch.setenv("HERMES_MEMORY_CONNECTION_STRING", server_address())
        monkeypatch.setenv("HERMES_MEMORY_SCHEMA", f"cache_{os.getpid()}_{next(SCHEMAS)}")


def remember(home: Home) -> None:
    """Keep and embed enough for a file of vectors."""
    ensure(home)
    app = App(home, load(home))
    said = [
        NewMessage(role, f"the {thing} stands beside the old {thing} number {number}")
        for number in range(300)
        for role, thing in (("user", "harbour"), ("assistant", "garden"))
    ]
    with app.store.write() as connection:
        sessions.create(connection, NewSession(id="talk"))
        messages.append(connection, app.store.engine, "talk", said)
    reached: int | None = 0
    while reached is not None:
        reached = episodes.make_next(app.store, reached, app.zone, has_vectors=True)
    job.enqueue_due(app.store, Local())
    assert {outcome.ending for outcome in run_due(app.store, stepwise_handlers(app))} <= {"done", "paused"}
    app.close()


def file_of(home: Home) -> Path:
    (file,) = home.cache.glob("vectors-*")
    return file


@pytest.mark.usefixtures("engine")
def test_a_file_in_the_place_of_the_folder_is_told_and_memory_is_found(hermes: Hermes, own_home: Home) -> None:
    remember(own_home)
    before = hermes(*QUESTION)
    assert (before.exit_code, before.stderr) == (0, "")
    own_home.cache.rename(own_home.root / "aside")
    own_home.cache.write_text("in the way", encoding="ascii")
    trouble = f"{own_home.cache} is not a folder"
    after = hermes(*QUESTION)
    assert after.exit_code == 0 and after.stderr.startswith(f"Warning: {trouble}")
    assert json.loads(after.stdout) == json.loads(before.stdout)
    assert json.loads(after.stdout)["fingerprint"] is not None, "by their vectors, too"
    told = json.loads(hermes("status", "--json").stdout)
    assert [(line["about"], line["advice"].startswith(trouble)) for line in told["advice"]] == [("store", True)]
    own_home.cache.unlink()
    assert hermes(*QUESTION).stderr == ""
    assert hermes("status").exit_code == 0


def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(hermes: Hermes, own_home: Home) -> None:
    remember(own_home)
    file, before = file_of(own_home), hermes(*QUESTION)
    file.unlink()
    os.mkfifo(file)
    assert hermes(*QUESTION) == before
    assert file.is_file()


def test_check_finds_damaged_rows_and_repair_mends_them(hermes: Hermes, own_home: Home) -> None:
    remember(own_home)
    file, before = file_of(own_home), hermes(*QUESTION)
    good = file.read_bytes()
    file.write_bytes(good[:72] + bytes(256) + good[328:])
    checked = hermes("db", "check")
    assert checked.exit_code == 1
    assert checked.stdout == f"Problem: the copy of vectors in {file} is damaged\n"
    assert hermes("db", "repair").exit_code == 0
    assert hermes("db", "check").exit_code == 0
    assert file.read_bytes() == good
    assert hermes(*QUESTION) == before
