"""`hermes jobs`: what is left by a process that was killed, and what another one holds."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.jobs.alive import worker_name
from hermes_agent.store import jobs
from tests.cli.test_embedder_switch import use
from tests.cli.test_selftest_command import talk
from tests.conftest import Hermes
from tests.embeddings_server import Held, Vectors, serve
from tests.jobs.test_worker import ended_worker


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs run when the test says so."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")


@contextmanager
def running() -> Iterator["subprocess.Popen[bytes]"]:
    """Run the due jobs in a process of its own, and kill it when the block ends."""
    process = subprocess.Popen([sys.executable, "-m", "hermes_agent", "jobs", "run"], stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_what_a_killed_run_was_at_goes_on_with_the_next_one(
    hermes: Hermes, own_home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk(own_home, 3)
    held = Held()
    with serve(held, Vectors(8)) as server:
        use(monkeypatch, server.url, "one", 8)
        with running():
            assert held.has_come.wait(60)
            told = hermes("jobs", "run")
            assert "(embed) is being worked on by process " in told.stdout
        assert hermes("jobs", "run").stdout.endswith("(embed): done\n")
        held.may_go.set()
    assert "3 of 3 vectors" in hermes("status").stdout


def test_run_names_what_another_machine_holds(hermes: Hermes, own_home: Home) -> None:
    hermes("jobs", "run")
    claim(own_home, "elsewhere:7:7:abcdef")
    first, second = hermes("jobs", "run").stdout.splitlines()
    assert first == "Nothing is due."
    assert second.startswith("Job ")
    assert "(vacuum) is being worked on by process 7 on elsewhere; its lease ends at 20" in second


def test_run_tells_programs_how_each_job_went(hermes: Hermes, own_home: Home) -> None:
    talk(own_home, 3)
    told = hermes("jobs", "run", "--json")
    found = json.loads(told.stdout)
    assert (told.exit_code, list(found), found["held"]) == (0, ["jobs", "held"], [])
    assert {"ending": "done", "reason": None}.items() <= found["jobs"][0].items()
    assert "embed" in {one["kind"] for one in found["jobs"]}
    assert json.loads(hermes("jobs", "run", "--json").stdout)["jobs"] == []
    claim(own_home, "elsewhere:7:7:abcdef")
    (held,) = json.loads(hermes("jobs", "run", "--json").stdout)["held"]
    assert held["leased_by"] == "elsewhere:7:7:abcdef"


def test_retry_frees_what_a_dead_worker_held(hermes: Hermes, own_home: Home) -> None:
    hermes("jobs", "run")
    job_id = claim(own_home, ended_worker())
    assert hermes("jobs", "retry", str(job_id)).stdout == f"Job {job_id} is due now.\n"


def test_retry_leaves_alone_what_a_living_worker_holds(hermes: Hermes, own_home: Home) -> None:
    hermes("jobs", "run")
    job_id = claim(own_home, worker_name())
    assert hermes("jobs", "retry", str(job_id)).stdout == f"Job {job_id} is running.\n"


def claim(home: Home, worker: str) -> int:
    """Let a worker hold a job."""
    app = App(home, load(home))
    with app.store.write() as connection:
        job_id = jobs.add(connection, "vacuum", "vacuum")
        assert jobs.claim(connection, worker, 600, ["vacuum"]) is not None
    app.close()
    return job_id
