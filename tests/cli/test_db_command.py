"""`hermes db`, `hermes jobs` and `hermes memory log` as a person uses them."""

import json

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import jobs, sessions
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.sqlite import driver
from tests.conftest import Hermes


@pytest.fixture
def app(own_home: Home) -> App:
    return App(own_home, load(own_home))


def test_migrate_creates_the_store_and_is_content_afterwards(hermes: Hermes, own_home: Home) -> None:
    place = own_home.state_db
    assert hermes("db", "migrate").stdout == f"{place}: created with shape {HEAD}.\n"
    assert hermes("db", "migrate").stdout == f"{place} has shape {HEAD} already.\n"
    assert own_home.memory_db_link.readlink().name == "state.db"


def test_status_tells_place_size_and_shape(hermes: Hermes, own_home: Home) -> None:
    status = json.loads(hermes("db", "status", "--json").stdout)
    assert status["place"] == str(own_home.state_db)
    assert (status["engine"], status["shape"], status["last_vacuum"]) == ("sqlite", HEAD, None)
    hermes("db", "vacuum")
    assert "Last vacuum: 20" in hermes("db", "status").stdout


def test_check_says_that_nothing_is_wrong(hermes: Hermes, own_home: Home) -> None:
    expected = f"{own_home.state_db}: 0 messages, indexes agree, nothing is wrong.\n"
    assert hermes("db", "check").stdout == expected


def test_check_finds_a_torn_index_and_repair_mends_it(hermes: Hermes, app: App) -> None:
    session_id = app.memory.begin(NewSession())
    app.memory.append(session_id, NewMessage("user", "hello docker"))
    app.close()
    connection = driver().connect(app.home.state_db)
    connection.execute("DELETE FROM messages_fts WHERE rowid = 1")
    connection.commit()
    connection.close()
    checked = hermes("db", "check")
    assert checked.exit_code == 1
    assert checked.stdout == "Problem: 1 texts are missing from the text index\n"
    assert hermes("db", "repair").exit_code == 0
    assert hermes("db", "check").exit_code == 0
    assert hermes("sessions", "search", "docker").exit_code == 0


def test_repair_saves_a_file_that_is_no_database_aside(hermes: Hermes, own_home: Home) -> None:
    hermes("db", "migrate")
    own_home.state_db.write_bytes(b"\0" * 40_000)
    refused = hermes("sessions", "list")
    assert refused.exit_code == 1
    assert "first bytes are wrong" in refused.stderr
    hopeless = hermes("db", "repair", "--yes")
    assert hopeless.exit_code == 1 and "Nothing in" in hopeless.stderr and "--force" in hopeless.stderr, hopeless
    assert own_home.state_db.read_bytes() == b"\0" * 40_000 and not list(own_home.root.glob("state.db.*"))
    assert hermes("db", "repair", "--yes", "--force").exit_code == 0
    (aside,) = own_home.root.glob("state.db.damaged-*")
    assert aside.read_bytes() == b"\0" * 40_000
    assert hermes("sessions", "list").stdout == "No conversations.\n"


def test_an_unset_address_variable_is_named(hermes: Hermes) -> None:
    hermes("config", "set", "memory.backend", "postgres")
    hermes("config", "set", "memory.connectionString", "${HERMES_DB_URL}")
    outcome = hermes("db", "migrate")
    assert outcome.exit_code == 2
    assert "memory.connectionString refers to ${HERMES_DB_URL}, which is not set." in outcome.stderr


def test_a_password_is_never_shown(hermes: Hermes) -> None:
    hermes("config", "set", "memory.backend", "postgres")
    address = "postgresql://127.0.0.1:1/db?user=ada&password=hunter2"
    hermes("config", "set", "memory.connectionString", address)
    outcome = hermes("db", "status")
    assert outcome.exit_code == 1
    assert "postgresql://127.0.0.1:1/db" in outcome.stderr
    assert "hunter2" not in outcome.stdout + outcome.stderr


def test_due_jobs_are_enqueued_and_run(hermes: Hermes) -> None:
    assert hermes("jobs", "list").stdout == "No jobs.\n"
    kinds = ("vacuum", "checkpoints", "episodes", "tidy", "embed")
    ran = "".join(f"Job {number} ({kind}): done\n" for number, kind in enumerate(kinds, 1))
    assert hermes("jobs", "run").stdout == ran
    assert hermes("jobs", "run").stdout == "Nothing is due.\n"
    listed = json.loads(hermes("jobs", "list", "--json").stdout)
    assert {(job["kind"], job["state"], job["attempts"]) for job in listed} == {
        (kind, "done", 1) for kind in kinds
    }
    assert "state: done" in hermes("jobs", "show", "1").stdout


def test_a_failed_job_keeps_its_reason_and_can_be_retried(hermes: Hermes, app: App) -> None:
    with app.store.write() as connection:
        job_id = jobs.add(connection, "vacuum", "key")
        job = jobs.claim(connection, "w", 60)
        assert job is not None
        jobs.finish(connection, job, "failed", "the disk was full")
    listed = hermes("jobs", "list", "--state", "failed")
    assert "the disk was full" in listed.stdout
    assert hermes("jobs", "retry", str(job_id)).stdout == f"Job {job_id} is due now.\n"
    assert f"Job {job_id} (vacuum): done" in hermes("jobs", "run").stdout
    assert hermes("jobs", "show", "99").exit_code == 2


def test_an_old_session_is_pruned_only_when_asked_for(hermes: Hermes, app: App) -> None:
    app.memory.begin(NewSession(id="old", started_at=1))
    with app.store.write() as connection:
        sessions.end(connection, "old", "done", at=2)
    hermes("jobs", "run")
    assert len(json.loads(hermes("sessions", "list", "--json").stdout)) == 1
    hermes("config", "set", "sessions.autoPrune", "true")
    assert "(prune): done" in hermes("jobs", "run").stdout
    assert json.loads(hermes("sessions", "list", "--json").stdout) == []
    (entry,) = json.loads(hermes("memory", "log", "--json", "--kind", "session").stdout)
    assert (entry["subject"], entry["cause"]) == ("old", "sessions.autoPrune")


def test_the_log_is_empty_at_first(hermes: Hermes) -> None:
    assert hermes("memory", "log").stdout == "Nothing has changed yet.\n"
