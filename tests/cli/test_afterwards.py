"""Due jobs after a command: for a moment, when no daemon runs, and only after a command that writes."""

import json
import os
import signal
import subprocess

import pytest

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config import pid_file
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.records.archive import NewSession
from hermes_agent.records.jobs import Job
from hermes_agent.store import jobs, sessions
from tests.cli.conversations import HERMES, ROOT
from tests.conftest import Hermes

MANY = 3_000
LINE = "1 job done: hermes jobs list\n"


@pytest.fixture
def app(own_home: Home) -> App:
    return App(own_home, load(own_home))


def add(app: App, kind: str = "prune") -> int:
    with app.store.write() as connection:
        return jobs.add(connection, kind, kind)


def get(app: App, job_id: int) -> Job:
    with app.store.read() as connection:
        job = jobs.get(connection, job_id)
    assert job is not None
    return job


def add_long_job(app: App) -> int:
    """Add a job that takes much longer than two seconds: it deletes many old sessions."""
    with app.store.write() as connection:
        for number in range(MANY):
            sessions.create(connection, NewSession(id=f"old {number}", started_at=1))
            sessions.end(connection, f"old {number}", "done", at=2)
    return add(app)


def test_a_command_that_writes_runs_what_is_due(hermes: Hermes, app: App) -> None:
    job_id = add(app)
    outcome = hermes("notes", "add", "Prefers tabs")
    assert (outcome.exit_code, outcome.stderr) == (0, LINE)
    assert outcome.stdout.startswith("Added to MEMORY.md.") and "job" not in outcome.stdout
    assert get(app, job_id).state == "done"
    assert hermes("notes", "add", "Uses vim").stderr == ""


@pytest.mark.usefixtures("folder")
def test_an_answer_as_json_stays_json(hermes: Hermes, app: App) -> None:
    job_id = add(app)
    outcome = hermes("chat", "--json", "-q", "My name is Ada.")
    assert json.loads(outcome.stdout)["text"]
    assert outcome.stderr.endswith(" jobs done: hermes jobs list\n")
    assert get(app, job_id).state == "done"


@pytest.mark.usefixtures("app")
def test_a_conversation_that_is_over_is_learned_from_without_a_daemon(hermes: Hermes) -> None:
    hermes("chat", "-q", "My name is Ada and I live in Lyon.")
    listed = json.loads(hermes("memory", "facts", "list", "--json").stdout)
    assert {fact["text"] for fact in listed} == {"User's name is Ada", "User lives in Lyon"}


@pytest.mark.parametrize(
    "command",
    [
        ("sessions", "list"),
        ("sessions", "search", "tabs"),
        ("notes", "show"),
        ("memory", "log"),
        ("jobs", "list"),
        ("db", "check"),
        ("status",),
        ("config", "show"),
    ],
    ids=" ".join,
)
def test_a_command_that_reads_runs_nothing(hermes: Hermes, app: App, command: tuple[str, ...]) -> None:
    job_id = add(app)
    outcome = hermes(*command)
    assert "job done" not in outcome.stderr
    assert get(app, job_id).state == "waiting"


def test_a_command_that_fails_runs_nothing(hermes: Hermes, app: App) -> None:
    job_id = add(app)
    assert hermes("notes", "remove", "what is not there").exit_code == 1
    assert get(app, job_id).state == "waiting"


def test_nothing_runs_beside_a_daemon(hermes: Hermes, app: App) -> None:
    job_id = add(app)
    with pid_file.hold(app.home, pid_file.this_process("daemon")):
        assert hermes("notes", "add", "Prefers tabs").stderr == ""
    assert get(app, job_id).state == "waiting"


def test_nothing_runs_when_nobody_wants_it(hermes: Hermes, app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    job_id = add(app)
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    assert hermes("notes", "add", "Prefers tabs").stderr == ""
    assert get(app, job_id).state == "waiting"


def test_what_cannot_be_stopped_half_way_is_left_to_others(hermes: Hermes, app: App) -> None:
    job_id = add(app, "vacuum")
    assert hermes("notes", "add", "Prefers tabs").stderr == ""
    assert get(app, job_id).state == "waiting"


def test_a_long_job_is_stopped_after_two_seconds_and_goes_on_next_time(hermes: Hermes, app: App) -> None:
    job_id = add_long_job(app)
    outcome = hermes("notes", "add", "Prefers tabs")
    assert outcome.stderr == "0 jobs done, 1 waiting: hermes jobs list\n"
    job = get(app, job_id)
    assert (job.state, job.attempts) == ("waiting", 0) and job.progress is not None
    assert 0 < job.progress.done < MANY and job.progress.total is not None
    assert f"{job.progress.done:,} of {job.progress.total:,}" in hermes("jobs", "list").stdout
    with app.store.read() as connection:
        left = len(sessions.prunable(connection, clock.now()))
    assert 0 < left < MANY


def test_ctrl_c_gives_the_job_back_and_leaves_the_exit_code_alone(app: App) -> None:
    job_id = add_long_job(app)
    process = subprocess.Popen(
        [*HERMES, "notes", "add", "Prefers tabs"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith(b"Added")
    while get(app, job_id).state != "running":
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout, stderr) == (0, b"", b"")
    job = get(app, job_id)
    assert (job.state, job.leased_by, job.attempts) == ("waiting", None, 0)
