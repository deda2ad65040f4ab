"""`hermes status`: what is well, what is not, and what to do."""

import json
from contextlib import closing

from hermes_agent import clock
from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.memory.forget_asked import Asked
from hermes_agent.ops.forgetting.carrying_out import carry_out, seek
from hermes_agent.store import jobs
from tests.conftest import Hermes


def opened(home: Home) -> App:
    return App(home, load(home))


def test_a_new_home_is_well(hermes: Hermes, own_home: Home) -> None:
    outcome = hermes("status")
    assert (outcome.exit_code, outcome.stderr) == (0, "")
    names = [line.split()[0] for line in outcome.stdout.splitlines()]
    assert names[:5] == ["Daemon", "Jobs", "Store", "Profile", "Model"]
    assert str(own_home.state_db) in outcome.stdout
    told = json.loads(hermes("status", "--json").stdout)
    assert (told["is_well"], told["advice"], told["profile"]["name"]) == (True, [], "default")
    assert told["jobs"] == {"waiting": 0, "running": 0, "failed": 0, "latest_failure": None}
    assert told["store"]["engine"] == "sqlite" and told["store"]["size_bytes"] > 0


def test_a_failed_job_is_told_with_its_reason_until_it_was_done(hermes: Hermes, own_home: Home) -> None:
    app = opened(own_home)
    with app.store.write() as connection:
        job_id = jobs.add(connection, "prune", "prune")
        job = jobs.claim(connection, "w", 60)
        assert job is not None
        jobs.finish(connection, job, "failed", "the disk\x1b[2J was full")
    outcome = hermes("status")
    assert outcome.exit_code == 1
    assert f"1 failed; job {job_id} (prune): the disk" in outcome.stdout and "\x1b" not in outcome.stdout
    assert f"hermes jobs retry {job_id}" in outcome.stdout
    told = json.loads(hermes("status", "--json").stdout)
    assert told["is_well"] is False and told["advice"][0]["about"] == "jobs"
    assert hermes("jobs", "retry", str(job_id)).exit_code == 0
    assert hermes("jobs", "run").exit_code == 0
    assert hermes("status").exit_code == 0


def test_jobs_that_nobody_runs_are_told(hermes: Hermes, own_home: Home) -> None:
    app = opened(own_home)
    two_days_ago = clock.now() - 2 * 86_400 * clock.MICROSECONDS
    with app.store.write() as connection:
        jobs.add(connection, "prune", "prune", due_at=two_days_ago)
    outcome = hermes("status")
    assert outcome.exit_code == 1
    assert "1 waiting, the first of them since" in outcome.stdout and "hermes start" in outcome.stdout


def test_a_store_that_cannot_be_read_does_not_hide_the_rest(hermes: Hermes, own_home: Home) -> None:
    own_home.root.mkdir()
    own_home.state_db.write_bytes(b"\0" * 4096)
    outcome = hermes("status")
    assert outcome.exit_code == 1
    assert "first bytes are wrong" in outcome.stdout and "hermes db repair" in outcome.stdout
    assert "Profile" in outcome.stdout and "Model" in outcome.stdout
    told = json.loads(hermes("status", "--json").stdout)
    assert told["store"] is None and {one["about"] for one in told["advice"]} == {
        "jobs",
        "store",
        "embedder",
        "index",
        "review",
        "learning",
        "forgetting",
        "backups",
    }


def test_what_was_forgotten_in_part_is_told_until_it_is_finished(hermes: Hermes, own_home: Home) -> None:
    assert hermes("memory", "fact", "add", "The mat is red.").exit_code == 0
    with closing(opened(own_home)) as app:
        forgetting = carry_out(app.forgetting, seek(Asked("fact:001")))
        while next(forgetting).what != "Writing the database anew":
            pass
        forgetting.close()
    outcome = hermes("status")
    assert outcome.exit_code == 1
    assert "1 receipt pending (receipt:001)" in outcome.stdout
    assert "hermes memory forget --finish" in outcome.stdout
    assert hermes("memory", "forget", "--finish").exit_code == 0
    assert "receipt" not in hermes("status").stdout
